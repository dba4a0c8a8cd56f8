import type { ResetTokenRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'

/** A newer token voids the older ones. */
export async function replaceResetToken(db: Database, token: ResetTokenRow): Promise<void> {
  await deleteResetTokens(db, token.user_id)
  await db.insertInto('reset_tokens').values(token).execute()
}

export async function deleteResetTokens(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('reset_tokens').where('user_id', '=', userId).execute()
}

/** Whose token it is; undefined when it is unknown or its time is over at `now` (ISO). */
export async function findResetToken(
  db: Database,
  digest: string,
  now: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('reset_tokens')
    .select('user_id')
    .where('digest', '=', digest)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.user_id
}

/** Uses the token up. Of two at once only one gets the user's id. */
export async function consumeResetToken(
  db: Database,
  digest: string,
  now: string,
): Promise<string | undefined> {
  const row = await db
    .deleteFrom('reset_tokens')
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
