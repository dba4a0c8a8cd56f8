import type { NoteCreate } from '../../domain/wire/hand-ins.ts'
import type { Ports } from '../ports.ts'
import type { LocalDatabase } from '../store/database.ts'
import { pendingNote } from '../store/new-entries.ts'
import { transact } from '../store/transaction.ts'
import type { Retry } from '../store/with-retry.ts'

/** Notes of an article are queued like its text and sent after it: they are never changed, so nothing is merged. */
export type NoteActions = {
  /** Queues a note, with `body` as the server stores it (domain/notes/note-text.ts). */
  addNote(articleId: string, note: NoteCreate): Promise<void>
  /** Sends a note that was refused again. */
  retryNote(seq: number): Promise<void>
  /** Removes a note that was refused, from this computer: the only place where it is. */
  removeNote(seq: number): Promise<void>
}

type NoteOptions = { database: LocalDatabase; retrying: Retry; trigger: () => void }

export function noteActions(
  { clock, newId }: Ports,
  { database, retrying, trigger }: NoteOptions,
): NoteActions {
  return {
    async addNote(articleId, note) {
      const entry = pendingNote(articleId, {
        key: newId(),
        now: clock.now(),
        body: JSON.stringify(note),
      })
      await retrying.run(() =>
        transact(database, 'rw', ['outbox'], async ({ outbox }) => {
          await outbox.add(entry)
        }),
      )
      trigger()
    },
    async retryNote(seq) {
      await transact(database, 'rw', ['outbox'], async ({ outbox }) => {
        const entry = await outbox.get(seq)
        if (entry?.kind !== 'note' || entry.state !== 'blocked') return
        await outbox.update(seq, { state: 'pending', blockedReason: null, dueAt: clock.now() })
      })
      trigger()
    },
    async removeNote(seq) {
      await transact(database, 'rw', ['outbox'], async ({ outbox }) => {
        const entry = await outbox.get(seq)
        if (entry?.kind === 'note' && entry.state === 'blocked') await outbox.delete(seq)
      })
    },
  }
}
