import { deleteResetTokens } from '../accounts/reset-token-rows.ts'
import { recordChange } from '../audit/audit-rows.ts'
import type { UserRow } from '../database/tables.ts'
import type { Database, Deps } from '../deps.ts'
import type { Viewer } from '../http/authenticate.ts'
import { deliverMail, queueMail } from '../mail/outbox.ts'
import { INVITATION, INVITATIONS } from '../throttle/limits.ts'
import { insertInvitation, replaceInvitations } from './invitation-rows.ts'
import { ensureManager } from './managers.ts'
import { findUser } from './user-rows.ts'

/**
 * Mails a link to set a password and invalidates earlier links. The current password remains valid. Returns false when
 * there is no such account.
 */
export async function inviteUser(deps: Deps, viewer: Viewer, userId: string): Promise<boolean> {
  if ((await findUser(deps.db, userId)) === undefined) return false
  await deps.throttle.take(INVITATION, userId)
  await deps.throttle.take(INVITATIONS, 'all')
  const isQueued = await deps.db.transaction().execute(async (db) => {
    await ensureManager(db, viewer, deps.clock.now())
    const user = await findUser(db, userId)
    if (user === undefined) return false
    await queueInvitation(deps, db, { user, senderId: viewer.id })
    return true
  })
  deps.background(() => deliverMail(deps))
  return isQueued
}

/** Queues the mail. Call it in a transaction, and `deliverMail` after the commit. */
export async function queueInvitation(
  deps: Deps,
  db: Database,
  { user, senderId }: { user: Pick<UserRow, 'id' | 'email'>; senderId: string },
): Promise<void> {
  const mail = await queueMail(deps, db, 'invitation', user.email, senderId)
  const { id, created_at, expires_at } = mail
  await deleteResetTokens(db, user.id)
  await replaceInvitations(db, user.id, created_at)
  await insertInvitation(db, {
    mail_id: id,
    user_id: user.id,
    sender_id: senderId,
    digest: null,
    created_at,
    expires_at,
    replaced_at: null,
  })
  await recordChange(deps, db, {
    actorId: senderId,
    action: 'user.invited',
    subjectId: user.id,
  })
}
