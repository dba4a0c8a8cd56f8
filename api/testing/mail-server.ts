import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

/**
 * Starts an SMTP server that stops at the end of the test. `answers`: status codes for the next recipients; later ones are
 * accepted. `taken`: the sources of accepted mails.
 */
export async function startMailServer(answers: number[] = []) {
  const taken: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: (_address, _session, done) => {
      const code = answers.shift()
      done(code === undefined ? null : Object.assign(new Error('no'), { responseCode: code }))
    },
    onData: (stream, _session, done) => {
      const end = (source: string) => {
        taken.push(source)
        done()
      }
      text(stream).then(end, done)
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { taken, port: (server.server.address() as AddressInfo).port }
}

/** Returns the unfolded value of a header; undefined if the mail does not have it. */
export const headerOf = (source: string | undefined, name: string): string | undefined =>
  new RegExp(`^${name}:(.*(?:\r?\n[ \t].*)*)`, 'im')
    .exec(source ?? '')?.[1]
    ?.replace(/\r?\n[ \t]/g, ' ')
    .trim()
