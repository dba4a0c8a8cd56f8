import type { HandIn } from '../../../../domain/wire/hand-ins.ts'
import type { WritingRecord } from '../../../../domain/writing/writing-record.ts'
import { useDatabase } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { useLocalQuery } from '../../../use-local-query.ts'

/**
 * How the text of a hand-in was written, where the user adds that to the receipt; kept on this computer, null where it is
 * left out. Undefined until it is read.
 */
export function useAddedRecord(articleId: string, { at }: Pick<HandIn, 'at'>) {
  const database = useDatabase()
  const key = `writing-record:${articleId}:${at}` as const
  const added = useLocalQuery(async () => {
    const value = (await database.meta.get(key))?.value
    return (value as WritingRecord | undefined) ?? null
  }, [database, key])
  return {
    added,
    add: (record: WritingRecord) =>
      void notices.attempt('Article Error', () => database.meta.put({ key, value: record })),
    leaveOut: () => void notices.attempt('Article Error', () => database.meta.delete(key)),
  }
}
