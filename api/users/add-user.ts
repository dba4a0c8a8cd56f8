import type { Role, User } from '../../domain/wire/users.ts'
import { ensureUncommon } from '../accounts/common-passwords.ts'
import { emailTaken } from '../accounts/log-in.ts'
import { recordChange } from '../audit/audit-rows.ts'
import type { UserRow } from '../database/tables.ts'
import type { Database, Deps } from '../deps.ts'
import type { Viewer } from '../http/authenticate.ts'
import { ensureManager } from './managers.ts'
import { findUserByEmail, insertUser, toUser } from './user-rows.ts'

type Person = { name: string; email: string; password: string; role: Role }

/** An account that an admin creates for another user. Throws 400 when the address has an account. */
export async function addUser(deps: Deps, viewer: Viewer, person: Person): Promise<User> {
  const { name, email, password, role } = person
  ensureUncommon(deps.config, password, person)
  if (await findUserByEmail(deps.db, email)) throw emailTaken()
  const passwordHash = await deps.passwords.hash(password)
  const now = deps.clock.now()
  return deps.db.transaction().execute(async (db) => {
    await ensureManager(db, viewer, now)
    const account = { name, email, passwordHash, role }
    return toUser(await keepNewUser(deps, db, { account, by: viewer, now }))
  })
}

type NewAccount = { name: string; email: string; passwordHash: string; role: Role }

/**
 * Writes the account and the entry in the log. Call it in a transaction. Throws 400 when another account has the address
 * since.
 */
export async function keepNewUser(
  deps: Deps,
  db: Database,
  { account, by, now }: { account: NewAccount; by: { id: string }; now: number },
): Promise<UserRow> {
  const createdAt = new Date(now).toISOString()
  const user = await insertUser(db, { id: deps.newId(), ...account, createdAt })
  if (user === undefined) throw emailTaken()
  await recordChange(deps, db, {
    actorId: by.id,
    action: 'user.created',
    subjectId: user.id,
    detail: { role: user.role },
  })
  return user
}
