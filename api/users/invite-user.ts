import { recordChange } from '../audit/audit-rows.ts'
import type { Deps } from '../deps.ts'
import type { Viewer } from '../http/authenticate.ts'
import { deliverMail, queueMail } from '../mail/outbox.ts'
import { INVITATION } from '../throttle/limits.ts'
import { ensureManager } from './managers.ts'
import { findUser } from './user-rows.ts'

/**
 * Mails a link to set a password and invalidates earlier links. The current password remains valid. Returns false when
 * there is no such account.
 */
export async function inviteUser(deps: Deps, viewer: Viewer, userId: string): Promise<boolean> {
  if ((await findUser(deps.db, userId)) === undefined) return false
  await deps.throttle.take(INVITATION, userId)
  const isQueued = await deps.db.transaction().execute(async (db) => {
    await ensureManager(db, viewer, deps.clock.now())
    const user = await findUser(db, userId)
    if (user === undefined) return false
    await queueMail(deps, db, 'invitation', user.email, viewer.id)
    const entry = { actorId: viewer.id, action: 'user.invited', subjectId: userId } as const
    await recordChange(deps, db, entry)
    return true
  })
  deps.background(() => deliverMail(deps))
  return isQueued
}
