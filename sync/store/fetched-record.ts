import type { HandIn } from '../../domain/wire/hand-ins.ts'
import type { ArticleNote } from '../../domain/wire/notes.ts'
import type { RecordRow } from './database.ts'
import { pendingNote } from './new-entries.ts'
import { emptyRecord } from './records.ts'
import type { In } from './transaction.ts'

/**
 * Stores what the server returned. A receipt that a restored server no longer has stays: its signature can still be
 * checked. A note of this user that it lost, or a change of one, is queued again, under a key and with a body that are the same on
 * each of their devices: without its hand-in, whose number may be that of another one now.
 */
export async function storeRecord(
  tables: In<'records' | 'outbox'>,
  articleId: string,
  given: Pick<RecordRow, 'handIns' | 'notes'> & { total: number },
  { userId, now }: { userId: string; now: number },
): Promise<void> {
  const known = (await tables.records.get(articleId)) ?? emptyRecord(articleId)
  const present = new Set(given.handIns.map(signature))
  const first = given.handIns.at(-1)?.number ?? 0
  const isListed = ({ number }: HandIn) => given.total === given.handIns.length || number >= first
  const lost = [...known.handIns.filter(isListed), ...known.lost].filter(
    (handIn) => handIn.receipt !== null && !present.has(signature(handIn)),
  )
  await tables.records.put({ articleId, ...given, lost })
  if (known.total !== null) return
  const takenBack = new Set(
    known.notes.flatMap(({ kind, to }) => (kind === 'taken-back' && to ? [to] : [])),
  )
  const lostNotes = known.notes.filter(
    ({ id, kind, ref, author }) =>
      author.id === userId &&
      kind !== 'taken-back' &&
      !(ref !== undefined && takenBack.has(ref)) &&
      !given.notes.some((note) => note.id === id),
  )
  for (const note of lostNotes) {
    const again = { key: `again-${note.id}`, now, ...requestOf(note) }
    await tables.outbox.add(pendingNote(articleId, again))
  }
}

/** What adds the note, or the change of one, again. */
function requestOf(note: ArticleNote): { body: string; changes?: string } {
  const { kind, body, ref, to, anchor, suggestion } = note
  if (kind === 'done' || kind === 'open')
    return {
      body: JSON.stringify({ done: kind === 'done' }),
      ...(to !== undefined && { changes: to }),
    }
  if (kind === 'note') return { body: JSON.stringify({ kind, body, ref, anchor, suggestion }) }
  const about = to === undefined ? { handIn: null } : { ref, to }
  return { body: JSON.stringify({ kind, body, ...about }) }
}

const signature = ({ receipt }: HandIn): string => receipt?.signature ?? ''

export function isHandIn(value: unknown): value is HandIn {
  const handIn = value as Partial<HandIn> | null | undefined
  return (
    typeof handIn?.number === 'number' &&
    typeof handIn.at === 'string' &&
    typeof handIn.textVersion === 'number' &&
    handIn.receipt !== undefined &&
    handIn.reopened !== undefined
  )
}
