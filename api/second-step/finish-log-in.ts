import type { SecondStepProof } from '../../domain/wire/second-step.ts'
import type { SignedIn } from '../accounts/log-in.ts'
import { digestOf } from '../accounts/reset-token.ts'
import { startSession } from '../accounts/sessions.ts'
import { recordChange } from '../audit/audit-rows.ts'
import { lockOf, write } from '../database/locks.ts'
import type { Deps } from '../deps.ts'
import { deliverMail, queueMail } from '../mail/outbox.ts'
import { findUser } from '../users/user-rows.ts'
import { checkProof } from './check-proof.ts'
import { rememberDevice } from './remembered-device.ts'
import { consumeTicket, tryTicket } from './ticket-rows.ts'
import { ticketOver, wrongProof } from './tickets.ts'

/** The session that a ticket and a second step open, and the token by which the device is remembered. */
export async function finishLogIn(
  deps: Deps,
  userId: string,
  proof: SecondStepProof,
): Promise<SignedIn & { deviceToken: string }> {
  const digest = digestOf(proof.ticket)
  const now = new Date(deps.clock.now()).toISOString()
  const ticket = await tryTicket(deps.db, { digest, userId, purpose: 'log-in' }, now)
  if (ticket === undefined) throw ticketOver()
  const checked = await checkProof(deps, ticket, proof)
  if (checked === null) {
    deps.log.warn({ actorId: userId }, 'Second step refused')
    throw wrongProof()
  }
  const { method } = checked
  const signedIn = await write(deps.db, [lockOf.account(userId)], async (db) => {
    const user = await findUser(db, userId)
    if (user === undefined || !(await consumeTicket(db, digest))) throw ticketOver()
    if (!(await checked.consume(db))) throw wrongProof()
    const entry = { actorId: userId, action: 'user.second-step-used', subjectId: userId } as const
    await recordChange(deps, db, { ...entry, detail: { secondStep: method } })
    if (method === 'recovery-code') await queueMail(deps, db, 'recovery-code-used', user.email)
    const tokens = await startSession(deps, db, user)
    return { user, tokens, deviceToken: await rememberDevice(deps, db, userId) }
  })
  deps.log.info({ actorId: userId, method }, 'Logged in')
  if (method === 'recovery-code') deps.background(() => deliverMail(deps))
  return signedIn
}
