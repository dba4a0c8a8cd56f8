import type { Deps } from '../deps.ts'
import { countAdmins, insertUser } from '../users/user-rows.ts'
import { generatePassword } from './generate-password.ts'

export type FirstAdmin = { email: string; password: string | null }

/**
 * Creates an admin when there is none. Returns the password when it was generated here, to be shown once; null when
 * none was generated.
 */
export async function makeFirstAdmin(deps: Deps, given: FirstAdmin): Promise<string | null> {
  if ((await countAdmins(deps.db)) > 0) return null
  const password = given.password ?? generatePassword(deps.randomBytes)
  const admin = await insertUser(deps.db, {
    id: deps.newId(),
    name: 'Admin',
    email: given.email,
    passwordHash: await deps.passwords.hash(password),
    role: 'admin',
    createdAt: new Date(deps.clock.now()).toISOString(),
  })
  // Another node that started at the same time may have created it.
  if (admin === undefined && (await countAdmins(deps.db)) > 0) return null
  if (admin === undefined) throw new Error(`There is no admin, and ${given.email} is a client user`)
  deps.log.info({ userId: admin.id }, 'First admin made')
  return given.password === null ? password : null
}
