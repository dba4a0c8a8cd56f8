import { type CsvAnswer, type CsvQuestion, createCsvSession } from '../articles/csv-session.ts'
import { createListSession, type ListAnswer, type ListQuestion } from '../batch/list-session.ts'

/** The worker's own scope, which the types of a page do not have. */
type WorkerScope = {
  postMessage(message: CsvAnswer | ListAnswer): void
  onmessage: ((event: MessageEvent<CsvQuestion & ListQuestion>) => void) | null
}

const scope = globalThis as unknown as WorkerScope
const sessions = {
  entities: createCsvSession((message) => scope.postMessage(message)),
  articles: createListSession((message) => scope.postMessage(message)),
}
/** The kind of list that was opened. */
let opened: keyof typeof sessions = 'entities'
scope.onmessage = ({ data }) => {
  if (data.kind === 'open') opened = data.of
  void sessions[opened](data)
}
