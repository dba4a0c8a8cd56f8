import type { WritingRecord } from '../../../../domain/writing/writing-record.ts'
import { createRecordSession, type RecordQuestion } from './record-session.ts'

/** The worker's own scope, which the types of a page do not have. */
type WorkerScope = {
  postMessage(message: WritingRecord): void
  onmessage: ((event: MessageEvent<RecordQuestion>) => void) | null
}

const scope = globalThis as unknown as WorkerScope
const ask = createRecordSession((record) => scope.postMessage(record))
scope.onmessage = ({ data }) => ask(data)
