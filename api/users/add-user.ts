import type { Role, User } from '../../domain/wire/users.ts'
import { ensureUncommon } from '../accounts/common-passwords.ts'
import { emailTaken } from '../accounts/log-in.ts'
import { recordChange } from '../audit/audit-rows.ts'
import type { Deps } from '../deps.ts'
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
    const createdAt = new Date(now).toISOString()
    const user = await insertUser(db, {
      id: deps.newId(),
      name,
      email,
      passwordHash,
      role,
      createdAt,
    })
    if (user === undefined) throw emailTaken()
    await recordChange(deps, db, {
      actorId: viewer.id,
      action: 'user.created',
      subjectId: user.id,
      detail: { role },
    })
    return toUser(user)
  })
}
