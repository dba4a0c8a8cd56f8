import { describe, expect, it } from 'vitest'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'
import { MailDeferred, MailRefused } from './mailer.ts'
import { queueMail, runOutbox } from './outbox.ts'
import { stopKey } from './stop-links.ts'

const MINUTE = 60_000

const settings = async (app: TestApp, person: TestUser) =>
  (await app.as(person).get(`/v1/users/${person.id}/mails`)).json()

describe('the choice of mails', () => {
  it('is at once and daily for writers and daily for admins, until they choose', async () => {
    const app = await createTestApp({ config: { smtpUrl: 'smtp://127.0.0.1' } })
    const [writer, admin] = [await app.user(), await app.user({ role: 'admin' })]
    expect(await settings(app, writer)).toEqual({ choice: 'at-once', follows: [], isSent: true })
    expect(await settings(app, admin)).toEqual({ choice: 'daily', follows: [], isSent: true })
    const client = await app.client()
    const wanted = { choice: 'at-once', follows: [client.id] }
    const answer = await app.as(admin).put(`/v1/users/${admin.id}/mails`, wanted)
    expect([answer.status, await settings(app, admin)]).toEqual([200, { ...wanted, isSent: true }])
    await app.as(admin).delete(`/v1/clients/${client.id}`)
    expect((await settings(app, admin)).follows).toEqual([])
  })

  it('is of the account itself, with known clients, which only admins follow', async () => {
    const app = await createTestApp()
    const [writer, admin] = [await app.user(), await app.user({ role: 'admin' })]
    const client = await app.client({ users: [writer] })
    const put = async (person: TestUser, of: TestUser, follows: string[]) =>
      (await app.as(person).put(`/v1/users/${of.id}/mails`, { choice: 'none', follows })).status
    expect(await put(admin, writer, [])).toBe(403)
    expect(await put(writer, writer, [client.id])).toBe(403)
    expect(await put(admin, admin, [writer.id])).toBe(400)
    expect((await settings(app, admin)).choice).toBe('daily')
    expect(await put(admin, admin, [client.id, client.id])).toBe(200)
  })
})

it('a former admin follows no client, and can go on choosing', async () => {
  const app = await createTestApp()
  const [admin, former] = [await app.user({ role: 'admin' }), await app.user({ role: 'admin' })]
  const client = await app.client()
  const path = `/v1/users/${former.id}/mails`
  await app.as(former).put(path, { choice: 'daily', follows: [client.id] })
  await app.as(admin).patch(`/v1/users/${former.id}`, { role: 'user' })
  await app.signIn({ ...former, role: 'user' })
  const own = app.as(former)
  const { choice, follows } = await (await own.get(path)).json()
  expect(follows).toEqual([])
  expect((await own.put(path, { choice, follows })).status).toBe(200)
})

describe('the link in a mail', () => {
  it('stops mails by one POST without a session (RFC 8058), and a page reads and undoes it', async () => {
    const app = await createTestApp()
    const writer = await app.user()
    const key = stopKey(app.deps.keys, writer.id)
    const read = async () => (await app.as(null).get(`/v1/mails?key=${key}`)).json()
    expect(await read()).toEqual({ email: writer.email, choice: 'at-once' })
    const answer = await app.app.request(`/mails/stop?key=${key}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    expect([answer.status, (await read()).choice]).toEqual([204, 'none'])
    await app.as(null).put(`/v1/mails?key=${key}`, { choice: 'at-once' })
    expect((await read()).choice).toBe('at-once')
  })

  it('changes nothing when it is only opened, and gives no other right', async () => {
    const app = await createTestApp()
    const writer = await app.user()
    const key = stopKey(app.deps.keys, writer.id)
    await app.as(null).get(`/mails/stop?key=${key}`)
    expect((await settings(app, writer)).choice).toBe('at-once')
    const bearer = { authorization: `Bearer ${key}` }
    expect((await app.as(null).get(`/v1/users/${writer.id}/mails`, bearer)).status).toBe(401)
  })

  it('is refused where it is guessed, of another account or of one that is gone', async () => {
    const app = await createTestApp({ config: { rateLimits: true } })
    const [writer, other] = [await app.user(), await app.user()]
    const key = stopKey(app.deps.keys, writer.id)
    const wrong = [
      '',
      'x',
      key.slice(0, -1),
      `${key.slice(0, -2)}${key.endsWith('A') ? 'BB' : 'AA'}`,
      `${other.id.replaceAll('-', '')}${key.slice(32)}`,
    ]
    const stop = async (given: string) =>
      (await app.as(null).post(`/mails/stop?key=${encodeURIComponent(given)}`)).status
    for (const given of wrong) expect(await stop(given)).toBe(404)
    expect((await settings(app, other)).choice).toBe('at-once')
    await app.db.deleteFrom('users').where('id', '=', writer.id).execute()
    expect(await stop(key)).toBe(404)
    for (let tries = 0; tries < 120; tries++) await stop('x')
    expect(await stop('x')).toBe(429)
  })
})

describe('an address that a mail server refused three times', () => {
  it('gets no mails about articles until a mail server takes one to it', async () => {
    const app = await createTestApp({
      config: { accessTokenMinutes: 24 * 60, smtpUrl: 'smtp://127.0.0.1' },
    })
    const { deps, db } = app
    const admin = await app.user({ role: 'admin' })
    const writer = await app.user()
    const { id } = await app.article({ client: await app.client({ users: [writer] }) })
    const { send } = deps.mailer
    deps.mailer.send = () => Promise.reject(new MailRefused(true, 'unknown'))
    const round = async () => {
      await app.as(writer).patch(`/v1/articles/${id}`, { completed: true })
      await app.as(admin).patch(`/v1/articles/${id}`, { completed: false })
      app.clock.advance(11 * MINUTE)
      await runOutbox(deps)
    }
    const marked = async () => (await app.as(admin).get('/v1/mail-state')).json()
    await round()
    await round()
    expect((await marked()).unreachable).toEqual([])
    await round()
    expect(await marked()).toEqual({ failingSince: null, waiting: 0, unreachable: [writer.id] })
    deps.mailer.send = send
    await round()
    expect(app.sentMail).toEqual([])
    await queueMail(deps, db, 'password-changed', writer.email)
    await runOutbox(deps)
    expect((await marked()).unreachable).toEqual([])
    await round()
    expect(app.sentMail).toHaveLength(2)
  })
})

it('the state of mails says since when none left, and not for a mail that waits for its reader', async () => {
  const app = await createTestApp()
  const { deps, db } = app
  const admin = await app.user({ role: 'admin' })
  const writer = await app.user()
  const failingSince = async () =>
    (await (await app.as(admin).get('/v1/mail-state')).json()).failingSince
  const { send } = deps.mailer
  deps.mailer.send = () => Promise.reject(new MailDeferred('mailbox full'))
  await queueMail(deps, db, 'password-changed', writer.email)
  await runOutbox(deps)
  expect(await failingSince()).toBeNull()
  deps.mailer.send = () => Promise.reject(new Error('connection refused'))
  app.clock.advance(MINUTE)
  await runOutbox(deps)
  app.clock.advance(MINUTE)
  await runOutbox(deps)
  expect(await failingSince()).toBe('2026-03-02T09:01:00.000Z')
  deps.mailer.send = send
  app.clock.advance(10 * MINUTE)
  await runOutbox(deps)
  expect([await failingSince(), app.sentMail.length]).toEqual([null, 1])
  expect((await app.as(writer).get('/v1/mail-state')).status).toBe(403)
})
