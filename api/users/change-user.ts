import { foldName } from '../../domain/names/folded-name.ts'
import type { User, UserPatch } from '../../domain/wire/users.ts'
import { ensureUncommon } from '../accounts/common-passwords.ts'
import { emailTaken } from '../accounts/log-in.ts'
import { voidResets } from '../accounts/reset-token.ts'
import { endSessions } from '../accounts/session-rows.ts'
import { recordChange } from '../audit/audit-rows.ts'
import { clientNamesOf } from '../clients/client-rows.ts'
import type { UserRow } from '../database/tables.ts'
import type { Database, Deps } from '../deps.ts'
import { ensureSignedIn, type Viewer } from '../http/authenticate.ts'
import { deliverMail, queueMail } from '../mail/outbox.ts'
import { deleteInvitations, expireInvitations } from './invitation-rows.ts'
import { ensureManager, refuseLastAdmin } from './managers.ts'
import { findUser, findUserByEmail, toUser, updateUser } from './user-rows.ts'

/**
 * All of the changes or none. A new password ends every other session and an address change voids its proof; both void
 * reset links, and both are mailed to the previous address. Undefined when there is no such user.
 */
export async function changeUser(
  deps: Deps,
  viewer: Viewer,
  userId: string,
  changes: UserPatch,
): Promise<User | undefined> {
  const before = await findUser(deps.db, userId)
  if (before === undefined) return undefined
  const passwordHash = await newHash(deps, before, changes)
  const now = deps.clock.now()
  const after = await deps.db.transaction().execute(async (db) => {
    if (isOwnPassword(viewer, userId, changes)) await ensureSignedIn(db, viewer, now)
    else await ensureManager(db, viewer, now)
    const user = await findUser(db, userId)
    if (user === undefined) return undefined
    const changed = changedFields(user, changes)
    if (changed.length === 0) return user
    await refuseConflicts(db, user, changes)
    await updateUser(
      db,
      userId,
      columnsOf(user, changes, passwordHash, new Date(now).toISOString()),
    )
    if (passwordHash !== undefined) await endOtherSessions(db, viewer, userId)
    if (passwordHash !== undefined || isMoving(user, changes)) await voidResets(db, user)
    if (passwordHash !== undefined) await deleteInvitations(db, userId)
    else if (isMoving(user, changes))
      await expireInvitations(db, userId, new Date(now).toISOString())
    if (passwordHash !== undefined) await queueMail(deps, db, 'password-changed', user.email)
    if (isMoving(user, changes)) await queueMail(deps, db, 'email-changed', user.email)
    await recordChange(deps, db, {
      actorId: viewer.id,
      action: 'user.changed',
      subjectId: userId,
      detail: {
        changed,
        ...(changed.includes('name') && { formerName: user.name }),
        ...(changes.role !== undefined && { role: changes.role }),
      },
    })
    return findUser(db, userId)
  })
  if (after === undefined) return undefined
  deps.log.info({ actorId: viewer.id, userId, changed: Object.keys(changes) }, 'User changed')
  deps.background(() => deliverMail(deps))
  return toUser(after)
}

/** The account itself may send its password and nothing else (Q28). */
export function isOwnPassword(viewer: Viewer, userId: string, changes: UserPatch): boolean {
  return viewer.id === userId && Object.keys(changes).every((key) => key === 'password')
}

/** A password always counts as another one. */
function changedFields(user: UserRow, { password, ...changes }: UserPatch): string[] {
  const keys = Object.keys(changes) as (keyof typeof changes)[]
  const changed: string[] = keys.filter((key) => changes[key] !== user[key])
  return password === undefined ? changed : [...changed, 'password']
}

async function newHash(
  { db, config, passwords }: Deps,
  user: UserRow,
  { password, name, email }: UserPatch,
): Promise<string | undefined> {
  if (password === undefined) return undefined
  const clients = await clientNamesOf(db, user.id)
  const account = { name: name ?? user.name, email: email ?? user.email, clients }
  ensureUncommon(config, password, account)
  return passwords.hash(password)
}

async function refuseConflicts(db: Database, user: UserRow, changes: UserPatch): Promise<void> {
  if (isMoving(user, changes) && (await findUserByEmail(db, changes.email))) throw emailTaken()
  if (changes.role === 'user') await refuseLastAdmin(db, user, 'The last admin must stay an admin')
}

function isMoving(user: UserRow, changes: UserPatch): changes is { email: string } {
  return changes.email !== undefined && changes.email !== user.email
}

function columnsOf(
  user: UserRow,
  changes: UserPatch,
  passwordHash: string | undefined,
  now: string,
): Partial<UserRow> {
  const { name, role } = changes
  return {
    updated_at: now,
    ...(name !== undefined && { name, name_folded: foldName(name) }),
    ...(role !== undefined && { role }),
    ...(isMoving(user, changes) && { email: changes.email, is_email_verified: 0 as const }),
    ...(passwordHash !== undefined && { password_hash: passwordHash }),
  }
}

/** Keeps the current session when the account is the caller's own (Q28). */
function endOtherSessions(db: Database, viewer: Viewer, userId: string): Promise<void> {
  return endSessions(db, userId, viewer.id === userId ? viewer.sessionId : undefined)
}
