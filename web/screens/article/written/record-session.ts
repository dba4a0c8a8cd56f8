import {
  createWritingRecord,
  type KeptVersion,
  type WritingRecord,
} from '../../../../domain/writing/writing-record.ts'

/** The versions of a text one after another, and at the end `finish`. */
export type RecordQuestion = KeptVersion | 'finish'

/** The worker side: one record per worker. Returns the function that takes the page's questions. */
export function createRecordSession(
  answer: (record: WritingRecord) => void,
): (question: RecordQuestion) => void {
  const record = createWritingRecord()
  return (question) => {
    if (question === 'finish') answer(record.finish())
    else record.take(question)
  }
}
