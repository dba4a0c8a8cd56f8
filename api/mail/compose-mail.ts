import { makeResetToken } from '../accounts/reset-token.ts'
import type { MailRow } from '../database/tables.ts'
import type { Deps } from '../deps.ts'
import type { Mail } from '../mailer.ts'

type Words = {
  subject: string
  before: string[]
  link: { text: string; url: string }
  after: string[]
}

/** Null when there is nobody to write to, or nothing to say any more. */
export async function composeMail(deps: Deps, row: MailRow): Promise<Mail | null> {
  if (row.kind !== 'reset') return written(deps, row.recipient, newsWords(deps, row))
  const token = await makeResetToken(deps, row)
  return token === null ? null : written(deps, row.recipient, resetWords(deps, token))
}

/**
 * No mail has a name or another word that came from a request: anyone may register any name with any address, and mail
 * programs make links of what looks like one.
 */
function resetWords({ config }: Deps, token: string): Words {
  const { productName, publicUrl, resetTokenMinutes } = config
  return {
    subject: `Choose a new password for ${productName}`,
    before: [
      'Hello,',
      `You (or someone else) asked to reset your password for ${productName}. Use this link within ${resetTokenMinutes} minutes:`,
    ],
    link: { text: 'Choose a new password', url: `${publicUrl}/reset-password?token=${token}` },
    after: ["If it wasn't you, you can ignore this mail: your password stays as it is."],
  }
}

function newsWords({ config }: Deps, { kind }: MailRow): Words {
  const { productName, publicUrl } = config
  const what = kind === 'password-changed' ? 'password' : 'e-mail address'
  return {
    subject: `The ${what} of your ${productName} account was changed`,
    before: [
      'Hello,',
      `The ${what} of your ${productName} account was just changed.`,
      kind === 'password-changed'
        ? "If it wasn't you, choose a new one right away:"
        : 'Mails now go to the new address. If you did not expect this, please ask the agency:',
    ],
    link:
      kind === 'password-changed'
        ? { text: 'Choose a new password', url: `${publicUrl}/forgot-password` }
        : { text: productName, url: publicUrl },
    after: [],
  }
}

const FONT = "font-family:'Hanken Grotesk','Segoe UI',Helvetica,Arial,sans-serif"
const STYLES = {
  page: `margin:0;padding:32px 16px;background:#f0f2ef;color:#18211f;${FONT};font-size:16px;line-height:24px`,
  sheet: 'max-width:480px;margin:0 auto;padding:32px;background:#fefefc;border-radius:8px',
  mark: 'margin:0 0 24px;font-family:Literata,Georgia,serif;font-size:22px;color:#18211f',
  button:
    'display:inline-block;padding:11px 20px;border-radius:6px;background:#1f555c;color:#fefefc;font-weight:600;text-decoration:none',
}

/** The same words twice: plain, and as simple HTML without anything that would have to be loaded. */
function written({ config }: Deps, to: string, { subject, before, link, after }: Words): Mail {
  const paragraphs = (lines: string[]) => lines.map((line) => `<p>${escaped(line)}</p>`)
  const html = [
    '<!doctype html>',
    `<html lang="en"><meta charset="utf-8"><title>${escaped(subject)}</title>`,
    `<body style="${STYLES.page}"><div style="${STYLES.sheet}">`,
    `<p style="${STYLES.mark}">${escaped(config.productName)}</p>`,
    ...paragraphs(before),
    `<p><a style="${STYLES.button}" href="${escaped(link.url)}">${escaped(link.text)}</a></p>`,
    ...paragraphs(after),
    '</div></body></html>',
  ]
  return { to, subject, text: [...before, link.url, ...after].join('\n\n'), html: html.join('\n') }
}

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
])

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES.get(sign) ?? sign)
