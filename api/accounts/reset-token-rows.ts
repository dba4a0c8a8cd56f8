import type { ResetTokenRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'

/** What the holder of a token is told of it. */
export type ResetTokenState = 'valid' | 'used' | 'expired'

/** A newer token voids the older ones. */
export async function replaceResetToken(db: Database, token: ResetTokenRow): Promise<void> {
  await deleteResetTokens(db, token.user_id)
  await db.insertInto('reset_tokens').values(token).execute()
}

/** Those that were used stay until they are purged. */
export async function deleteResetTokens(db: Database, userId: string): Promise<void> {
  await db
    .deleteFrom('reset_tokens')
    .where('user_id', '=', userId)
    .whereRef('expires_at', '>', 'created_at')
    .execute()
}

/** Whose token it is and what it is worth at `now` (ISO); undefined when it is unknown. */
export async function findResetToken(
  db: Database,
  digest: string,
  now: string,
): Promise<{ userId: string; state: ResetTokenState } | undefined> {
  const row = await db
    .selectFrom('reset_tokens')
    .select(['user_id', 'created_at', 'expires_at'])
    .where('digest', '=', digest)
    .executeTakeFirst()
  return row && { userId: row.user_id, state: stateOf(row, now) }
}

type Times = Pick<ResetTokenRow, 'created_at' | 'expires_at'>

function stateOf({ created_at, expires_at }: Times, now: string): ResetTokenState {
  if (expires_at <= created_at) return 'used'
  return expires_at > now ? 'valid' : 'expired'
}

/**
 * Uses the token up: from then on it expires when it was created, which no other token does. Of two at once only one
 * gets the user's id.
 */
export async function consumeResetToken(
  db: Database,
  digest: string,
  now: string,
): Promise<string | undefined> {
  const row = await db
    .updateTable('reset_tokens')
    .set(({ ref }) => ({ expires_at: ref('created_at') }))
    .where('digest', '=', digest)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id
}

/** Forgets tokens that expired before this time (ISO). */
export async function purgeResetTokens(db: Database, before: string): Promise<void> {
  await db.deleteFrom('reset_tokens').where('expires_at', '<', before).execute()
}
