import { endSessions } from '../accounts/session-rows.ts'
import { recordChange } from '../audit/audit-rows.ts'
import { touchClient } from '../clients/client-rows.ts'
import type { Database, Deps } from '../deps.ts'
import type { Viewer } from '../http/authenticate.ts'
import { recordEndOfTokens } from '../programs/change-program-tokens.ts'
import { deleteRememberedDevices } from '../second-step/remembered-device-rows.ts'
import { ensureManager, refuseLastAdmin } from './managers.ts'
import { deleteUser, findUser } from './user-rows.ts'

/** Acts on the very next request of that user (PE-15). False when there is no such account. */
export function removeUser(deps: Deps, viewer: Viewer, userId: string): Promise<boolean> {
  const now = deps.clock.now()
  return deps.db.transaction().execute(async (db) => {
    await ensureManager(db, viewer, now)
    const user = await findUser(db, userId)
    if (user === undefined) return false
    await refuseLastAdmin(db, user, 'The last admin cannot be deleted')
    const clientIds = await clientIdsOf(db, userId)
    // The record names the account, so it comes before the deletion.
    await recordChange(deps, db, {
      actorId: viewer.id,
      action: 'user.deleted',
      subjectId: userId,
      detail: { role: user.role },
    })
    await recordEndOfTokens(deps, db, { ownerId: userId, actorId: viewer.id })
    await deleteUser(db, userId)
    for (const clientId of clientIds) await touchClient(db, clientId, now)
    return true
  })
}

/** Ends every session of the account, the viewer's own too, and forgets its devices. False when there is no such account. */
export function signOutEverywhere(deps: Deps, viewer: Viewer, userId: string): Promise<boolean> {
  const now = deps.clock.now()
  return deps.db.transaction().execute(async (db) => {
    await ensureManager(db, viewer, now)
    if ((await findUser(db, userId)) === undefined) return false
    await endSessions(db, userId)
    await deleteRememberedDevices(db, userId)
    await recordChange(deps, db, {
      actorId: viewer.id,
      action: 'user.signed-out',
      subjectId: userId,
    })
    return true
  })
}

async function clientIdsOf(db: Database, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('client_users')
    .select('client_id')
    .where('user_id', '=', userId)
    .execute()
  return rows.map((row) => row.client_id)
}
