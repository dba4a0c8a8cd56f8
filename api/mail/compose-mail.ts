import { createDates, STANDARD } from '../../domain/calendar/dates.ts'
import { enumerated } from '../../domain/names/enumerated.ts'
import { makeResetToken } from '../accounts/reset-token.ts'
import { clientNamesOf } from '../clients/client-rows.ts'
import type { ArticleMailKind, LinkKind, MailKind, MailRow } from '../database/tables.ts'
import type { Deps } from '../deps.ts'
import { findUser, findUserByEmail } from '../users/user-rows.ts'
import { composeArticleMail } from './article-mail.ts'
import { type MailPart, mailPage, messageIdOf, openOnComputer } from './mail-page.ts'
import type { Mail } from './mailer.ts'
import { composeMorningMail } from './morning-mail.ts'
import { isLink } from './outbox-rows.ts'
import { isArticleMail, isOfReader } from './queue-article-mails.ts'

type Words = {
  subject: string
  title: string
  /** Above the button. */
  before: string[]
  link: { text: string; url: string }
  /** Below it, in small letters. */
  after: string[]
}

/** Null when the mail has no recipient or no longer a reason. */
export async function composeMail(deps: Deps, row: MailRow): Promise<Mail | null> {
  const { kind } = row
  if (kind === 'article' || kind === 'morning') return composeForReader(deps, row)
  if (!isLink(kind)) return written(deps, row, newsWords(deps, kind))
  const token = await makeResetToken(deps, row)
  if (token === null) return null
  const path = kind === 'reset' ? 'reset-password' : 'welcome'
  const url = `${deps.config.publicUrl}/${path}?token=${token}`
  const words = kind === 'reset' ? resetWords(deps, url) : await invitationWords(deps, row, url)
  return written(deps, row, words)
}

async function composeForReader(deps: Deps, row: MailRow): Promise<Mail | null> {
  if (isArticleMail(row)) return composeArticleMail(deps, row)
  return isOfReader(row) ? composeMorningMail(deps, row) : null
}

/**
 * Mails about accounts contain no text entered by strangers: anyone may register any name with any address, and mail programs turn
 * URLs in a name into links. An invitation contains only names entered by admins.
 */
function resetWords({ config }: Deps, url: string): Words {
  const { productName, resetTokenMinutes } = config
  return {
    subject: `Choose a new password for ${productName}`,
    title: 'Choose a new password',
    before: [
      'Hello,',
      `You (or someone else) asked to reset your password for ${productName}. Use this link within ${resetTokenMinutes} minutes:`,
    ],
    link: { text: 'Choose a new password', url },
    after: [
      openOnComputer(config, 'Open the link'),
      'If you didn’t ask for this, you can ignore this mail. Your password stays the same.',
    ],
  }
}

async function invitationWords({ db, config }: Deps, row: MailRow, url: string): Promise<Words> {
  const { productName, agencyName, timeZone } = config
  const { recipient, sender_id: senderId } = row
  const until = createDates(STANDARD, timeZone).dateTime(row.expires_at)
  const sender = senderId === null ? undefined : await findUser(db, senderId)
  const person = await findUserByEmail(db, recipient)
  const clients = person ? await clientNamesOf(db, person.id) : []
  const seen = clients.length === 0 ? '' : ` You will see the articles of ${enumerated(clients)}.`
  return {
    subject: `${sender?.name ?? agencyName} invites you to ${productName}`,
    title: 'You are invited to write',
    before: [
      `${sender ? `${sender.name} of ${agencyName}` : agencyName} created an account for you. Choose a password by ${until}:`,
    ],
    link: { text: 'Choose a password', url },
    after: [
      `After that, log in with ${recipient}.${seen}`,
      openOnComputer(config, 'Open the link'),
      'If you weren’t expecting this, you can ignore this mail.',
    ],
  }
}

type NewsKind = Exclude<MailKind, LinkKind | ArticleMailKind>

/** What of an account changed, and what its owner can do if another person did it. */
const NEWS: Record<NewsKind, { what: string; change: string; advice: string }> = {
  'password-changed': {
    what: 'password',
    change: 'was changed',
    advice: 'If it wasn’t you, choose a new one right away:',
  },
  'email-changed': {
    what: 'e-mail address',
    change: 'was changed',
    advice: 'Mails now go to the new address. If you did not expect this, please ask the agency:',
  },
  'second-step-added': {
    what: 'two-step login',
    change: 'was extended by a passkey or an authenticator app',
    advice: 'If it wasn’t you, ask the agency to remove it, and choose a new password right away:',
  },
  'second-step-removed': {
    what: 'two-step login',
    change: 'was reduced or turned off',
    advice: 'If you did not expect this, ask the agency, and choose a new password right away:',
  },
  'recovery-codes-made': {
    what: 'recovery codes',
    change: 'were replaced by new ones',
    advice:
      'If it wasn’t you, ask the agency to remove them, and choose a new password right away:',
  },
  'recovery-code-used': {
    what: 'recovery codes',
    change: 'have one less: it was used to log in',
    advice: 'If it wasn’t you, choose a new password right away, and ask the agency:',
  },
}

function newsWords({ config }: Deps, kind: NewsKind): Words {
  const { productName, publicUrl } = config
  const { what, change, advice } = NEWS[kind]
  const sentence = `The ${what} of your ${productName} account ${change}`
  return {
    subject: sentence,
    title: `Your ${what} ${change}`,
    before: ['Hello,', `${sentence}.`, advice],
    link:
      kind === 'email-changed'
        ? { text: productName, url: publicUrl }
        : { text: 'Choose a new password', url: `${publicUrl}/forgot-password` },
    after: [openOnComputer(config, 'Open the link')],
  }
}

function written({ config }: Deps, { id, recipient }: MailRow, words: Words): Mail {
  const { subject, title, before, link, after } = words
  const parts: MailPart[] = [
    ...before.map((text) => ({ kind: 'text', text }) as const),
    { kind: 'button', ...link, hasAddress: true },
    ...after.map((text) => ({ kind: 'small', text }) as const),
  ]
  return {
    to: recipient,
    messageId: messageIdOf(config, id),
    ...mailPage(config, { subject, title, preview: null, parts, stop: null }),
  }
}
