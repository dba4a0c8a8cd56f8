import { isAdmin } from '../../domain/access/permissions.ts'
import type { UserRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'
import { ensureSignedIn, type Viewer } from '../http/authenticate.ts'
import { ApiError, forbidden } from '../http/errors.ts'
import { countAdmins } from './user-rows.ts'

/**
 * Accounts and memberships need the role admin at login and now, so that a former admin gains nothing that lasts (Q58).
 */
export function requireManager(viewer: Pick<Viewer, 'role' | 'currentRole'>): void {
  if (!isAdmin(viewer) || viewer.currentRole !== 'admin') throw forbidden()
}

/** Checks again inside the transaction of a change: the role may have been taken away since the request began. */
export async function ensureManager(db: Database, viewer: Viewer, now: number): Promise<void> {
  const { role, user_role: currentRole } = await ensureSignedIn(db, viewer, now)
  requireManager({ role, currentRole })
}

/** Call it before an admin loses the role or the account: without an admin, none could be added (Q59). */
export async function refuseLastAdmin(db: Database, user: UserRow, message: string): Promise<void> {
  if (user.role !== 'admin' || (await countAdmins(db)) > 1) return
  throw new ApiError(409, message, { reason: 'last_admin' })
}
