import type { LocalDatabase, OutboxRow } from '../store/database.ts'
import { articlesLeft, articlesWithoutRoom } from '../store/exit-snapshots.ts'
import { articlesInMemory } from '../store/memory-notes.ts'
import { type In, type Tables, transact } from '../store/transaction.ts'
import { type Failure, lastFailure } from './failure.ts'
import { countSending } from './outbox-counts.ts'

/** The state of unsent work over all articles on this device. */

/**
 * After a failed exchange and until the next response of the server, `connection` is 'refused' where a proxy responded in
 * its place, and 'offline' where nothing responded.
 */
export type SyncSummary = {
  connection: 'unknown' | 'online' | 'offline' | 'refused'
  /** Latest failed attempt to send a change; null when none failed. */
  failure: Failure | null
  sending: number
  /** Number of articles with unsent changes other than rejected notes. */
  waiting: number
  /** Those of them whose latest text is in the memory of a tab alone. */
  inMemory: number
  /** Articles with exit snapshots that could not be restored because the disk is full. */
  withoutRoom: number
  /** Number of notes, and of changes of notes, that the server rejected. */
  refusedNotes: number
  lastCheckedAt: number | null
  /** Unsent changes wait for a new sign-in. */
  signInNeeded: boolean
  /** Unsent changes wait for a newer page. */
  updateNeeded: boolean
}

/**
 * Articles with text or a completion that the server does not have, including text in the memory of a tab and exit
 * snapshots.
 */
export async function unsentArticles(database: LocalDatabase): Promise<Set<string>> {
  const { articles } = await transact(database, 'r', COUNTED, unsentHere)
  return articles
}

const COUNTED = ['drafts', 'outbox', 'meta'] as const
type Counted = In<(typeof COUNTED)[number]>

/**
 * `inMemory`: those of the articles whose latest text is in the memory of a tab. `waiting`: those with
 * unsent changes other than rejected notes.
 */
type Unsent = {
  articles: Set<string>
  waiting: Set<string>
  queue: OutboxRow[]
  inMemory: Set<string>
}

/** The same inside a transaction, with the queue that was read for it. */
export async function unsentHere(tables: Counted): Promise<Unsent> {
  const [drafts, queue, inMemory] = await Promise.all([
    tables.drafts.where('dirty').equals(1).primaryKeys(),
    tables.outbox.toArray(),
    articlesInMemory(tables),
  ])
  const idsOf = (entries: OutboxRow[]) => entries.map(({ articleId }) => articleId)
  const queued = idsOf(queue.filter((entry) => !isRefusedNote(entry)))
  const waiting = new Set([...drafts, ...queued, ...inMemory, ...articlesLeft(tables)])
  return { articles: new Set([...waiting, ...idsOf(queue)]), waiting, queue, inMemory }
}

const isRefusedNote = ({ kind, state }: OutboxRow): boolean =>
  kind === 'note' && state === 'blocked'

/** The state of the connection, from the last exchange of any tab. For a live query. */
export async function readConnection({ meta }: Tables<'meta'>): Promise<SyncSummary['connection']> {
  const value = (await meta.get('connection'))?.value
  return value === 'online' || value === 'offline' || value === 'refused' ? value : 'unknown'
}

/** For a live query. */
export async function readSyncSummary(database: LocalDatabase): Promise<SyncSummary> {
  return transact(database, 'r', COUNTED, syncSummary)
}

async function syncSummary(tables: Counted): Promise<SyncSummary> {
  const [{ waiting, queue, inMemory }, connection, metas] = await Promise.all([
    unsentHere(tables),
    readConnection(tables),
    tables.meta.bulkGet(['lastCheckedAt', 'signInNeeded', 'updateNeeded']),
  ])
  const [checked, signIn, update] = metas
  return {
    connection,
    failure: await lastFailure(tables, queue),
    sending: countSending(queue),
    waiting: waiting.size,
    refusedNotes: queue.filter(isRefusedNote).length,
    inMemory: inMemory.size,
    withoutRoom: articlesWithoutRoom(tables).length,
    lastCheckedAt: typeof checked?.value === 'number' ? checked.value : null,
    signInNeeded: signIn?.value === true && waiting.size > 0,
    updateNeeded: update?.value === true && waiting.size > 0,
  }
}
