import type { SecondStepMethod, SecondStepProof } from '../../domain/wire/second-step.ts'
import { digestOf } from '../accounts/reset-token.ts'
import { lockOf, write } from '../database/locks.ts'
import type { TicketPurpose, TicketRow } from '../database/tables.ts'
import type { Database, Deps } from '../deps.ts'
import { openSecret, stepOfCode } from './authenticator-app.ts'
import { readUse } from './passkeys.ts'
import { plainCode, recoveryDigest } from './recovery-codes.ts'
import {
  consumeRecoveryCode,
  consumeStep,
  findApp,
  isRecoveryCode,
  listPasskeys,
  recordUse,
} from './second-step-rows.ts'
import { consumeTicket, tryTicket } from './ticket-rows.ts'
import { ticketOver, wrongProof } from './tickets.ts'

/**
 * Uses up the ticket and the proof, and makes the change that they are for, in one transaction. Throws 403 where one of them
 * is not right, or another request used it up first.
 */
export async function withProof<T>(
  deps: Deps,
  { userId, purpose }: { userId: string; purpose: TicketPurpose },
  proof: SecondStepProof,
  change: (db: Database, method: SecondStepMethod) => Promise<T>,
): Promise<T> {
  const digest = digestOf(proof.ticket)
  const now = new Date(deps.clock.now()).toISOString()
  const ticket = await tryTicket(deps.db, { digest, userId, purpose }, now)
  if (ticket === undefined) throw ticketOver()
  const checked = await checkProof(deps, ticket, proof)
  if (checked === null) {
    deps.log.warn({ actorId: userId }, 'Second step refused')
    throw wrongProof()
  }
  return write(deps.db, [lockOf.account(userId)], async (db) => {
    if (!(await consumeTicket(db, digest))) throw ticketOver()
    if (!(await checked.consume(db))) throw wrongProof()
    return change(db, checked.method)
  })
}

/** A right proof. `consume` returns false where another request used it up first. */
type CheckedProof = {
  method: SecondStepMethod
  consume(db: Database): Promise<boolean>
}

/** Null for a wrong proof. Nothing is changed before `consume`. */
function checkProof(
  deps: Deps,
  { user_id: userId, challenge }: TicketRow,
  { code = '', passkey }: SecondStepProof,
): Promise<CheckedProof | null> {
  if (passkey !== undefined) return checkPasskey(deps, userId, challenge, passkey)
  const plain = plainCode(code)
  return /^\d{6}$/.test(plain)
    ? checkAppCode(deps, userId, plain)
    : checkRecoveryCode(deps, userId, plain)
}

async function checkPasskey(
  deps: Deps,
  userId: string,
  challenge: string | null,
  response: Record<string, unknown>,
): Promise<CheckedProof | null> {
  const passkeys = await listPasskeys(deps.db, userId)
  const passkey = passkeys.find(({ id }) => id === response.id)
  if (passkey === undefined || challenge === null) return null
  const counter = await readUse(deps, passkey, challenge, response)
  if (counter === null) return null
  const use = { counter: String(counter), used_at: new Date(deps.clock.now()).toISOString() }
  return { method: 'passkey', consume: (db) => recordUse(db, passkey, use) }
}

async function checkAppCode(
  deps: Deps,
  userId: string,
  code: string,
): Promise<CheckedProof | null> {
  const app = await findApp(deps.db, userId)
  if (app === undefined || app.confirmed_at === null) return null
  const secret = await openSecret(deps, userId, app.secret)
  if (secret === null) {
    deps.log.error({ userId }, 'The secret of an authenticator app cannot be read with this pepper')
    return null
  }
  const step = stepOfCode(deps, secret, app.last_step, code)
  if (step === null) return null
  return { method: 'app', consume: (db) => consumeStep(db, userId, step) }
}

async function checkRecoveryCode(
  deps: Deps,
  userId: string,
  code: string,
): Promise<CheckedProof | null> {
  const digest = recoveryDigest(deps, code)
  if (!(await isRecoveryCode(deps.db, userId, digest))) return null
  return { method: 'recovery-code', consume: (db) => consumeRecoveryCode(db, userId, digest) }
}
