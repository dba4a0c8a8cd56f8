import { createSocket } from 'node:dgram'
import { getServers, setServers } from 'node:dns'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { noMaintenance } from '../database/maintenance.ts'
import { jobs } from '../process/housekeeping.ts'
import { createTestApp, testConfig } from '../testing/test-app.ts'
import { MAIL_LOGO } from './mail-logo.ts'
import { fileMailer, smtpMailer } from './mailer.ts'
import { deliverMail } from './outbox.ts'

/** Mail over a real socket, to a real mail server. */

const MINUTE = 60_000
const NEW_PASSWORD = 'the new one of Imogen'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp()
})

type Taken = { from: string; to: string[]; source: string }

async function mailServer(port = 0) {
  const taken: Taken[] = []
  const logins: string[] = []
  const state = { refuses: false, code: 451 }
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      logins.push(`${username} ${password}`)
      done(null, { user: username })
    },
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: (_address, _session, done) =>
      done(state.refuses ? Object.assign(new Error('no'), { responseCode: state.code }) : null),
    onData: async (stream, { envelope }, done) => {
      const parts: Buffer[] = []
      for await (const part of stream) parts.push(part)
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      const to = envelope.rcptTo.map(({ address }) => address)
      taken.push({ from, to, source: Buffer.concat(parts).toString('utf8') })
      done()
    },
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  cleanUps.push(close)
  return { taken, logins, state, close, port: (server.server.address() as AddressInfo).port }
}

async function appWith(port: number) {
  const mailer = smtpMailer(`smtp://127.0.0.1:${port}`, testConfig)
  const app = await createTestApp({ deps: { mailer } })
  const user = await app.user({ name: 'Imogen Hale', email: 'imogen@larkspur.example' })
  const forgot = async () => {
    const { status } = await app.as(null).post('/v1/auth/forgot-password', { email: user.email })
    await app.settled()
    return status
  }
  const reset = async (token: string | undefined) =>
    (await app.as(null).post('/v1/auth/reset-password', { token, password: NEW_PASSWORD })).status
  const later = async (ms: number) => {
    app.clock.advance(ms)
    await deliverMail(app.deps)
  }
  return { ...app, person: user, forgot, reset, later }
}

/** Lines are folded and signs written as =3D on the way. */
const unfolded = (source: string) => source.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
const tokenIn = ({ source }: Taken) => /token=([\w-]{43})/.exec(unfolded(source))?.[1]

describe('mail over SMTP', { tags: ['@Q24'] }, () => {
  it('logs in with the name and password of its address, whatever signs they have', async () => {
    const { port, taken, logins } = await mailServer()
    const url = `smtp://relay%40agency.example:12%2334%2F%3F%25@127.0.0.1:${port}`
    const { smtpUrl } = readConfig({ SMTP_URL: url })
    const mail = { to: 'imogen@larkspur.example', subject: 'Link', text: 'x', html: 'x' }
    await smtpMailer(smtpUrl ?? '', testConfig).send(mail)
    expect([logins, taken.length]).toEqual([['relay@agency.example 12#34/?%'], 1])
  })

  it('is not handed over in clear to another computer', async () => {
    const { port, taken } = await mailServer()
    const mail = { to: 'imogen@larkspur.example', subject: 'Link', text: 'x', html: 'x' }
    const send = (host: string) => smtpMailer(`smtp://${host}:${port}`, testConfig).send(mail)
    // An address that reaches this computer without being one of its own names.
    await expect(send('0.0.0.0')).rejects.toThrow('STARTTLS')
    expect(taken).toEqual([])
    await send('127.0.0.1')
    expect(taken).toHaveLength(1)
  })

  it('arrives, plain and as HTML, and its link works to the end', async () => {
    const server = await mailServer()
    const { forgot, reset, as, person } = await appWith(server.port)
    expect(await forgot()).toBe(204)
    const [mail] = server.taken
    expect(mail).toMatchObject({ from: 'articles@contun.example', to: [person.email] })
    expect(mail?.source).toMatch(/^Auto-Submitted: auto-generated/m)
    expect(mail?.source).toMatch(/^Content-Type: multipart\/alternative/m)
    expect(mail?.source).toMatch(/^Content-Type: text\/plain; charset=utf-8/m)
    expect(mail?.source).toMatch(/^Content-Type: text\/html; charset=utf-8/m)
    expect(mail?.source).toMatch(/^Content-Type: multipart\/related/m)
    expect(mail?.source).toMatch(/^Content-Type: image\/png; name=logo.png/m)
    expect(mail?.source).toMatch(/^Content-Id: <logo>/im)
    expect(mail?.source).toMatch(/^Content-Disposition: inline/m)
    const logo = /\r?\n\r?\n(iVBOR[\w+/=\r\n]+)/.exec(mail?.source ?? '')?.[1] ?? ''
    expect(logo.replace(/\s/g, '')).toBe(MAIL_LOGO)
    expect(await reset(mail && tokenIn(mail))).toBe(204)
    const body = { email: person.email, password: NEW_PASSWORD }
    expect((await as(null).post('/v1/auth/login', body)).status).toBe(200)
  })

  it('that is refused at first arrives later', async () => {
    const server = await mailServer()
    const { forgot, reset, later } = await appWith(server.port)
    server.state.refuses = true
    await forgot()
    await later(5_000)
    expect(server.taken).toEqual([])
    server.state.refuses = false
    await later(MINUTE)
    expect(server.taken).toHaveLength(1)
    expect(await reset(server.taken[0] && tokenIn(server.taken[0]))).toBe(204)
  })

  it('that is refused permanently is kept, logged and never sent again', async () => {
    const server = await mailServer()
    const { forgot, later, db, logLines, deps } = await appWith(server.port)
    Object.assign(server.state, { refuses: true, code: 550 })
    await forgot()
    server.state.refuses = false
    for (let minute = 0; minute < 40; minute++) await later(MINUTE)
    expect(server.taken).toEqual([])
    const kept = () => db.selectFrom('mail_outbox').selectAll().execute()
    expect(await kept()).toMatchObject([
      { kind: 'reset', tries: 1, refused_at: expect.any(String) },
    ])
    const errors = logLines.filter(({ level }) => level === 'error')
    expect(errors).toMatchObject([{ message: 'Mail refused for good', fields: { tries: 1 } }])
    await later(61 * 24 * 60 * MINUTE)
    for (const { everyMs, run } of jobs(deps, noMaintenance))
      if (everyMs === 60 * MINUTE) await run()
    expect(await kept()).toEqual([])
  })

  it('waits for a mail server that is away', async () => {
    const gone = await mailServer()
    await gone.close()
    const { forgot, later } = await appWith(gone.port)
    expect(await forgot()).toBe(204)
    await later(5_000)
    const back = await mailServer(gone.port)
    await later(MINUTE)
    expect(back.taken).toHaveLength(1)
  })

  it('is given up inside the life of its link when the mail server stays away', async () => {
    const gone = await mailServer()
    await gone.close()
    const { forgot, later, db, logLines } = await appWith(gone.port)
    await forgot()
    for (let minute = 0; minute < 31; minute++) await later(MINUTE)
    expect(await db.selectFrom('mail_outbox').selectAll().execute()).toEqual([])
    expect(logLines.map(({ message }) => message)).toContain('Mail given up')
    expect(JSON.stringify(logLines)).not.toContain('token=')
  })

  it.each<[string, (socket: Socket) => void]>([
    ['takes the connection and says nothing', () => {}],
    [
      'says a line now and then, without end',
      (socket) => {
        const talking = setInterval(() => socket.write('250-wait\r\n'), 20)
        socket.write('220 here\r\n')
        socket.once('close', () => clearInterval(talking))
      },
    ],
  ])('is tried later where the mail server %s', async (_, talk) => {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => {}))
      talk(socket)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    cleanUps.push(
      () => server.close(),
      () => {
        for (const socket of sockets) socket.destroy()
      },
    )
    const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
    const mailer = smtpMailer(url, testConfig, { timeoutMs: 100, totalMs: 300 })
    const app = await createTestApp({ deps: { mailer } })
    const { email } = await app.user()
    expect((await app.as(null).post('/v1/auth/forgot-password', { email })).status).toBe(204)
    expect((await app.as(null).get('/healthz')).status).toBe(200)
    await app.settled()
    expect(app.logLines.map(({ message }) => message)).toContain('Mail not taken')
    const rows = await app.db.selectFrom('mail_outbox').selectAll().execute()
    expect(rows).toMatchObject([{ tries: 1, refused_at: null }])
  })

  it('is tried later where nothing says which address the mail server has', async () => {
    const silent = createSocket('udp4').bind(0, '127.0.0.1')
    await once(silent, 'listening')
    const servers = getServers()
    setServers([`127.0.0.1:${silent.address().port}`])
    cleanUps.push(
      () => setServers(servers),
      () => silent.close(),
    )
    const mailer = smtpMailer('smtps://mail.example', testConfig, { timeoutMs: 100, totalMs: 300 })
    const mail = { to: 'imogen@larkspur.example', subject: 'Link', text: 'x', html: 'x' }
    await expect(mailer.send(mail)).rejects.toThrow()
  })

  it('takes no line from an address or a name as a header', async () => {
    const server = await mailServer()
    const mailer = smtpMailer(`smtp://127.0.0.1:${server.port}`, testConfig)
    const subject = 'News\r\nBcc: all@evil.example'
    await mailer.send({ to: 'imogen@larkspur.example', subject, text: 'x', html: '<p>x</p>' })
    expect(server.taken[0]?.to).toEqual(['imogen@larkspur.example'])
    expect(server.taken[0]?.source).not.toMatch(/^Bcc:/im)
  })
})

it('without a mail server a mail is a file with a link that works', {
  tags: ['@Q24'],
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'contun-mail-'))
  cleanUps.push(() => rmSync(dataDir, { recursive: true }))
  const log = { info() {}, warn() {}, error() {} }
  const mailer = fileMailer({ ...testConfig, dataDir }, log, () => 'mail-1')
  const app = await createTestApp({ deps: { mailer } })
  const { email } = await app.user()
  await app.as(null).post('/v1/auth/forgot-password', { email })
  await app.settled()
  expect(readdirSync(join(dataDir, 'mail'))).toEqual(['mail-1.eml'])
  const source = readFileSync(join(dataDir, 'mail', 'mail-1.eml'), 'utf8')
  expect(source).toMatch(/^Auto-Submitted: auto-generated/m)
  const token = tokenIn({ from: '', to: [], source })
  const body = { token, password: NEW_PASSWORD }
  expect((await app.as(null).post('/v1/auth/reset-password', body)).status).toBe(204)
})
