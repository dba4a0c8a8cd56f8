import type { SecondStepAsked } from '../../domain/wire/second-step.ts'
import { WRONG_CODE } from '../accounts/login-guard.ts'
import { digestOf } from '../accounts/reset-token.ts'
import type { TicketPurpose, TicketRow } from '../database/tables.ts'
import type { Database, Deps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { requestOptions } from './passkeys.ts'
import { findApp, listPasskeys } from './second-step-rows.ts'
import { insertTicket } from './ticket-rows.ts'

const LIFE_MS = 5 * 60 * 1000
const TICKET_BYTES = 32

type TicketDeps = Pick<Deps, 'clock' | 'randomBytes' | 'config'>

/** Gives a ticket for this purpose, with what the second step can be. */
export async function giveTicket(
  deps: TicketDeps,
  db: Database,
  userId: string,
  purpose: TicketPurpose,
): Promise<SecondStepAsked> {
  const app = await findApp(db, userId)
  const passkeys = await listPasskeys(db, userId)
  const passkey = passkeys.length === 0 ? null : { ...(await requestOptions(deps, passkeys)) }
  const challenge = passkey?.challenge ?? null
  const given = await storeTicket(deps, db, { user_id: userId, purpose, challenge })
  return { ...given, app: app !== undefined && app.confirmed_at !== null, passkey }
}

/** A random ticket, of which the database has the digest. */
export async function storeTicket(
  { clock, randomBytes }: TicketDeps,
  db: Database,
  ticket: Pick<TicketRow, 'user_id' | 'purpose' | 'challenge'>,
): Promise<{ ticket: string; expires: string }> {
  const token = Buffer.from(randomBytes(TICKET_BYTES)).toString('base64url')
  const expires = new Date(clock.now() + LIFE_MS).toISOString()
  await insertTicket(db, { ...ticket, digest: digestOf(token), tries: 0, expires_at: expires })
  return { ticket: token, expires }
}

/** Pages of releases before it show the message, and other programs too. */
export const secondStepNeeded = (asked: SecondStepAsked) =>
  new ApiError(
    403,
    'This account has two-step login. Reload the page, or update your app, to enter the second step.',
    { reason: 'second_step', secondStep: JSON.stringify(asked) },
  )

export const wrongProof = () =>
  new ApiError(403, 'This code is wrong, was used before, or has expired', { reason: WRONG_CODE })

export const ticketOver = () =>
  new ApiError(403, 'This took too long, or too many tries. Please enter your password again.', {
    reason: 'ticket_over',
  })
