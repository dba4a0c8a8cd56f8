import { createHash, createHmac } from 'node:crypto'
import type { MailRow, UserRow } from '../database/tables.ts'
import type { Database, Deps } from '../deps.ts'
import { deleteWaitingLinks, isWaiting } from '../mail/outbox-rows.ts'
import { replaceInvitations, setInvitationDigest } from '../users/invitation-rows.ts'
import { findUserByEmail } from '../users/user-rows.ts'
import { deleteResetTokens, replaceResetToken } from './reset-token-rows.ts'

/**
 * The token for the link of this mail; the same on every call. Null when the address has no account, or when a newer
 * link is queued.
 */
export function makeResetToken({ db, keys }: Deps, request: MailRow): Promise<string | null> {
  const token = createHmac('sha256', keys.signing[0].reset).update(request.id).digest('base64url')
  return db.transaction().execute(async (db) => {
    const user = await findUserByEmail(db, request.recipient)
    if (user === undefined || !(await isWaiting(db, request.id))) return null
    const digest = digestOf(token)
    if (request.kind === 'invitation') await setInvitationDigest(db, request.id, digest)
    else await replaceInvitations(db, user.id, request.created_at)
    await replaceResetToken(db, {
      digest,
      user_id: user.id,
      created_at: request.created_at,
      expires_at: request.expires_at,
    })
    return token
  })
}

/** Invalidates all links that were sent to this account, and those that are queued or being retried. */
export async function voidResets(
  db: Database,
  { id, email }: Pick<UserRow, 'id' | 'email'>,
): Promise<void> {
  await deleteResetTokens(db, id)
  await deleteWaitingLinks(db, email)
}

/** The stored form of a token. */
export const digestOf = (token: string) => createHash('sha256').update(token).digest('hex')
