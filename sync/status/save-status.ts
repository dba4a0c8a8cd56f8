import type { LocalDatabase } from '../store/database.ts'
import { articlesLeft, articlesWithoutRoom } from '../store/exit-snapshots.ts'
import { articlesInMemory } from '../store/memory-notes.ts'
import { type Failure, lastFailure } from './failure.ts'
import { countSending, queuedArticles } from './outbox-counts.ts'

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
  waiting: number
  /** Those of them whose latest text is in the memory of a tab alone. */
  inMemory: number
  /** Articles with exit snapshots that could not be restored because the disk is full. */
  withoutRoom: number
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
  const { drafts, outbox, meta } = database
  return database.transaction('r', drafts, outbox, meta, async () => unsentHere(database))
}

/** The same inside a transaction over drafts, outbox and meta. */
export async function unsentHere(database: LocalDatabase): Promise<Set<string>> {
  const [drafts, queued, inMemory] = await Promise.all([
    database.drafts.where('dirty').equals(1).primaryKeys(),
    queuedArticles(database),
    articlesInMemory(database),
  ])
  return new Set([...drafts, ...queued, ...inMemory, ...articlesLeft(database)])
}

/** The state of the connection, from the last exchange of any tab. For a live query. */
export async function readConnection(database: LocalDatabase): Promise<SyncSummary['connection']> {
  const value = (await database.meta.get('connection'))?.value
  return value === 'online' || value === 'offline' || value === 'refused' ? value : 'unknown'
}

/** For a live query. */
export async function readSyncSummary(database: LocalDatabase): Promise<SyncSummary> {
  const { drafts, outbox, meta } = database
  return database.transaction('r', drafts, outbox, meta, async () => syncSummary(database))
}

async function syncSummary(database: LocalDatabase): Promise<SyncSummary> {
  const [unsent, inMemory, sending, connection, failure, metas] = await Promise.all([
    unsentHere(database),
    articlesInMemory(database),
    countSending(database),
    readConnection(database),
    lastFailure(database),
    database.meta.bulkGet(['lastCheckedAt', 'signInNeeded', 'updateNeeded']),
  ])
  const [checked, signIn, update] = metas
  return {
    connection,
    failure,
    sending,
    waiting: unsent.size,
    inMemory: inMemory.size,
    withoutRoom: articlesWithoutRoom(database).length,
    lastCheckedAt: typeof checked?.value === 'number' ? checked.value : null,
    signInNeeded: signIn?.value === true && unsent.size > 0,
    updateNeeded: update?.value === true && unsent.size > 0,
  }
}
