import type { Welcome } from '../../domain/wire/invitations.ts'
import { recordChange } from '../audit/audit-rows.ts'
import { clientNamesOf } from '../clients/client-rows.ts'
import type { Database, Deps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { deliverMail, queueMail } from '../mail/outbox.ts'
import { FORGOT_ACCOUNT } from '../throttle/limits.ts'
import { deleteInvitations, findInvitation } from '../users/invitation-rows.ts'
import { findUser, updateUser } from '../users/user-rows.ts'
import { ensureUncommon } from './common-passwords.ts'
import { accountKey } from './login-guard.ts'
import { digestOf, voidResets } from './reset-token.ts'
import { consumeResetToken, findResetToken, type ResetTokenState } from './reset-token-rows.ts'
import { endSessions } from './session-rows.ts'

type LinkState = ResetTokenState | 'replaced'

/** The state is returned only for a token that exists: its holder may learn it, a guess may not. */
const resetFailed = (state?: LinkState) =>
  new ApiError(401, 'Password reset failed', state ? { reason: `link_${state}` } : {})

/**
 * Queues a mail with a reset link to this address. Whether it has an account is looked up when the mail is composed, so
 * that neither the response nor its timing reveals it (Q22).
 */
export async function requestReset(deps: Deps, email: string): Promise<void> {
  const isWelcome = await deps.throttle.tryTake(FORGOT_ACCOUNT, accountKey(email))
  if (isWelcome === null) return
  await deps.db.transaction().execute((db) => queueMail(deps, db, 'reset', email))
  deps.background(() => deliverMail(deps))
}

/** What an invitation says. Throws 401 when its link no longer works. */
export async function readInvitation(deps: Deps, token: string): Promise<Welcome> {
  const { db, clock } = deps
  const digest = digestOf(token)
  const { userId } = await validLink(db, digest, new Date(clock.now()).toISOString())
  const invitation = await findInvitation(db, digest)
  const user = await findUser(db, userId)
  if (invitation === undefined || user === undefined) throw resetFailed()
  const { sender_id: senderId, expires_at: until } = invitation
  const sender = senderId === null ? undefined : await findUser(db, senderId)
  return { name: user.name, email: user.email, sender: sender?.name ?? null, until }
}

/** Throws 401 when the link of this token does not work. `now` is ISO time. */
async function validLink(db: Database, digest: string, now: string): Promise<{ userId: string }> {
  const found = await findResetToken(db, digest, now)
  if (found?.state === 'valid') return found
  if (found !== undefined) throw resetFailed(found.state)
  const invitation = await findInvitation(db, digest)
  throw resetFailed(invitation?.replaced_at ? 'replaced' : undefined)
}

/** Works once per token (Q25). Signs out every device and marks the address, which is returned, as proved (Q24). */
export async function resetPassword(deps: Deps, token: string, password: string): Promise<string> {
  const digest = digestOf(token)
  const now = () => new Date(deps.clock.now()).toISOString()
  const found = await validLink(deps.db, digest, now())
  const user = await findUser(deps.db, found.userId)
  if (user === undefined) throw resetFailed()
  const clients = await clientNamesOf(deps.db, user.id)
  ensureUncommon(deps.config, password, { ...user, clients })
  const passwordHash = await deps.passwords.hash(password)
  await deps.db.transaction().execute(async (db) => {
    const userId = await consumeResetToken(db, digest, now())
    if (userId === undefined) throw resetFailed((await findResetToken(db, digest, now()))?.state)
    await voidResets(db, user)
    await deleteInvitations(db, userId)
    await updateUser(db, userId, {
      password_hash: passwordHash,
      is_email_verified: 1,
      updated_at: now(),
    })
    await endSessions(db, userId)
    await queueMail(deps, db, 'password-changed', user.email)
    const entry = { actorId: userId, action: 'user.changed', subjectId: userId } as const
    await recordChange(deps, db, { ...entry, detail: { changed: ['password'] } })
  })
  deps.background(() => deliverMail(deps))
  deps.log.info({ actorId: user.id }, 'Password reset')
  return user.email
}
