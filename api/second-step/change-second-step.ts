import type * as z from 'zod'
import type {
  AppSecret,
  PasskeyCreation,
  passkeyBody,
  SecondStep,
  SecondStepAsked,
  SecondStepMethod,
  SecondStepProof,
} from '../../domain/wire/second-step.ts'
import { digestOf } from '../accounts/reset-token.ts'
import { recordChange } from '../audit/audit-rows.ts'
import { lockOf, write } from '../database/locks.ts'
import type { SecondStepMailKind, UserRow } from '../database/tables.ts'
import type { Database, Deps } from '../deps.ts'
import { ensureSignedIn, type Viewer } from '../http/authenticate.ts'
import { ApiError, unauthenticated } from '../http/errors.ts'
import { deliverMail, queueMail } from '../mail/outbox.ts'
import { ensureManager } from '../users/managers.ts'
import { findUser } from '../users/user-rows.ts'
import {
  appAddress,
  newAppSecret,
  openSecret,
  sealSecret,
  stepOfCode,
} from './authenticator-app.ts'
import { withProof } from './check-proof.ts'
import { creationOptions, readNewPasskey } from './passkeys.ts'
import { newRecoveryCodes, plainCode, recoveryDigest } from './recovery-codes.ts'
import { rememberDevice } from './remembered-device.ts'
import {
  confirmApp,
  consumeStep,
  countRecoveryCodes,
  deleteApp,
  deletePasskey,
  deleteSecondStep,
  findApp,
  hasSecondStep,
  insertApp,
  insertPasskey,
  listPasskeys,
  replaceRecoveryCodes,
} from './second-step-rows.ts'
import { consumeTicket, tryTicket } from './ticket-rows.ts'
import { giveTicket, storeTicket, ticketOver, wrongProof } from './tickets.ts'

const nothingToProve = () => new ApiError(409, 'This account has no second step')

export async function readSecondStep(db: Database, userId: string): Promise<SecondStep> {
  const app = await findApp(db, userId)
  const passkeys = await listPasskeys(db, userId)
  return {
    appAddedAt: app?.confirmed_at ?? null,
    passkeys: passkeys.map(({ id, name, created_at: addedAt, used_at: usedAt }) => ({
      id,
      name,
      addedAt,
      usedAt,
    })),
    recoveryCodesLeft: await countRecoveryCodes(db, userId),
  }
}

/** Throws 403 for another password than that of the account. */
export async function confirmPassword(
  deps: Deps,
  viewer: Viewer,
  password: string,
): Promise<UserRow> {
  const user = await findUser(deps.db, viewer.id)
  if (user === undefined) throw unauthenticated()
  const verdict = await deps.passwords.verify(password, user.password_hash)
  if (verdict !== 'wrong') return user
  deps.log.warn({ actorId: user.id }, 'Password refused')
  throw new ApiError(403, 'This is not your current password', { reason: 'wrong_password' })
}

/** A new secret for an authenticator app, which becomes a second step with its first code. */
export async function beginApp(deps: Deps, { id, email }: UserRow): Promise<AppSecret> {
  const secret = newAppSecret(deps)
  const isNew = await insertApp(deps.db, {
    user_id: id,
    secret: await sealSecret(deps, id, secret),
    last_step: 0,
    created_at: isoNow(deps),
    confirmed_at: null,
  })
  if (!isNew) throw new ApiError(409, 'This account has an authenticator app already')
  return { secret, address: appAddress(deps.config.productName, email, secret) }
}

/** What the person is shown once, and the token by which the device is remembered. */
export type Added = { recoveryCodes: string[] | null; deviceToken: string; email: string }

export async function confirmNewApp(deps: Deps, viewer: Viewer, typed: string): Promise<Added> {
  const app = await findApp(deps.db, viewer.id)
  if (app === undefined || app.confirmed_at !== null)
    throw new ApiError(409, 'There is no new authenticator app to confirm')
  const secret = await openSecret(deps, viewer.id, app.secret)
  const code = plainCode(typed)
  const isCode = secret !== null && /^\d{6}$/.test(code)
  const step = isCode ? stepOfCode(deps, secret, app.last_step, code) : null
  if (step === null) throw wrongProof()
  return added(deps, viewer, 'app', async (db) => {
    if (!(await consumeStep(db, viewer.id, step))) throw wrongProof()
    await confirmApp(db, viewer.id, isoNow(deps))
  })
}

/** A challenge for a new passkey. */
export async function beginPasskey(deps: Deps, user: UserRow): Promise<PasskeyCreation> {
  const options = { ...(await creationOptions(deps, user, await listPasskeys(deps.db, user.id))) }
  const { challenge } = options
  const purpose = 'add-passkey'
  const { ticket } = await storeTicket(deps, deps.db, { user_id: user.id, purpose, challenge })
  return { ticket, options }
}

export async function addPasskey(
  deps: Deps,
  viewer: Viewer,
  { ticket: token, name, response }: z.infer<typeof passkeyBody>,
): Promise<Added> {
  const digest = digestOf(token)
  const purpose = 'add-passkey'
  const ticket = await tryTicket(deps.db, { digest, userId: viewer.id, purpose }, isoNow(deps))
  if (ticket === undefined) throw ticketOver()
  const passkey = await readNewPasskey(deps, ticket.challenge ?? '', response)
  if (passkey === null) throw wrongProof()
  return added(deps, viewer, 'passkey', async (db) => {
    if (!(await consumeTicket(db, digest))) throw ticketOver()
    const row = { ...passkey, user_id: viewer.id, name, created_at: isoNow(deps), used_at: null }
    if (!(await insertPasskey(db, row)))
      throw new ApiError(409, 'This passkey belongs to an account already')
  })
}

/** Records a new second step; the first one comes with recovery codes. */
async function added(
  deps: Deps,
  viewer: Viewer,
  method: SecondStepMethod,
  add: (db: Database) => Promise<void>,
): Promise<Added> {
  const result = await write(deps.db, [lockOf.account(viewer.id)], async (db) => {
    const user = await signedInUser(deps, db, viewer)
    await add(db)
    const hasCodes = (await countRecoveryCodes(db, user.id)) > 0
    const recoveryCodes = hasCodes ? null : await makeRecoveryCodes(deps, db, user.id)
    await report(deps, db, user, { viewer, change: 'second-step-added', method })
    const deviceToken = await rememberDevice(deps, db, user.id)
    return { recoveryCodes, deviceToken, email: user.email }
  })
  deps.background(() => deliverMail(deps))
  return result
}

/** What a person has to prove before the second step is changed. */
export async function askForProof(deps: Deps, viewer: Viewer): Promise<SecondStepAsked> {
  if (!(await hasSecondStep(deps.db, viewer.id))) throw nothingToProve()
  return giveTicket(deps, deps.db, viewer.id, 'change')
}

/** Ten new codes in place of those before. */
export function renewRecoveryCodes(
  deps: Deps,
  viewer: Viewer,
  proof: SecondStepProof,
): Promise<string[]> {
  return proved(deps, viewer, proof, async (db, user) => {
    const codes = await makeRecoveryCodes(deps, db, user.id)
    await report(deps, db, user, { viewer, change: 'recovery-codes-made' })
    return codes
  })
}

/** Removes the app, or a passkey by its id. With the last of them everything of the second step goes. */
export function removeSecondStep(
  deps: Deps,
  viewer: Viewer,
  { what, ...proof }: SecondStepProof & { what: string },
): Promise<void> {
  return proved(deps, viewer, proof, async (db, user) => {
    const isApp = what === 'app'
    const isRemoved = isApp ? await deleteApp(db, user.id) : await deletePasskey(db, user.id, what)
    if (!isRemoved) throw new ApiError(404, 'This account has no such second step')
    if (!(await hasSecondStep(db, user.id))) await deleteSecondStep(db, user.id)
    await report(deps, db, user, {
      viewer,
      change: 'second-step-removed',
      method: isApp ? 'app' : 'passkey',
    })
  })
}

/** By an admin, for an account of another person. False where there is no such account. */
export async function removeSecondStepOf(
  deps: Deps,
  viewer: Viewer,
  userId: string,
): Promise<boolean> {
  const isThere = await deps.db.transaction().execute(async (db) => {
    await ensureManager(db, viewer, deps.clock.now())
    const user = await findUser(db, userId)
    if (user === undefined) return false
    if (!(await hasSecondStep(db, userId))) throw nothingToProve()
    await deleteSecondStep(db, userId)
    await report(deps, db, user, { viewer, change: 'second-step-removed' })
    return true
  })
  deps.background(() => deliverMail(deps))
  return isThere
}

async function proved<T>(
  deps: Deps,
  viewer: Viewer,
  proof: SecondStepProof,
  change: (db: Database, user: UserRow) => Promise<T>,
): Promise<T> {
  const asked = { userId: viewer.id, purpose: 'change' } as const
  const result = await withProof(deps, asked, proof, async (db) =>
    change(db, await signedInUser(deps, db, viewer)),
  )
  deps.background(() => deliverMail(deps))
  return result
}

async function signedInUser(deps: Deps, db: Database, viewer: Viewer): Promise<UserRow> {
  await ensureSignedIn(db, viewer, deps.clock.now())
  const user = await findUser(db, viewer.id)
  if (user === undefined) throw unauthenticated()
  return user
}

async function makeRecoveryCodes(deps: Deps, db: Database, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes(deps)
  const digests = codes.map((code) => recoveryDigest(deps, plainCode(code)))
  await replaceRecoveryCodes(db, userId, digests)
  return codes
}

type Change = {
  viewer: Viewer
  change: Exclude<SecondStepMailKind, 'recovery-code-used'>
  method?: SecondStepMethod
}

/** A line in the log and a mail to the person, in the transaction of the change. */
async function report(
  deps: Deps,
  db: Database,
  { id, email }: UserRow,
  { viewer, change, method }: Change,
): Promise<void> {
  await queueMail(deps, db, change, email)
  await recordChange(deps, db, {
    actorId: viewer.id,
    action: `user.${change}`,
    subjectId: id,
    ...(method && { detail: { secondStep: method } }),
  })
}

const isoNow = ({ clock }: Pick<Deps, 'clock'>) => new Date(clock.now()).toISOString()
