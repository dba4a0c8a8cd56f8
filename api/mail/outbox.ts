import type { Config } from '../config.ts'
import type { MailKind, MailRow } from '../database/tables.ts'
import type { Database, Deps } from '../deps.ts'
import type { Count } from '../throttle/count-store.ts'
import { type Limit, MAIL, MAIL_OF_ARTICLES, MAIL_UNPROVEN } from '../throttle/limits.ts'
import { findUserByEmail } from '../users/user-rows.ts'
import { forgetBounces, noteBounce } from './bounce-rows.ts'
import { composeMail } from './compose-mail.ts'
import { noteMailFailing, noteMailLeft } from './mail-delivery-rows.ts'
import { type Mail, MailDeferred, MailRefused } from './mailer.ts'
import {
  claimMail,
  deleteMail,
  deleteWaitingLinks,
  insertMail,
  isLink,
  markRefused,
  postponeMail,
} from './outbox-rows.ts'
import { finishArticleMail, isArticleMail, queueArticleMails } from './queue-article-mails.ts'
import { queueMorningMails } from './queue-morning-mails.ts'

/**
 * Outgoing mails. A mail is inserted in the transaction of the change that it reports, and sent after the commit, with
 * retries and backoff while the mail server does not accept it. A mail with a permanent failure is kept for a month
 * without retries. The row contains the kind and the recipient; the text and the token of a link are created on
 * sending.
 */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE
/** Longer than the mail server may take. */
const LEASE_MS = 2 * MINUTE
const PAUSES_MS = [5 * SECOND, 15 * SECOND, 45 * SECOND, 2 * MINUTE, 5 * MINUTE]

/** Interval in which a server looks for due mails. */
export const OUTBOX_INTERVAL_MS = 5 * SECOND

/** Validity of the link of an invitation. */
const INVITATION_DAYS = 7

type QueueDeps = Pick<Deps, 'clock' | 'newId' | 'config'>

/** Milliseconds until a mail expires unsent: a link with its token, a report of a change after a day. */
function lifeOf(kind: MailKind, config: Config): number {
  if (kind === 'reset') return config.resetTokenMinutes * MINUTE
  return kind === 'invitation' ? INVITATION_DAYS * DAY : DAY
}

/**
 * Call it in the transaction of the change, and `deliverMail` after the commit to send without delay. `senderId`: the
 * admin named in an invitation. Returns the queued mail.
 */
export async function queueMail(
  { clock, newId, config }: QueueDeps,
  db: Database,
  kind: MailKind,
  recipient: string,
  senderId: string | null = null,
): Promise<MailRow> {
  const now = clock.now()
  // Only the newest of several links is sent.
  if (isLink(kind)) await deleteWaitingLinks(db, recipient)
  return insertMail(db, {
    id: newId(),
    kind,
    recipient,
    created_at: iso(now),
    expires_at: iso(now + lifeOf(kind, config)),
    sender_id: senderId,
  })
}

/** Queues the mails about articles, and sends everything that is due. */
export async function runOutbox(deps: Deps): Promise<void> {
  await queueArticleMails(deps)
  await queueMorningMails(deps)
  await deliverMail(deps)
}

/** Sends everything that is due, until the server stops. A mail that is not accepted is retried later. */
export async function deliverMail(deps: Deps): Promise<void> {
  while (!deps.isDraining()) {
    const now = deps.clock.now()
    const row = await claimMail(deps.db, iso(now), iso(now + LEASE_MS))
    if (row === undefined) return
    await deliver(deps, row, now)
  }
}

async function deliver(deps: Deps, row: MailRow, now: number): Promise<void> {
  if (Date.parse(row.expires_at) <= now) {
    deps.log.error({ mailId: row.id, kind: row.kind, tries: row.tries - 1 }, 'Mail given up')
    return deleteMail(deps.db, row.id)
  }
  const mail = await composeMail(deps, row)
  if (mail === null) return deleteMail(deps.db, row.id)
  const outcome = await send(deps, row, mail)
  if (outcome === 'sent') return finish(deps, row, mail)
  if (outcome === 'refused') return markRefused(deps.db, row.id, iso(deps.clock.now()))
  const pause = PAUSES_MS[row.tries - 1] ?? PAUSES_MS.at(-1) ?? 0
  await postponeMail(deps.db, row.id, iso(deps.clock.now() + pause))
}

async function finish(deps: Deps, row: MailRow, mail: Mail): Promise<void> {
  if (isArticleMail(row)) await finishArticleMail(deps, row)
  else await deleteMail(deps.db, row.id)
  await forgetBounces(deps.db, mail.to)
  await noteMailLeft(deps.db, iso(deps.clock.now()))
}

/**
 * Whether the address is verified: anyone may register with any address. Invitations and mails to a former address
 * result from an action of an admin, so strangers cannot use up their quota.
 */
async function isProven(db: Database, { kind, recipient }: MailRow): Promise<boolean> {
  if (kind === 'email-changed' || kind === 'invitation') return true
  return (await findUserByEmail(db, recipient))?.is_email_verified === 1
}

/** Each limit leaves room for the mails that it does not count. */
async function limitsOf(db: Database, row: MailRow): Promise<Limit[]> {
  if (row.user_id !== null) return [MAIL_OF_ARTICLES, MAIL]
  return (await isProven(db, row)) ? [MAIL] : [MAIL_UNPROVEN, MAIL]
}

type Outcome = 'sent' | 'not taken' | 'refused'

async function send(deps: Deps, row: MailRow, mail: Mail): Promise<Outcome> {
  const { mailer, throttle, log } = deps
  const limits = await limitsOf(deps.db, row)
  const giveBack = async (some: Limit[]) => {
    for (const limit of some) await throttle.giveBack(limit, 'all')
  }
  let sent: Count | null = null
  for (const [at, limit] of limits.entries()) {
    sent = await throttle.tryTake(limit, 'all')
    if (sent !== null) continue
    await giveBack(limits.slice(0, at))
    log.error({ mailId: row.id, limit: limit.name }, 'Too many mails this hour')
    return 'not taken'
  }
  if (sent?.count === MAIL.most / 2) log.warn({}, 'Half of the mails of an hour are sent')
  try {
    await mailer.send(mail)
    return 'sent'
  } catch (err) {
    await giveBack(limits)
    if (err instanceof MailRefused) {
      log.error({ err, mailId: row.id, kind: row.kind, tries: row.tries }, 'Mail refused for good')
      if (err.isOfAddress) await noteBounce(deps.db, mail.to)
      return 'refused'
    }
    if (!(err instanceof MailDeferred)) await noteMailFailing(deps.db, iso(deps.clock.now()))
    log.warn({ err, mailId: row.id, kind: row.kind, tries: row.tries }, 'Mail not taken')
    return 'not taken'
  }
}

const iso = (time: number) => new Date(time).toISOString()
