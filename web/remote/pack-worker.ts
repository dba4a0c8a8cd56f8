import { gzip } from './pack.ts'
import type { PackAnswer, PackQuestion } from './pack-beside.ts'

/** The worker's own scope, which the types of a page do not have. */
type WorkerScope = {
  postMessage(message: PackAnswer, transferred?: ArrayBuffer[]): void
  onmessage: ((event: MessageEvent<PackQuestion>) => void) | null
}

const scope = globalThis as unknown as WorkerScope
scope.onmessage = async ({ data: { id, text } }) => {
  const packed = await gzip(text)
  scope.postMessage({ id, packed }, [packed])
}
scope.postMessage('ready')
