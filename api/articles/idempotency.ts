import { sql } from 'kysely'
import { isPostgres } from '../database/engine.ts'
import { preparedByKey } from '../database/prepared.ts'
import type { IdempotencyRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'
import { ApiError } from '../http/errors.ts'

/** A key is remembered for 30 days: longer than a device stays off over a holiday. */
const KEY_LIFE_MS = 30 * 24 * 60 * 60 * 1_000
/** Expired keys are purged a few at a time, so that no single save has to purge many. */
const PURGE_BATCH = 20

export type KeyUse = {
  userId: string
  key: string
  /** Hash of method, path and body. Empty when the body is invalid: it equals no stored request. */
  requestHash: string
  now: number
}
/** `response` is the article without its text, which its revision keeps, and without its keyword list. */
export type StoredAnswer = { status: number; response: string }

/** Undefined when the request has no key. Throws 400 for a key that is not 1 to 200 visible ASCII characters. */
export function readKey(header: string | undefined): string | undefined {
  if (header === undefined || /^[\x21-\x7e]{1,200}$/.test(header)) return header
  throw new ApiError(400, '"Idempotency-Key" must be 1 to 200 visible ASCII characters')
}

/** The response that was stored under this key, undefined for a new key. */
export async function findAnswer(
  db: Database,
  { userId, key, now }: Omit<KeyUse, 'requestHash'>,
): Promise<(StoredAnswer & Pick<IdempotencyRow, 'request_hash'>) | undefined> {
  const [row] = await liveAnswer(db, { userId, key, at: new Date(now).toISOString() })
  return row
}

/**
 * The stored response to this request. Throws 422 when its key was used for another request: one of the two would be
 * silently skipped.
 */
export async function findSameAnswer(db: Database, use: KeyUse): Promise<StoredAnswer | undefined> {
  const row = await findAnswer(db, use)
  if (row !== undefined && row.request_hash !== use.requestHash) {
    throw new ApiError(422, 'Idempotency-Key was used for another request', { reason: 'key_reuse' })
  }
  return row
}

const liveAnswer = preparedByKey((db, given: { userId: string; key: string; at: string }) =>
  db
    .selectFrom('idempotency')
    .select(['request_hash', 'status', 'response'])
    .where('user_id', '=', given.userId)
    .where('key', '=', given.key)
    .where('expires_at', '>', given.at),
)

/** Call it in the transaction of the change, so that a key is stored exactly when its change is. */
export async function keepAnswer(db: Database, use: KeyUse, answer: StoredAnswer): Promise<void> {
  await purgeExpired(db, { until: new Date(use.now).toISOString() })
  await putAnswer(db, rowOf(use, answer))
}

/** Equals the hash of no request, not even of one with an unreadable body. */
const NO_REQUEST = 'superseded'

/** From now on the key counts as used: a request under it is refused with 422. */
export async function voidKey(db: Database, use: Omit<KeyUse, 'requestHash'>): Promise<void> {
  await putAnswer(db, rowOf({ ...use, requestHash: NO_REQUEST }, { status: 410, response: '' }))
}

const rowOf = (
  { userId, key, requestHash, now }: KeyUse,
  { status, response }: StoredAnswer,
): IdempotencyRow => ({
  user_id: userId,
  key,
  request_hash: requestHash,
  status,
  response,
  created_at: new Date(now).toISOString(),
  expires_at: new Date(now + KEY_LIFE_MS).toISOString(),
})

const putAnswer = preparedByKey((db, given: IdempotencyRow) => {
  const { user_id, key, request_hash, status, response, created_at, expires_at } = given
  const row = { request_hash, status, response, created_at, expires_at }
  return db
    .insertInto('idempotency')
    .values({ user_id, key, ...row })
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doUpdateSet(row))
})

const purgeExpired = preparedByKey((db, given: { until: string }) =>
  db.deleteFrom('idempotency').where(({ eb, refTuple, selectFrom }) => {
    const expired = selectFrom('idempotency')
      .where('expires_at', '<=', given.until)
      .orderBy('expires_at')
      .limit(sql.lit(PURGE_BATCH))
    if (!isPostgres(db)) {
      const ofExpired = expired.select(['user_id', 'key']).$asTuple('user_id', 'key')
      return eb(refTuple('user_id', 'key'), 'in', ofExpired)
    }
    // Another save may be purging them at this moment. An array, because PostgreSQL may run a locking subquery of `in` again
    // for each row, and then deletes more than its limit.
    const places = expired.select(sql`ctid`.as('place')).forUpdate().skipLocked()
    return sql<boolean>`ctid = any(array(${places}))`
  }),
)
