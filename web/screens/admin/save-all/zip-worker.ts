import { createZipSession, type ZipAnswer, type ZipQuestion } from './zip-session.ts'

/** The worker's own scope, which the types of a page do not have. */
type WorkerScope = {
  postMessage(message: ZipAnswer): void
  onmessage: ((event: MessageEvent<ZipQuestion>) => void) | null
}

const scope = globalThis as unknown as WorkerScope
const ask = createZipSession((message) => scope.postMessage(message))
scope.onmessage = ({ data }) => ask(data)
