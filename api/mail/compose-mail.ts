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
  if (row.kind !== 'reset') return written(row.recipient, newsWords(deps, row))
  const made = await makeResetToken(deps, row)
  if (made === null) return null
  return written(row.recipient, resetWords(deps, made.name, made.token))
}

function resetWords({ config }: Deps, name: string, token: string): Words {
  const { productName, publicUrl, resetTokenMinutes } = config
  return {
    subject: `Choose a new password for ${productName}`,
    before: [
      `Hello ${name},`,
      `somebody, most likely you, asked for a new password for ${productName}.`,
      `Open this link within ${resetTokenMinutes} minutes of asking to choose one:`,
    ],
    link: { text: 'Choose a new password', url: `${publicUrl}/reset-password?token=${token}` },
    after: ['If it was not you, you can ignore this mail: your password stays as it is.'],
  }
}

function newsWords({ config }: Deps, { kind }: MailRow): Words {
  const { productName, publicUrl } = config
  const what = kind === 'password-changed' ? 'password' : 'e-mail address'
  return {
    subject: `The ${what} of your ${productName} account was changed`,
    before: [
      'Hello,',
      `the ${what} of your ${productName} account was changed just now.`,
      kind === 'password-changed'
        ? 'If it was not you, please choose a new one at once:'
        : 'Mails will go to the new address from now on. If you did not expect this, please ask the agency:',
    ],
    link:
      kind === 'password-changed'
        ? { text: 'Choose a new password', url: `${publicUrl}/forgot-password` }
        : { text: productName, url: publicUrl },
    after: [],
  }
}

/** The same words twice: plain, and as simple HTML without anything that would have to be loaded. */
function written(to: string, { subject, before, link, after }: Words): Mail {
  const paragraphs = (lines: string[]) => lines.map((line) => `<p>${escaped(line)}</p>`)
  const html = [
    '<!doctype html>',
    `<html lang="en"><meta charset="utf-8"><title>${escaped(subject)}</title>`,
    ...paragraphs(before),
    `<p><a href="${escaped(link.url)}">${escaped(link.text)}</a></p>`,
    ...paragraphs(after),
    '</html>',
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
