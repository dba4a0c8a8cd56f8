import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestApp, testConfig } from '../testing/test-app.ts'
import { smtpMailer } from './mailer.ts'
import { runOutbox } from './outbox.ts'

/** Mails about articles over a real socket. */

const MINUTE = 60_000
const PUBLIC_URL = 'https://articles.example'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp()
})

/** `answers`: what the server says to the next mails, by its code; then it takes all. */
async function mailServer(answers: number[] = []) {
  const taken: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: (_address, _session, done) => {
      const code = answers.shift()
      done(code === undefined ? null : Object.assign(new Error('no'), { responseCode: code }))
    },
    onData: async (stream, _session, done) => {
      const parts: Buffer[] = []
      for await (const part of stream) parts.push(part)
      taken.push(Buffer.concat(parts).toString('utf8'))
      done()
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  cleanUps.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { taken, port: (server.server.address() as AddressInfo).port }
}

async function world(port: number) {
  const smtpUrl = `smtp://127.0.0.1:${port}`
  const config = { publicUrl: PUBLIC_URL, accessTokenMinutes: 24 * 60, smtpUrl }
  const mailer = smtpMailer(smtpUrl, testConfig)
  const app = await createTestApp({ config, deps: { mailer } })
  const admin = await app.user({ role: 'admin' })
  const writer = await app.user()
  const client = await app.client({ users: [writer] })
  const { id } = await app.article({ client })
  const reopen = async () => {
    await app.as(writer).patch(`/v1/articles/${id}`, { completed: true })
    await app.as(admin).patch(`/v1/articles/${id}`, { completed: false })
  }
  const later = async (ms: number) => {
    app.clock.advance(ms)
    await runOutbox(app.deps)
  }
  return { ...app, admin, writer, id, reopen, later }
}

const headerOf = (source: string | undefined, name: string) =>
  new RegExp(`^${name}:(.*(?:\r?\n[ \t].*)*)`, 'im')
    .exec(source ?? '')?.[1]
    ?.replace(/\r?\n[ \t]/g, ' ')
    .trim()

describe('a mail about an article over SMTP', () => {
  it('has the headers of a thread and of stopping, and both forms', async () => {
    const { taken, port } = await mailServer()
    const { id, reopen, later } = await world(port)
    await reopen()
    await later(11 * MINUTE)
    await reopen()
    await later(11 * MINUTE)
    expect(taken).toHaveLength(2)
    const ids = taken.map((source) => headerOf(source, 'Message-ID'))
    expect(ids[0]).toMatch(/^<[\w-]{36}@articles\.example>$/)
    expect(ids[0]).not.toBe(ids[1])
    for (const source of taken) {
      expect(headerOf(source, 'References')).toBe(`<${id}@articles.example>`)
      expect(headerOf(source, 'In-Reply-To')).toBe(`<${id}@articles.example>`)
      expect(headerOf(source, 'Auto-Submitted')).toBe('auto-generated')
      expect(headerOf(source, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
      expect(headerOf(source, 'List-Unsubscribe')?.replaceAll(' ', '')).toMatch(
        /^<https:\/\/articles\.example\/mails\/stop\?key=[\w-]{75}>$/,
      )
      expect(source).toMatch(/^Content-Type: text\/plain; charset=utf-8/m)
      expect(source).toMatch(/^Content-Type: text\/html; charset=utf-8/m)
    }
  })

  it('is stopped by the address in its header', async () => {
    const { taken, port } = await mailServer()
    const { reopen, later, app } = await world(port)
    await reopen()
    await later(11 * MINUTE)
    const url = /<(.*)>/.exec(
      headerOf(taken[0], 'List-Unsubscribe')?.replaceAll(' ', '') ?? '',
    )?.[1]
    const body = 'List-Unsubscribe=One-Click'
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await app.request(url ?? '', { method: 'POST', body, headers })).status).toBe(204)
    await reopen()
    await later(11 * MINUTE)
    expect(taken).toHaveLength(1)
  })

  it('is sent again under the same id where the server stopped before it noted the delivery', async () => {
    const { taken, port } = await mailServer()
    const { deps, reopen, later, db } = await world(port)
    await reopen()
    const { mailer } = deps
    const { send } = mailer
    mailer.send = async (mail) => {
      await send(mail)
      throw new Error('killed')
    }
    await later(11 * MINUTE)
    mailer.send = send
    await later(MINUTE)
    expect(new Set(taken.map((source) => headerOf(source, 'Message-ID'))).size).toBe(1)
    expect(taken).toHaveLength(2)
    await later(30 * MINUTE)
    expect(taken).toHaveLength(2)
    expect(await db.selectFrom('mail_outbox').selectAll().execute()).toEqual([])
  })

  it('is tried later where it is refused for now, and never again where the address is unknown', async () => {
    const { taken, port } = await mailServer([451, 550])
    const { reopen, later, db } = await world(port)
    await reopen()
    await later(11 * MINUTE)
    expect(await db.selectFrom('mail_bounces').selectAll().execute()).toEqual([])
    await later(MINUTE)
    expect(await db.selectFrom('mail_bounces').select('bounces').execute()).toEqual([
      { bounces: 1 },
    ])
    await later(30 * MINUTE)
    expect(taken).toEqual([])
    await reopen()
    await later(11 * MINUTE)
    expect(taken).toHaveLength(1)
    expect(await db.selectFrom('mail_bounces').selectAll().execute()).toEqual([])
  })
})
