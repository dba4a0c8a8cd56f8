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
export class MailRefused extends Error {}

/** Rejects when the mail could not be handed over; with MailRefused when a retry is useless. */
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
        throw isFinal(fault) ? new MailRefused('Refused for good', { cause: fault }) : fault
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
  { attachments = [], ...mail }: Mail,
) => ({
  from,
  headers: HEADERS,
  ...mail,
  attachments: [...attachments],
})

/** Whether the mail server is on this computer. */
const isHere = (url: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(new URL(url).hostname)

/** 5xx about addresses or content. About our own login it is a configuration error that the owner can fix. */
function isFinal(fault: unknown): boolean {
  const { code, responseCode } = fault as { code?: unknown; responseCode?: unknown }
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  return isAboutMail && typeof responseCode === 'number' && responseCode >= 500
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
