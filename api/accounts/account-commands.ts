import { emailSchema } from '../../domain/wire/fields.ts'
import { recordChange } from '../audit/audit-rows.ts'
import { CommandError } from '../commands/command-error.ts'
import type { UserRow } from '../database/tables.ts'
import type { Database, Deps } from '../deps.ts'
import { queueMail } from '../mail/outbox.ts'
import {
  deleteAllRememberedDevices,
  deleteRememberedDevices,
} from '../second-step/remembered-device-rows.ts'
import { deleteSecondStep, hasSecondStep } from '../second-step/second-step-rows.ts'
import { deleteInvitations } from '../users/invitation-rows.ts'
import { findUserByEmail, insertUser, updateUser } from '../users/user-rows.ts'
import { generatePassword } from './generate-password.ts'
import type { PasswordHasher } from './passwords.ts'
import { voidResets } from './reset-token.ts'
import { endAllSessions, endSessions } from './session-rows.ts'

/** Subject id in the audit log for all accounts. */
const EVERYBODY = '*'

/** Account commands of the server's owner. Each returns the text to print. */

export type AccountCommandDeps = Pick<Deps, 'db' | 'clock' | 'newId' | 'config' | 'randomBytes'> & {
  passwords: Pick<PasswordHasher, 'hash'>
}

/** Creates an admin with a generated password, which is shown only once. */
export async function createAdmin(deps: AccountCommandDeps, given: string): Promise<string> {
  const email = addressIn(given)
  const taken = () => new CommandError(`${email} has an account already`)
  if (await findUserByEmail(deps.db, email)) throw taken()
  const password = generatePassword(deps.randomBytes)
  const passwordHash = await deps.passwords.hash(password)
  await deps.db.transaction().execute(async (db) => {
    const createdAt = new Date(deps.clock.now()).toISOString()
    const account = { id: deps.newId(), name: 'Admin', email, passwordHash, createdAt }
    const user = await insertUser(db, { ...account, role: 'admin' })
    if (user === undefined) throw taken()
    const entry = { actorId: null, action: 'user.created', subjectId: user.id } as const
    await recordChange(deps, db, { ...entry, detail: { role: 'admin' } })
  })
  return shownOnce(`${email} is an admin with the password`, password)
}

/** For a user who receives no mail. Ends every session of the account and every link to reset its password. */
export async function givePassword(deps: AccountCommandDeps, given: string): Promise<string> {
  const email = addressIn(given)
  await accountOf(deps.db, email)
  const password = generatePassword(deps.randomBytes)
  const password_hash = await deps.passwords.hash(password)
  await deps.db.transaction().execute(async (db) => {
    const { id } = await accountOf(db, email)
    const updated_at = new Date(deps.clock.now()).toISOString()
    await updateUser(db, id, { password_hash, updated_at })
    await endSessions(db, id)
    await voidResets(db, { id, email })
    await deleteInvitations(db, id)
    await queueMail(deps, db, 'password-changed', email)
    const entry = { actorId: null, action: 'user.changed', subjectId: id } as const
    await recordChange(deps, db, { ...entry, detail: { changed: ['password'] } })
  })
  return shownOnce(`${email} is logged out everywhere and has the new password`, password)
}

/** For a user who lost every second step. */
export async function resetSecondStep(deps: AccountCommandDeps, given: string): Promise<string> {
  const email = addressIn(given)
  return deps.db.transaction().execute(async (db) => {
    const { id } = await accountOf(db, email)
    if (!(await hasSecondStep(db, id))) throw new CommandError(`${email} has no two-step login`)
    await deleteSecondStep(db, id)
    await queueMail(deps, db, 'second-step-removed', email)
    const entry = { actorId: null, action: 'user.second-step-removed', subjectId: id } as const
    await recordChange(deps, db, entry)
    return `${email} can log in with only the password.`
  })
}

/** Takes effect with the next request. */
export function signOut(deps: AccountCommandDeps, given: string): Promise<string> {
  const email = addressIn(given)
  return deps.db.transaction().execute(async (db) => {
    const { id } = await accountOf(db, email)
    await endSessions(db, id)
    await deleteRememberedDevices(db, id)
    await recordChange(deps, db, { actorId: null, action: 'user.signed-out', subjectId: id })
    return `${email} is logged out everywhere.`
  })
}

export function signOutEverybody(deps: AccountCommandDeps): Promise<string> {
  return deps.db.transaction().execute(async (db) => {
    const count = await endAllSessions(db)
    await deleteAllRememberedDevices(db)
    await recordChange(deps, db, { actorId: null, action: 'user.signed-out', subjectId: EVERYBODY })
    return `${count} ${count === 1 ? 'session has' : 'sessions have'} ended.`
  })
}

function addressIn(given: string): string {
  const email = emailSchema.safeParse(given)
  if (!email.success) throw new CommandError(`${given} is not an e-mail address`)
  return email.data
}

async function accountOf(db: Database, email: string): Promise<UserRow> {
  const user = await findUserByEmail(db, email)
  if (user === undefined) throw new CommandError(`There is no account with ${email}`)
  return user
}

const shownOnce = (what: string, password: string) =>
  `${what} ${password}\nIt is shown this once. Please change it after logging in.`
