import type { SecondStepAsked } from '../../domain/wire/second-step.ts'
import type { Tokens } from '../../domain/wire/users.ts'
import { recordChange } from '../audit/audit-rows.ts'
import { lockOf, write } from '../database/locks.ts'
import type { UserRow } from '../database/tables.ts'
import type { Database, Deps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { dutyOf } from '../second-step/duty.ts'
import { isRemembered } from '../second-step/remembered-device.ts'
import { hasSecondStep } from '../second-step/second-step-rows.ts'
import { giveTicket } from '../second-step/tickets.ts'
import { findUser, findUserByEmail, insertUser, updateUser } from '../users/user-rows.ts'
import { ensureUncommon } from './common-passwords.ts'
import { startSession } from './sessions.ts'

export type SignedIn = {
  /** With the role of the session. */
  user: UserRow
  tokens: Tokens
  /** When the account must have a second step (ISO); missing where it must not, or has one. */
  secondStepDue?: string
}

const incorrect = () => new ApiError(401, 'Incorrect email or password')
export const emailTaken = () => new ApiError(400, 'Email already taken')

/** Null tokens: the password was right, and the second step is needed. */
export type PasswordAccepted = SignedIn | { user: UserRow; tokens: null; asked: SecondStepAsked }

/** An unknown address and a wrong password take the same code path and get the same response. */
export async function logIn(
  deps: Deps,
  { email, password }: { email: string; password: string },
  /** Of the cookies by which this device is remembered. */
  deviceTokens: readonly string[],
): Promise<PasswordAccepted> {
  const known = await findUserByEmail(deps.db, email)
  const stored = known?.password_hash ?? null
  const verdict = await deps.passwords.verify(password, stored)
  if (known === undefined || stored === null || verdict === 'wrong') {
    deps.log.warn({ actorId: known?.id }, 'Login refused')
    throw incorrect()
  }
  const renewed = verdict === 'outdated' ? await deps.passwords.hash(password) : undefined
  return write(deps.db, [lockOf.account(known.id)], async (db) => {
    // Hashing took a while: the account may be gone by now, or have another password.
    const user = await findUser(db, known.id)
    if (user?.password_hash !== stored) throw incorrect()
    if (renewed !== undefined) await updateUser(db, user.id, { password_hash: renewed })
    if (await hasSecondStep(db, user.id)) {
      if (!(await isRemembered(deps, db, user.id, deviceTokens)))
        return { user, tokens: null, asked: await giveTicket(deps, db, user.id, 'log-in') }
      return { user, tokens: await opened(deps, db, user) }
    }
    const due = await dutyOf(deps, db, user)
    if (due === null) return { user, tokens: await opened(deps, db, user) }
    const isOver = due <= deps.clock.now()
    if (isOver) deps.log.warn({ actorId: user.id }, 'Admin without the second step')
    const limited = isOver ? { ...user, role: 'user' as const } : user
    const secondStepDue = new Date(due).toISOString()
    return { user: limited, tokens: await opened(deps, db, limited), secondStepDue }
  })
}

async function opened(deps: Deps, db: Database, user: UserRow): Promise<Tokens> {
  const tokens = await startSession(deps, db, user)
  deps.log.info({ actorId: user.id }, 'Logged in')
  return tokens
}

/** Always a client user; the agency assigns a client later (spec section 6). */
export async function register(
  deps: Deps,
  person: { name: string; email: string; password: string },
): Promise<SignedIn> {
  ensureUncommon(deps.config, person.password, person)
  if (await findUserByEmail(deps.db, person.email)) throw emailTaken()
  const passwordHash = await deps.passwords.hash(person.password)
  return deps.db.transaction().execute(async (db) => {
    const { name, email } = person
    const createdAt = new Date(deps.clock.now()).toISOString()
    const account = {
      id: deps.newId(),
      name,
      email,
      passwordHash,
      role: 'user' as const,
      createdAt,
    }
    const user = await insertUser(db, account)
    if (user === undefined) throw emailTaken()
    const entry = { actorId: user.id, action: 'user.created', subjectId: user.id } as const
    await recordChange(deps, db, { ...entry, detail: { role: 'user' } })
    deps.log.info({ actorId: user.id }, 'Registered')
    return { user, tokens: await startSession(deps, db, user) }
  })
}
