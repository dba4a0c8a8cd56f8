import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Log } from '../deps.ts'
import { makeFolder } from '../process/folders.ts'

export type Mail = {
  to: string
  subject: string
  text: string
  html: string
  messageId?: string
  /** The id of the thread, with which mail programs group mails; null for a mail on its own. */
  thread?: string | null
  /** Where the reader stops such mails (RFC 8058); null for mails that cannot be stopped. */
  stopUrl?: string | null
  /** Images that `html` refers to by `cid:`. */
  attachments?: readonly MailPicture[]
}

export type MailPicture = {
  filename: string
  cid: string
  contentType: string
  contentDisposition: 'inline'
  content: Buffer
}

/** The mail server refuses this mail permanently. */
export class MailRefused extends Error {
  /** Whether it refuses the address of the reader, and not the sender or the content. */
  readonly isOfAddress: boolean
  constructor(isOfAddress: boolean, cause: unknown) {
    super('Refused permanently', { cause })
    this.isOfAddress = isOfAddress
  }
}

/** The mail server refuses this mail for now, and may take others. */
export class MailDeferred extends Error {}

/**
 * Rejects when the mail could not be handed over: with MailRefused when a retry is useless, with MailDeferred when the
 * server is there and does not take this one now.
 */
export type Mailer = { send(mail: Mail): Promise<void> }

/** `timeoutMs`: for each step and each silence of the mail server. `totalMs`: for the mail, less than its lease. */
const SMTP_LIMITS = { timeoutMs: 15_000, totalMs: 60_000 }
/** Suppresses automatic replies (RFC 3834). */
const HEADERS = { 'Auto-Submitted': 'auto-generated' }

/** Loaded with the first mail: a start does not wait for it. */
const nodemailer = () => import('nodemailer')

export function smtpMailer(
  smtpUrl: string,
  { mailFrom, productName }: Config,
  { timeoutMs, totalMs } = SMTP_LIMITS,
): Mailer {
  const connect = async () =>
    (await nodemailer()).createTransport({
      url: smtpUrl,
      // Mails contain links that open an account: they are never sent without TLS.
      requireTLS: !isHere(smtpUrl),
      dnsTimeout: timeoutMs,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  const from = { name: productName, address: mailFrom }
  return {
    send: async (mail) => {
      try {
        const transport = await connect()
        await within(totalMs, transport.sendMail(messageOf(from, mail)))
      } catch (fault) {
        throw asRefusal(fault)
      }
    },
  }
}

/** Rejects after this time: a mail server that says a line now and then would keep a mail, and those behind it. */
function within(ms: number, sending: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The mail server took too long')), ms)
    sending.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

const messageOf = (
  from: { name: string; address: string },
  { attachments = [], thread, stopUrl, ...mail }: Mail,
) => ({
  from,
  ...mail,
  ...(thread && { references: thread, inReplyTo: thread }),
  headers: {
    ...HEADERS,
    ...(stopUrl && {
      'List-Unsubscribe': `<${stopUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  },
  attachments: [...attachments],
})

/** Whether the mail server is on this computer. */
const isHere = (url: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(new URL(url).hostname)

/**
 * What the server says about addresses or content. What it says about our own login is a configuration error that the
 * owner can fix, and no refusal of the mail.
 */
function asRefusal(fault: unknown): unknown {
  const { code, command, responseCode } = fault as Record<string, unknown>
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  if (!isAboutMail || typeof responseCode !== 'number') return fault
  return responseCode >= 500
    ? new MailRefused(command === 'RCPT TO', fault)
    : new MailDeferred('Refused for now', { cause: fault })
}

/** Without a mail server: each mail becomes a file that any mail program opens, and its path is logged. */
export function fileMailer(
  { dataDir, mailFrom, productName }: Config,
  log: Log,
  newId: () => string,
): Mailer {
  const folder = join(dataDir, 'mail')
  const from = { name: productName, address: mailFrom }
  return {
    send: async (mail) => {
      const { createTransport } = await nodemailer()
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
      const { message } = await transport.sendMail(messageOf(from, mail))
      const file = join(folder, `${newId()}.eml`)
      await makeFolder(folder)
      writeFileSync(file, message as Buffer, { mode: 0o600 })
      log.info({ file }, 'Mail written')
    },
  }
}
