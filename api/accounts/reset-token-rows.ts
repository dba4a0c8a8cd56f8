import type { ResetTokenRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'

/** State of a reset token, returned to the client that presents it. */
export type ResetTokenState = 'valid' | 'used' | 'expired'

/** A newer token voids the older ones. */
export async function replaceResetToken(db: Database, token: ResetTokenRow): Promise<void> {
  await deleteResetTokens(db, token.user_id)
  await db.insertInto('reset_tokens').values(token).execute()
}

/** Deletes unused tokens. Used ones stay until they are purged, so that their links get a reason. */
export async function deleteResetTokens(db: Database, userId: string): Promise<void> {
  await db
    .deleteFrom('reset_tokens')
    .where('user_id', '=', userId)
    .whereRef('expires_at', '>', 'created_at')
    .execute()
}

/** Owner and state of the token at `now` (ISO time). Undefined for an unknown token. */
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
 * Marks the token as used by setting `expires_at` to `created_at`, which no unused token has. Returns the user's id to
 * one of two concurrent calls, and undefined to the other.
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
