import type { SecondStepProof } from '../../domain/wire/second-step.ts'
import type { SignedIn } from '../accounts/log-in.ts'
import { startSession } from '../accounts/sessions.ts'
import { recordChange } from '../audit/audit-rows.ts'
import type { Deps } from '../deps.ts'
import { deliverMail, queueMail } from '../mail/outbox.ts'
import { findUser } from '../users/user-rows.ts'
import { withProof } from './check-proof.ts'
import { rememberDevice } from './remembered-device.ts'
import { ticketOver } from './tickets.ts'

/** The session that a ticket and a second step open, and the token by which the device is remembered. */
export async function finishLogIn(
  deps: Deps,
  userId: string,
  proof: SecondStepProof,
): Promise<SignedIn & { deviceToken: string }> {
  const { method, ...signedIn } = await withProof(
    deps,
    { userId, purpose: 'log-in' },
    proof,
    async (db, method) => {
      const user = await findUser(db, userId)
      if (user === undefined) throw ticketOver()
      const entry = { actorId: userId, action: 'user.second-step-used', subjectId: userId } as const
      await recordChange(deps, db, { ...entry, detail: { secondStep: method } })
      if (method === 'recovery-code') await queueMail(deps, db, 'recovery-code-used', user.email)
      const tokens = await startSession(deps, db, user)
      return { method, user, tokens, deviceToken: await rememberDevice(deps, db, userId) }
    },
  )
  deps.log.info({ actorId: userId, method }, 'Logged in')
  if (method === 'recovery-code') deps.background(() => deliverMail(deps))
  return signedIn
}
