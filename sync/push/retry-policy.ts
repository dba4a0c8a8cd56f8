import type { Effects } from '../ports.ts'
import { retryDelay } from '../protocol/backoff.ts'
import { RETRY_AFTER_CAP_MS } from '../protocol/error-response.ts'
import { notNow, type Retry } from '../protocol/push-result.ts'
import type { Failure as LastFailure } from '../status/failure.ts'
import type { LocalDatabase, OutboxRow } from '../store/database.ts'
import { dueSoonest, isInflight, isSameFlight } from '../store/queue.ts'

/**
 * When pending entries are retried, and what makes it sooner or later. A caller's transaction around any of these must
 * cover outbox, and also meta for those that note whether the server responds.
 */

/** The server accepts changes of this user from this page. */
export async function forgetBlocks({ meta }: LocalDatabase): Promise<void> {
  const keys = ['signInNeeded', 'updateNeeded'] as const
  const blocks = await meta.where('key').anyOf(keys).primaryKeys()
  if (blocks.length > 0) await meta.bulkDelete(blocks)
}

/** The server is reachable again: entries that waited for that are due. */
export async function noteServerAnswered(database: LocalDatabase, now: number): Promise<boolean> {
  const connection = await database.meta.get('connection')
  // What an earlier response released is due or in flight already.
  if (connection?.value === 'online') return false
  await database.meta.put({ key: 'connection', value: 'online' })
  return retryUnreachable(database, now)
}

type Failure = Omit<Retry, 'kind'>

/**
 * No definite response: schedules all entries for one common retry. Without any response, all other entries wait for
 * that retry too.
 */
export async function settleRetry(
  database: LocalDatabase,
  sent: readonly OutboxRow[],
  failure: Failure,
  effects: Effects,
): Promise<void> {
  const { outbox, meta } = database
  await database.transaction('rw', outbox, meta, async () => {
    const found = await outbox.bulkGet(sent.map(({ seq }) => seq))
    const entries = found.flatMap((entry, at) => {
      const own = sent[at]
      return own && isSameFlight(entry, own) ? [entry] : []
    })
    if (entries.length === 0) return
    const now = effects.now()
    const attempts = Math.max(...entries.map((entry) => entry.attempts)) + 1
    const asked = failure.waitMs === null ? [] : [now + failure.waitMs]
    // Another tab may have received a wait while this one was suspended; none exceeds the cap.
    const known = entries.flatMap((entry) => entry.notBefore ?? [])
    const waits = [...asked, ...known.filter((time) => time <= now + RETRY_AFTER_CAP_MS)]
    const notBefore = waits.length === 0 ? null : Math.max(...waits)
    const dueAt = Math.max(now + retryDelay(attempts, effects.random), notBefore ?? 0)
    const unreachable = failure.unreachable ? 1 : 0
    const lastError = failure.message
    const isAnswered = failure.isAnswer ? 1 : 0
    await outbox.bulkPut(
      entries.map((entry) => {
        const failed = { attempts: entry.attempts + 1, failedAt: entry.failedAt ?? now }
        return { ...entry, ...failed, lastError, isAnswered, dueAt, notBefore, unreachable }
      }),
    )
    const last: LastFailure = failure.isAnswer
      ? { cause: 'server', dueAt }
      : { cause: 'connection' }
    await meta.put({ key: 'lastFailure', value: last })
    if (!failure.unreachable) return void (await noteServerAnswered(database, now))
    await meta.put({ key: 'connection', value: failure.isAnswer ? 'refused' : 'offline' })
    await postponeUnreachable(database, dueAt)
  })
}

async function postponeUnreachable({ outbox }: LocalDatabase, until: number): Promise<void> {
  const early = await outbox.where('dueAt').below(until).filter(isInflight).toArray()
  const unreachable = early.filter((entry) => entry.unreachable === 1)
  await outbox.bulkPut(unreachable.map((entry) => ({ ...entry, dueAt: until })))
}

/** The server requires an action of the user first; the queue keeps its entries. */
export async function settleBlocked(
  database: LocalDatabase,
  sent: readonly OutboxRow[],
  flag: 'signInNeeded' | 'updateNeeded',
  message: string,
  effects: Effects,
): Promise<void> {
  await database.transaction('rw', database.outbox, database.meta, async () => {
    await settleRetry(database, sent, notNow(message), effects)
    await database.meta.put({ key: flag, value: true })
  })
}

/** Makes entries due that waited only for the connection. Returns true when there were any. */
export async function retryUnreachable(database: LocalDatabase, now: number): Promise<boolean> {
  return retry(database, now, (entry) => entry.unreachable === 1)
}

/** Makes every failed entry due, except during a wait that the server asked for. */
export const retryAll = (database: LocalDatabase, now: number): Promise<boolean> =>
  retry(database, now, (entry) => entry.failedAt !== null || entry.attempts > 0)

async function retry(
  database: LocalDatabase,
  now: number,
  which: (entry: OutboxRow) => boolean,
): Promise<boolean> {
  const { outbox } = database
  const later = await outbox.where('dueAt').above(now).filter(isInflight).toArray()
  const due = later.filter(which)
  await outbox.bulkPut(
    due.map((entry) => ({ ...entry, attempts: 0, dueAt: Math.max(now, entry.notBefore ?? 0) })),
  )
  return due.length > 0
}

/** Ends the autosave delay of every entry. Entries that are due already are not rewritten. */
export async function hurry(database: LocalDatabase, now: number): Promise<void> {
  await database.outbox
    .where('state')
    .equals('pending')
    .modify((entry) => {
      const mayWait = entry.dueAt > now || entry.debounced === 1
      if (mayWait) Object.assign(entry, dueSoonest(entry, now))
      return mayWait
    })
}
