import type { NoteChange, NoteCreate } from '../../domain/wire/notes.ts'
import type { Ports } from '../ports.ts'
import type { LocalDatabase, NoteEntry, OutboxRow } from '../store/database.ts'
import { pendingNote } from '../store/new-entries.ts'
import { entriesOf } from '../store/queue.ts'
import { type In, transact } from '../store/transaction.ts'
import type { Retry } from '../store/with-retry.ts'

export type NoteActions = ReturnType<typeof noteActions>

type NoteOptions = { database: LocalDatabase; retrying: Retry; trigger: () => void }

/**
 * Notes of an article are queued like its text and sent after it: they, and changes of them, are only added, so nothing is
 * merged.
 */
export function noteActions({ clock, newId }: Ports, { database, retrying, trigger }: NoteOptions) {
  const queued = (articleId: string, request: { body: string; changes?: string }) =>
    pendingNote(articleId, { key: newId(), now: clock.now(), ...request })

  return {
    /** Queues a note, with `body` as the server stores it (domain/notes/note-text.ts). */
    async addNote(articleId: string, note: NoteCreate) {
      const entry = queued(articleId, { body: JSON.stringify(note) })
      await retrying.run(() =>
        transact(database, 'rw', ['outbox'], async ({ outbox }) => {
          await outbox.add(entry)
        }),
      )
      trigger()
    },
    /** Queues a change of the note with this name. One that was never sent is not queued, but removed, to take it back. */
    async changeNote(articleId: string, ref: string, change: NoteChange) {
      const entry = queued(articleId, { body: JSON.stringify(change), changes: ref })
      await retrying.run(() =>
        transact(database, 'rw', ['outbox'], async (tables) => {
          if ('takenBack' in change && (await removeUnsent(tables, articleId, ref))) return
          await tables.outbox.add(entry)
        }),
      )
      trigger()
    },
    /** Sends a note that was refused again. */
    async retryNote(seq: number) {
      await transact(database, 'rw', ['outbox'], async ({ outbox }) => {
        const entry = await outbox.get(seq)
        if (entry?.kind !== 'note' || entry.state !== 'blocked') return
        await outbox.update(seq, { state: 'pending', blockedReason: null, dueAt: clock.now() })
      })
      trigger()
    },
    /** Removes a note that was refused, from this computer: the only place where it is. */
    async removeNote(seq: number) {
      await transact(database, 'rw', ['outbox'], async (tables) => {
        const entry = await tables.outbox.get(seq)
        if (entry?.kind === 'note' && entry.state === 'blocked') await remove(tables, entry)
      })
    },
  }
}

/** Returns false when the note is not in the queue, or may have been sent. */
async function removeUnsent(
  tables: In<'outbox'>,
  articleId: string,
  ref: string,
): Promise<boolean> {
  const entries = await entriesOf(tables, articleId)
  const own = entries.filter(isNote).find((entry) => refOf(entry) === ref)
  if (!own || own.state === 'inflight') return false
  await remove(tables, own)
  return true
}

/** With the answers to it and the changes of it: they would be about nothing. */
async function remove(tables: In<'outbox'>, note: NoteEntry): Promise<void> {
  const ref = refOf(note)
  const entries = (await entriesOf(tables, note.articleId)).filter(isNote)
  const about = ref === undefined ? [] : entries.filter((entry) => aboutOf(entry) === ref)
  await tables.outbox.bulkDelete([note, ...about].map(({ seq }) => seq))
}

const isNote = (entry: OutboxRow): entry is NoteEntry => entry.kind === 'note'

const refOf = ({ body }: NoteEntry): string | undefined => JSON.parse(body).ref

const aboutOf = ({ body, changes }: NoteEntry): string | undefined => changes ?? JSON.parse(body).to
