import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { headerOf, startMailServer } from '../testing/mail-server.ts'
import {
  compileModules,
  MODULES,
  OPEN_DATABASE,
  processDatabase,
} from '../testing/process-database.ts'
import { createTestApp, TEST_START, testConfig } from '../testing/test-app.ts'
import { smtpMailer } from './mailer.ts'
import { runOutbox } from './outbox.ts'

/**
 * A process that queues and sends mails is killed, at each step from the commit of the change until the mails are sent and
 * removed; then the outbox runs again over the same data. Over a real socket, and over the engine of this test run.
 */

const MINUTE = 60_000
/** Just before the hour of the mail of the morning. */
const CHANGED_AT = Date.parse('2026-03-03T06:55:00Z')
/** When the mail about the article and that of the morning are due. */
const DUE_AT = CHANGED_AT + 11 * MINUTE
/** After the lease of a mail that a killed process had claimed, and when another mail about the article could follow. */
const RESTARTED_AT = [DUE_AT + 3 * MINUTE, DUE_AT + 40 * MINUTE]

/** Queues and sends what is due at NOW. Dies before its statement with the number DIES_AT. */
const RUN = `
  ${OPEN_DATABASE}
  const { runOutbox } = await import('${MODULES}/mail/outbox.js')
  const { smtpMailer } = await import('${MODULES}/mail/mailer.js')
  const { keysOfPepper } = await import('${MODULES}/accounts/keys.js')
  const { noThrottle } = await import('${MODULES}/throttle/throttle.js')
  const { randomUUID } = await import('node:crypto')
  const { CONFIG, NOW, DIES_AT } = process.env
  const config = JSON.parse(CONFIG)
  let statements = 0
  const dying = {
    transformQuery: ({ node }) => {
      statements += 1
      if (statements === Number(DIES_AT)) process.kill(process.pid, 'SIGKILL')
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await runOutbox({
    db: db.withPlugin(dying),
    clock: { now: () => Number(NOW) },
    newId: randomUUID,
    config,
    keys: keysOfPepper(Buffer.from('test pepper')),
    mailer: smtpMailer(config.smtpUrl, config),
    throttle: noThrottle,
    presence: { hasOpen: () => false },
    log: { info() {}, warn: console.warn, error: console.error },
    isDraining: () => false,
  })
  process.exit()
`

beforeAll(compileModules, 300_000)

const configFor = (smtpPort: number) => ({
  ...testConfig,
  publicUrl: 'https://articles.example',
  smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
})

/** An article was reopened; its writer is due a mail about that, and one of the morning. The outbox did not run since. */
async function reopenedArticle() {
  const { env, open } = await processDatabase()
  const { db, close } = await open()
  const app = await createTestApp({ db })
  const admin = await app.user({ role: 'admin' })
  const writer = await app.user()
  const client = await app.client({ users: [writer] })
  const { id } = await app.article({ client })
  app.clock.advance(CHANGED_AT - TEST_START)
  await app.as(writer).patch(`/v1/articles/${id}`, { completed: true })
  await app.as(admin).patch(`/v1/articles/${id}`, { completed: false })
  await app.as(admin).put(`/v1/users/${admin.id}/mails`, { choice: 'none', follows: [] })
  await app.settled()
  await close()
  return {
    /** Starts the process that is to be killed; `diesAt`: at which of its statements it kills itself. */
    start(smtpPort: number, diesAt = 0) {
      const variables = { CONFIG: JSON.stringify(configFor(smtpPort)), NOW: String(DUE_AT) }
      return spawn(process.execPath, ['--input-type=module', '-e', RUN], {
        env: { ...env, ...variables, DIES_AT: String(diesAt) },
        stdio: ['ignore', 'inherit', 'inherit'],
      })
    },
    async runAgain(smtpPort: number) {
      const { db, close } = await open()
      const config = configFor(smtpPort)
      const mailer = smtpMailer(config.smtpUrl, config)
      const { deps, clock } = await createTestApp({
        db,
        config,
        deps: { mailer, newId: randomUUID },
      })
      for (const at of RESTARTED_AT) {
        clock.advance(at - clock.now())
        await runOutbox(deps)
      }
      expect(await db.selectFrom('mail_outbox').selectAll().execute()).toEqual([])
      await close()
    },
  }
}

/**
 * Relays a connection to the mail server, and calls `withhold` instead of passing on its answer with this number; the
 * answers to QUIT are not counted.
 */
async function startRelay(port: number, number: number, withhold: () => void): Promise<number> {
  let answers = 0
  const sockets: Socket[] = []
  const relay = createServer((client) => {
    const server = connect(port, '127.0.0.1')
    sockets.push(
      client.on('error', () => {}),
      server.on('error', () => {}),
    )
    client.pipe(server)
    server.on('data', (lines) => {
      answers += lines.toString().match(/^(?!221)\d{3} /gm)?.length ?? 0
      if (answers >= number) return withhold()
      client.write(lines)
    })
  })
  relay.listen(0, '127.0.0.1')
  await once(relay, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    relay.close()
  })
  return (relay.address() as AddressInfo).port
}

/** How often each mail arrived, by its id, with its subject. */
function arrivals(taken: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const source of taken) {
    const id = headerOf(source, 'Message-ID') ?? ''
    found.set(id, [...(found.get(id) ?? []), headerOf(source, 'Subject') ?? ''])
  }
  return found
}

const SUBJECTS = ['Reopened: How to store green coffee', 'Your articles: 1 reopened']
const ANSWERS = ['the connection', 'EHLO', 'MAIL FROM', 'RCPT TO', 'DATA', 'the text'] as const

it.each(
  ['first', 'second'].flatMap((mail, at) =>
    ANSWERS.map((what, index) => [what, mail, at * ANSWERS.length + index + 1] as const),
  ),
)('a kill -9 before the answer to %s of the %s mail loses none', async (what, _, number) => {
  const { start, runAgain } = await reopenedArticle()
  const { taken, port } = await startMailServer()
  const relay = await startRelay(port, number, () => child.kill('SIGKILL'))
  const child = start(relay)
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
  await runAgain(port)
  const mails = [...arrivals(taken).values()]
  expect(mails.map(([subject]) => subject).sort()).toEqual(SUBJECTS)
  // Only the answer to its text says that the mail was taken.
  expect(taken).toHaveLength(what === 'the text' ? 3 : 2)
})

it('a kill -9 at any statement loses none, and repeats at most the mail that was just taken', {
  timeout: 600_000,
}, async () => {
  let [repeated, isKilled] = [0, true]
  for (let diesAt = 1; isKilled; diesAt++) {
    const { start, runAgain } = await reopenedArticle()
    const { taken, port } = await startMailServer()
    const [, signal] = await once(start(port, diesAt), 'exit')
    isKilled = signal === 'SIGKILL'
    const last = headerOf(taken.at(-1), 'Message-ID')
    await runAgain(port)
    const about = `statement ${diesAt}`
    const mails = [...arrivals(taken)]
    expect(mails.map(([, [subject]]) => subject).sort(), about).toEqual(SUBJECTS)
    const again = mails.filter(([, { length }]) => length > 1)
    for (const [id, { length }] of again) expect([id, length], about).toEqual([last, 2])
    repeated += again.length
  }
  // Between the answer and the commit that removes the mail, for both mails.
  expect(repeated).toBeGreaterThanOrEqual(2)
})
