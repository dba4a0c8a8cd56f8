import { describe, expect, it } from 'vitest'
import { headerOf, startMailServer } from '../testing/mail-server.ts'
import { createTestApp, testConfig } from '../testing/test-app.ts'
import { smtpMailer } from './mailer.ts'
import { runOutbox } from './outbox.ts'

/** Mails about articles over a real socket. */

const MINUTE = 60_000
const PUBLIC_URL = 'https://articles.example'

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

describe('a mail about an article over SMTP', () => {
  it('has the headers of a thread and of stopping, and both forms', async () => {
    const { taken, port } = await startMailServer()
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
    const { taken, port } = await startMailServer()
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

  it('is tried later where it is refused for now, and never again where the address is unknown', async () => {
    const { taken, port } = await startMailServer([451, 550])
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
