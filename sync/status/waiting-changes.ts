import type { NoteChange, NoteCreate } from '../../domain/wire/notes.ts'
import type { BlockedReason } from '../protocol/push-result.ts'
import type { LocalDatabase, NoteEntry, OutboxRow } from '../store/database.ts'
import { articlesLeft, articlesWithoutRoom } from '../store/exit-snapshots.ts'
import { isOnlyHere, type MemoryRefusal } from '../store/unsaved.ts'
import { unsentArticles } from './sync-summary.ts'

/** One change that the server does not have, in the words of the queue. */
export type WaitingChange = {
  /** Its place in the queue; null for words that could not even be queued. */
  seq: number | null
  articleId: string
  /** Empty when the article's row is not stored here. */
  name: string
  kind: 'text' | 'completion' | 'reopening' | 'undelivered' | 'note'
  /** The quote, text and suggestion of a note, one per line; null for other changes, and for changes of notes. */
  noteText: string | null
  /** When the oldest change in it was made, in milliseconds since 1970; null when that is not known. */
  since: number | null
  state: WaitingState
}

export type WaitingState =
  /** In its autosave delay, or in flight for the first time. */
  | { kind: 'sending' }
  /** The number of failed attempts. `error` is the message of the response or, without one, of the last failure. */
  | { kind: 'failed'; attempts: number; isAnswered: boolean; error: string; dueAt: number }
  /** Refused permanently; it stays here. `message`: the server's message for a note, otherwise null. */
  | { kind: 'blocked'; reason: BlockedReason; message: string | null }
  /** This device could not store it; `refusal` is why the server refused it too. */
  | { kind: 'memory'; refusal: MemoryRefusal | null }
  /** The exit snapshot of a closed page, not restored yet; with `noRoom` because the disk is full. */
  | { kind: 'left'; noRoom: boolean }

/** Every change of every article that is not with the agency, in order of creation. For a live query. */
export async function readWaiting(database: LocalDatabase): Promise<WaitingChange[]> {
  const [entries, unsent] = await Promise.all([database.outbox.toArray(), unsentArticles(database)])
  const articles = await database.articles.bulkGet([...unsent])
  const names = new Map(articles.map((article) => [article?.id, article?.name]))
  const queued = entries.map((entry) => ofEntry(entry, names.get(entry.articleId) ?? ''))
  const known = new Set(entries.map(({ articleId }) => articleId))
  const others = [...unsent].filter(
    (articleId) => !known.has(articleId) || isInMemory(database, articleId),
  )
  return [
    ...others.map((articleId) => ofUnqueued(database, articleId, names.get(articleId) ?? '')),
    ...queued.filter(({ articleId, kind }) => kind !== 'text' || !isInMemory(database, articleId)),
  ]
}

const isInMemory = (database: LocalDatabase, articleId: string): boolean =>
  isOnlyHere(database.unsaved.of(articleId))

/** Words that no row has; an entry of older words would not be the truth. */
function ofUnqueued(database: LocalDatabase, articleId: string, name: string): WaitingChange {
  const state = stateOfUnqueued(database, articleId)
  return { seq: null, articleId, name, kind: 'text', noteText: null, since: null, state }
}

function stateOfUnqueued(database: LocalDatabase, articleId: string): WaitingState {
  const own = database.unsaved.of(articleId)
  if (own?.kind === 'memory') return { kind: 'memory', refusal: own.refusal }
  if (!articlesLeft(database).has(articleId)) return { kind: 'memory', refusal: null }
  return { kind: 'left', noRoom: articlesWithoutRoom(database).includes(articleId) }
}

function ofEntry(entry: OutboxRow, name: string): WaitingChange {
  const { seq, articleId, firstEditAt: since } = entry
  const noteText = entry.kind === 'note' ? textOf(entry) : null
  return { seq, articleId, name, kind: kindOf(entry), noteText, since, state: stateOf(entry) }
}

function textOf({ body }: NoteEntry): string | null {
  const note: NoteCreate | NoteChange = JSON.parse(body)
  if (!('kind' in note)) return null
  const { quote, words } =
    note.kind === 'note' ? { quote: note.anchor.quote, words: note.suggestion } : {}
  return [quote, note.body, words].filter(Boolean).join('\n')
}

function kindOf({ kind, completed }: OutboxRow): WaitingChange['kind'] {
  if (kind !== 'control') return kind
  return completed ? 'completion' : 'reopening'
}

function stateOf(entry: OutboxRow): WaitingState {
  if (entry.blockedReason !== null) {
    const message = entry.kind === 'note' ? entry.lastError : null
    return { kind: 'blocked', reason: entry.blockedReason, message }
  }
  if (entry.failedAt === null) return { kind: 'sending' }
  const { attempts, dueAt, lastError } = entry
  const isAnswered = entry.isAnswered === 1
  return { kind: 'failed', attempts, isAnswered, error: lastError ?? '', dueAt }
}
