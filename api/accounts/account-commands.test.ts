import { beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../commands/admin-command.ts'
import { CommandError } from '../commands/command-error.ts'
import { deliverMail } from '../mail/outbox.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

let app: TestApp
let user: TestUser
beforeEach(async () => {
  app = await createTestApp()
  user = await app.user({ email: 'imogen@larkspur.example' })
})

const COMMAND = {
  openOther: () => Promise.reject(new Error('There is one database')),
  ensureOwnPepper: async () => {},
}
const run = (...words: string[]) => runCommand({ ...app.deps, ...COMMAND }, words)
const login = async (email: string, password: string) => {
  const answer = await app.as(null).post('/v1/auth/login', { email, password })
  return { status: answer.status, body: await answer.json() }
}
const passwordIn = (printed: string) => /password (\S+)/.exec(printed)?.[1] ?? ''
const audit = () => app.db.selectFrom('audit').selectAll().orderBy('id').execute()
const isSignedIn = async (person: TestUser) =>
  (await app.as(person).get('/v1/articles/client/myArticles')).status === 200

describe('create', () => {
  it('makes an admin with a password that is shown once and stored nowhere', async () => {
    const printed = await run('create', ' Boss@Agency.example ')
    expect(printed).toMatch(
      /^boss@agency\.example is an admin with the password (\w{5}-){3}\w{5}\nIt is shown this once\./,
    )
    const { status, body } = await login('boss@agency.example', passwordIn(printed))
    expect([status, body.user.role]).toEqual([200, 'admin'])
    expect(JSON.stringify(await audit())).not.toContain(passwordIn(printed))
    expect(await audit()).toMatchObject([{ actor_id: null, action: 'user.created' }])
  })

  it('creates no account twice, and makes no existing user an admin', async () => {
    await expect(run('create', user.email)).rejects.toThrow(
      'imogen@larkspur.example has an account already',
    )
    expect((await login(user.email, user.password)).body.user.role).toBe('user')
  })
})

describe('reset-password', () => {
  it('sets a new password, ends the sessions of the old one, and notifies the owner', async () => {
    await app.signIn(user)
    expect(await isSignedIn(user)).toBe(true)
    const printed = await run('reset-password', user.email)
    expect(await isSignedIn(user)).toBe(false)
    expect((await login(user.email, user.password)).status).toBe(401)
    expect((await login(user.email, passwordIn(printed))).status).toBe(200)
    await deliverMail(app.deps)
    expect(app.sentMail.map(({ to }) => to)).toEqual([user.email])
    expect(JSON.stringify(app.sentMail)).not.toContain(passwordIn(printed))
    expect(await audit()).toMatchObject([
      { action: 'user.changed', detail: '{"changed":["password"]}', subject_id: user.id },
    ])
  })

  it('ends an invitation, which no link is of any more', async () => {
    const admin = await app.user({ role: 'admin' })
    await app.as(admin).post(`/v1/users/${user.id}/invitation`)
    const listed = async () =>
      (await (await app.as(admin).get(`/v1/users/invitations?ids=${user.id}`)).json()).results
    expect(await listed()).toHaveLength(1)
    await run('reset-password', user.email)
    expect(await listed()).toEqual([])
  })

  it('voids a link that was mailed before', async () => {
    await app.as(null).post('/v1/auth/forgot-password', { email: user.email })
    await app.settled()
    const token = /token=([\w-]+)/.exec(app.sentMail[0]?.text ?? '')?.[1]
    await run('reset-password', user.email)
    const body = { token, password: 'the new one of Imogen' }
    expect((await app.as(null).post('/v1/auth/reset-password', body)).status).toBe(401)
  })
})

describe('reset-second-step', () => {
  it('removes all of it, and notifies the owner', async () => {
    const created_at = '2026-03-02T09:00:00.000Z'
    const row = { secret: 'unread', last_step: 0, created_at, confirmed_at: created_at }
    await app.db
      .insertInto('authenticator_apps')
      .values({ user_id: user.id, ...row })
      .execute()
    expect((await login(user.email, user.password)).status).toBe(403)
    expect(await run('reset-second-step', user.email)).toBe(
      'imogen@larkspur.example can log in with only the password.',
    )
    expect((await login(user.email, user.password)).status).toBe(200)
    await deliverMail(app.deps)
    expect(app.sentMail.map(({ to }) => to)).toEqual([user.email])
    expect(await audit()).toMatchObject([{ action: 'user.second-step-removed', actor_id: null }])
    await expect(run('reset-second-step', user.email)).rejects.toThrow('has no two-step login')
  })
})

describe('ASVS 7.4.5 sign-out', () => {
  it('ends every session of one account', async () => {
    const other = await app.user()
    for (const person of [user, user, other]) await app.signIn(person)
    expect(await run('sign-out', user.email)).toBe(
      'imogen@larkspur.example is logged out everywhere.',
    )
    expect([await isSignedIn(user), await isSignedIn(other)]).toEqual([false, true])
    expect(await audit()).toMatchObject([{ action: 'user.signed-out', subject_id: user.id }])
  })

  it('ends the sessions of all users', async () => {
    const other = await app.user()
    for (const person of [user, user, other]) await app.signIn(person)
    expect(await run('sign-out', '--everybody')).toBe('3 sessions have ended.')
    expect([await isSignedIn(user), await isSignedIn(other)]).toEqual([false, false])
    expect(await audit()).toMatchObject([
      { actor_id: null, action: 'user.signed-out', subject_id: '*' },
    ])
  })
})

it.each([
  [['create', 'imogen'], 'imogen is not an e-mail address'],
  [['create', 'a@b.example\nBcc: x'], 'is not an e-mail address'],
  [['reset-password', 'nobody@larkspur.example'], 'There is no account with nobody@larkspur'],
  [['sign-out', 'nobody@larkspur.example'], 'There is no account with nobody@larkspur'],
  [['sign-out'], 'npm run admin -- create EMAIL'],
  [['create', 'a@b.example', 'more'], 'npm run admin -- create EMAIL'],
  [['constructor', 'a@b.example'], 'npm run admin -- create EMAIL'],
])('%j is refused with a clear line', async (words, line) => {
  await expect(run(...words)).rejects.toThrow(CommandError)
  await expect(run(...words)).rejects.toThrow(line)
})
