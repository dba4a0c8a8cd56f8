import {
  createEntitiesSession,
  type EntitiesAnswer,
  type EntitiesQuestion,
} from '../articles/entities-session.ts'
import { createListSession, type ListAnswer, type ListQuestion } from '../batch/list-session.ts'

/** The worker's own scope, which the types of a page do not have. */
type WorkerScope = {
  postMessage(message: EntitiesAnswer | ListAnswer): void
  onmessage: ((event: MessageEvent<EntitiesQuestion & ListQuestion>) => void) | null
}

const scope = globalThis as unknown as WorkerScope
const sessions = {
  entities: createEntitiesSession((message) => scope.postMessage(message)),
  articles: createListSession((message) => scope.postMessage(message)),
}
/** The kind of list that was opened. */
let opened: keyof typeof sessions = 'entities'
scope.onmessage = ({ data }) => {
  if (data.kind === 'open') opened = data.of
  void sessions[opened](data)
}
