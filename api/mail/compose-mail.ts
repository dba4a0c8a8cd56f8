import { createDates, STANDARD } from '../../domain/calendar/dates.ts'
import { makeResetToken } from '../accounts/reset-token.ts'
import { clientNamesOf } from '../clients/client-rows.ts'
import type { LinkKind, MailKind, MailRow } from '../database/tables.ts'
import type { Deps } from '../deps.ts'
import { findUser, findUserByEmail } from '../users/user-rows.ts'
import { MAIL_LOGO } from './mail-logo.ts'
import type { Mail } from './mailer.ts'
import { isLink } from './outbox-rows.ts'

/** Validity of the link of an invitation. */
export const INVITATION_DAYS = 7

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
  const { kind, recipient } = row
  if (!isLink(kind)) return written(deps, recipient, newsWords(deps, kind))
  const token = await makeResetToken(deps, row)
  if (token === null) return null
  const path = kind === 'reset' ? 'reset-password' : 'welcome'
  const url = `${deps.config.publicUrl}/${path}?token=${token}`
  const words = kind === 'reset' ? resetWords(deps, url) : await invitationWords(deps, row, url)
  return written(deps, recipient, words)
}

/**
 * Mails contain no text entered by strangers: anyone may register any name with any address, and mail programs turn
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
    after: ['If you didn’t ask for this, you can ignore this mail. Your password stays the same.'],
  }
}

async function invitationWords({ db, config }: Deps, row: MailRow, url: string): Promise<Words> {
  const { productName, agencyName, timeZone } = config
  const { recipient, sender_id: senderId } = row
  const until = createDates(STANDARD, timeZone).dateTime(row.expires_at)
  const sender = senderId === null ? undefined : await findUser(db, senderId)
  const person = await findUserByEmail(db, recipient)
  const clients = person ? await clientNamesOf(db, person.id) : []
  const seen = clients.length === 0 ? '' : ` You will see the articles of ${listed(clients)}.`
  return {
    subject: `${sender?.name ?? agencyName} invites you to ${productName}`,
    title: 'You are invited to write',
    before: [
      `${sender ? `${sender.name} of ${agencyName}` : agencyName} created an account for you. Choose a password by ${until}:`,
    ],
    link: { text: 'Choose a password', url },
    after: [
      `After that, log in with ${recipient}.${seen}`,
      'If you weren’t expecting this, you can ignore this mail.',
    ],
  }
}

const listed = (names: string[]) => new Intl.ListFormat('en-GB').format(names)

type NewsKind = Exclude<MailKind, LinkKind>

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
    after: [],
  }
}

/** Plain text and HTML with the same content. The logo is attached, so that nothing is fetched. */
function written({ config }: Deps, to: string, words: Words): Mail {
  const { productName, agencyName, supportEmail } = config
  const { subject, before, link } = words
  const after = [
    `Open the link on a computer: ${productName} needs a window at least ${LEAST_WIDTH} pixels wide.`,
    ...words.after,
  ]
  const agency = `Powered by ${agencyName}.`
  const foot = supportEmail === '' ? agency : `${agency} Questions? Write to ${supportEmail}.`
  return {
    to,
    subject,
    text: [...before, link.url, ...after, foot].join('\n\n'),
    html: page({ ...words, after, productName, agency, supportEmail }),
    attachments: [LOGO],
  }
}

const LEAST_WIDTH = 1280

const LOGO = {
  filename: 'logo.png',
  cid: 'logo',
  contentType: 'image/png',
  contentDisposition: 'inline',
  content: Buffer.from(MAIL_LOGO, 'base64'),
} as const

const SERIF = 'font-family:Literata,Georgia,serif'
const SANS = "font-family:'Hanken Grotesk',system-ui,Arial,sans-serif"
const STYLES = {
  body: 'margin:0;padding:0;background:#f0f2ef',
  card: 'width:100%;max-width:560px;border:1px solid #d3d9d5;border-radius:10px;border-collapse:separate;background:#fefefc',
  head: 'padding:21px 36px 20px;border-bottom:1px solid #e4e8e4',
  logo: 'display:block;border:0;border-radius:6px;background:#fefefc',
  product: `padding-left:10px;${SERIF};font-size:20px;line-height:26px;font-weight:500;color:#18211f`,
  words: 'padding:30px 36px 24px',
  title: `margin:0 0 14px;${SERIF};font-size:26px;line-height:32px;font-weight:500;color:#18211f`,
  text: `margin:0 0 14px;${SANS};font-size:16px;line-height:25px;color:#18211f`,
  button: `display:inline-block;padding:12px 24px;border-radius:6px;background:#1f555c;${SANS};font-size:16px;line-height:20px;font-weight:600;color:#fefefc;text-decoration:none`,
  small: `margin:0 0 10px;${SANS};font-size:14px;line-height:21px;color:#4a5653`,
  anchor: 'color:#1f555c',
  address: 'color:#1f555c;overflow-wrap:anywhere;word-break:break-all',
  foot: `padding:18px 36px;border-top:1px solid #e4e8e4;${SANS};font-size:13px;line-height:19px;color:#63706c`,
}

/** In a narrow window the card takes the width. */
const NARROW =
  '@media (max-width:599px){.ground{padding:0!important}.card{border:0!important;border-radius:0!important}.part{padding-left:20px!important;padding-right:20px!important}}'
const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'

type PageWords = Words & { productName: string; agency: string; supportEmail: string }

/** Tables and inline styles: mail programs support little else. */
function page(words: PageWords): string {
  const { subject, title, before, link, after, productName, agency, supportEmail } = words
  const url = escaped(link.url)
  const lines = (texts: string[], style: string) =>
    texts.map((text) => `<p style="${style}">${escaped(text)}</p>`)
  const support = escaped(supportEmail)
  const questions = ` Questions? Write to <a style="${STYLES.anchor}" href="mailto:${support}">${support}</a>.`
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${escaped(subject)}</title><style>${NARROW}</style></head>`,
    `<body style="${STYLES.body}"><table ${TABLE} width="100%" bgcolor="#f0f2ef"><tr>`,
    '<td class="ground" align="center" style="padding:32px">',
    `<table ${TABLE} class="card" width="560" style="${STYLES.card}">`,
    `<tr><td class="part" style="${STYLES.head}"><table ${TABLE}><tr>`,
    `<td><img src="cid:${LOGO.cid}" width="34" height="34" alt="" style="${STYLES.logo}"></td>`,
    `<td style="${STYLES.product}">${escaped(productName)}</td></tr></table></td></tr>`,
    `<tr><td class="part" align="left" style="${STYLES.words}">`,
    `<h1 style="${STYLES.title}">${escaped(title)}</h1>`,
    ...lines(before, STYLES.text),
    `<p style="margin:20px 0 22px"><a style="${STYLES.button}" href="${url}">${escaped(link.text)}</a></p>`,
    `<p style="${STYLES.small}">If the button does nothing, copy this address:<br><a style="${STYLES.address}" href="${url}">${url}</a></p>`,
    ...lines(after, STYLES.small),
    '</td></tr>',
    `<tr><td class="part" align="left" style="${STYLES.foot}">${escaped(agency)}${support && questions}</td></tr>`,
    '</table></td></tr></table></body></html>',
  ].join('\n')
}

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
])

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES.get(sign) ?? sign)
