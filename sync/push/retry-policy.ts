import type { Effects } from '../ports.ts'
import { retryDelay } from '../protocol/backoff.ts'
import { RETRY_AFTER_CAP_MS } from '../protocol/error-response.ts'
import { notNow, type Retry } from '../protocol/push-result.ts'
import type { Failure as LastFailure } from '../status/failure.ts'
import type { LocalDatabase, OutboxRow } from '../store/database.ts'
import { dueSoonest, isInflight, isSameFlight } from '../store/queue.ts'
import { type In, type Tables, transact } from '../store/transaction.ts'

/** When pending entries are retried, and what makes it sooner or later. */

/** The server accepts changes of this user from this page. */
export async function forgetBlocks({ meta }: In<'meta'>): Promise<void> {
  const keys = ['signInNeeded', 'updateNeeded'] as const
  const blocks = await meta.where('key').anyOf(keys).primaryKeys()
  if (blocks.length > 0) await meta.bulkDelete(blocks)
}

/** The server is reachable again: entries that waited for that are due. */
export async function noteServerAnswered(
  tables: In<'outbox' | 'meta'>,
  now: number,
): Promise<boolean> {
  const connection = await tables.meta.get('connection')
  // What an earlier response released is due or in flight already.
  if (connection?.value === 'online') return false
  await tables.meta.put({ key: 'connection', value: 'online' })
  return retryUnreachable(tables, now)
}

type Failure = Omit<Retry, 'kind'>

/**
 * No definite response: schedules all entries for one common retry. Without any response, all other entries wait for
 * that retry too.
 */
export const settleRetry = (
  database: LocalDatabase,
  sent: readonly OutboxRow[],
  failure: Failure,
  effects: Effects,
): Promise<void> =>
  transact(database, 'rw', ['outbox', 'meta'], (tables) =>
    settleRetryIn(tables, sent, failure, effects),
  )

async function settleRetryIn(
  tables: In<'outbox' | 'meta'>,
  sent: readonly OutboxRow[],
  failure: Failure,
  effects: Effects,
): Promise<void> {
  const { outbox, meta } = tables
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
  const last: LastFailure = failure.isAnswer ? { cause: 'server', dueAt } : { cause: 'connection' }
  await meta.put({ key: 'lastFailure', value: last })
  if (!failure.unreachable) return void (await noteServerAnswered(tables, now))
  await meta.put({ key: 'connection', value: failure.isAnswer ? 'refused' : 'offline' })
  await postponeUnreachable(tables, dueAt)
}

async function postponeUnreachable({ outbox }: In<'outbox'>, until: number): Promise<void> {
  const early = await outbox.where('dueAt').below(until).toArray()
  const unreachable = early.filter((entry) => isInflight(entry) && entry.unreachable === 1)
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
  await transact(database, 'rw', ['outbox', 'meta'], async (tables) => {
    await settleRetryIn(tables, sent, notNow(message), effects)
    await tables.meta.put({ key: flag, value: true })
  })
}

/** Makes entries due that waited only for the connection. Returns true when there were any. */
export async function retryUnreachable(tables: In<'outbox'>, now: number): Promise<boolean> {
  return retry(tables, now, (entry) => entry.unreachable === 1)
}

/** Makes every failed entry due, except during a wait that the server asked for. */
export const retryAll = (tables: In<'outbox'>, now: number): Promise<boolean> =>
  retry(tables, now, (entry) => entry.failedAt !== null || entry.attempts > 0)

async function retry(
  { outbox }: In<'outbox'>,
  now: number,
  which: (entry: OutboxRow) => boolean,
): Promise<boolean> {
  const later = await outbox.where('dueAt').above(now).toArray()
  const due = later.filter((entry) => isInflight(entry) && which(entry))
  await outbox.bulkPut(
    due.map((entry) => ({ ...entry, attempts: 0, dueAt: Math.max(now, entry.notBefore ?? 0) })),
  )
  return due.length > 0
}

/** Ends the autosave delay of every entry. Entries that are due already are not rewritten. */
export async function hurry({ outbox }: Tables<'outbox'>, now: number): Promise<void> {
  await outbox
    .where('state')
    .equals('pending')
    .modify((entry) => {
      const mayWait = entry.dueAt > now || entry.debounced === 1
      if (mayWait) Object.assign(entry, dueSoonest(entry, now))
      return mayWait
    })
}
