import { type CsvAnswer, type CsvQuestion, createCsvSession } from './csv-session.ts'

/** The worker's own scope, which the types of a page do not have. */
type WorkerScope = {
  postMessage(message: CsvAnswer): void
  onmessage: ((event: MessageEvent<CsvQuestion>) => void) | null
}

const scope = globalThis as unknown as WorkerScope
const ask = createCsvSession((message) => scope.postMessage(message))
scope.onmessage = ({ data }) => void ask(data)
