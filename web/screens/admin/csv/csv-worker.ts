import { type CsvAnswer, type CsvQuestion, createCsvSession } from '../articles/csv-session.ts'
import {
  createListSession,
  isListQuestion,
  type ListAnswer,
  type ListQuestion,
} from '../batch/list-session.ts'

/** The worker's own scope, which the types of a page do not have. */
type WorkerScope = {
  postMessage(message: CsvAnswer | ListAnswer): void
  onmessage: ((event: MessageEvent<CsvQuestion | ListQuestion>) => void) | null
}

const scope = globalThis as unknown as WorkerScope
const askEntities = createCsvSession((message) => scope.postMessage(message))
const askArticles = createListSession((message) => scope.postMessage(message))
scope.onmessage = ({ data }) => void (isListQuestion(data) ? askArticles(data) : askEntities(data))
