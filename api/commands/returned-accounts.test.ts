import { describe, expect, it } from 'vitest'
import { queueMail } from '../mail/outbox.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { runCommand } from './admin-command.ts'

/** Runs over both engines; `npm run restore` as a process is tested in backups.test.ts. */

const noOther = () => Promise.reject(new Error('There is one database'))

describe('new-epoch, after a database was put back without the command', () => {
  it('ends every session and names the admins where the replaced data is gone', async () => {
    const app = await createTestApp()
    const writer = await app.user()
    const admin = await app.user({ role: 'admin', email: 'rosa@moonowl.example' })
    for (const person of [writer, admin]) await app.signIn(person)
    const told = await runCommand({ ...app.deps, openOther: noOther }, ['new-epoch'])
    expect(told).toContain('2 sessions ended, as there is no replaced data to compare with.')
    expect(told).toContain('  rosa@moonowl.example is an admin')
    expect(told).not.toContain(writer.email)
    expect((await app.as(writer).get('/v1/articles/client/myArticles')).status).toBe(401)
  })

  it('ends those that the replaced database does not have, where that is there still', async () => {
    const replaced = await createTestApp()
    const writer = await replaced.user({ email: 'imogen@larkspur.example' })
    const { refresh } = await replaced.signIn(writer)
    const restored = await appWithAccountsOf(replaced)
    await restored.signIn({ ...writer, id: writer.id })
    await replaced.as(null).post('/v1/auth/refresh-tokens', { refreshToken: refresh.token })
    const addresses: string[] = []
    const openOther = async (address: string) => {
      addresses.push(address)
      return { db: replaced.db, close: async () => {} }
    }
    const told = await runCommand({ ...restored.deps, openOther }, ['new-epoch', 'postgres://old'])
    expect(addresses).toEqual(['postgres://old'])
    expect(told).toContain('1 session ended that the replaced data does not have.')
    expect(await rowsOf(restored, 'sessions')).toEqual(await rowsOf(replaced, 'sessions'))
  })

  it('brings no refresh token back whose successor was first used after the backup', async () => {
    const replaced = await createTestApp()
    const writer = await replaced.user()
    const first = (await replaced.signIn(writer)).refresh.token
    const refresh = (app: TestApp, refreshToken: string) =>
      app.as(null).post('/v1/auth/refresh-tokens', { refreshToken })
    const second = await (await refresh(replaced, first)).json()
    const restored = await appWithAccountsOf(replaced)
    await replaced.app.request('/v1/articles/client/myArticles', {
      headers: { authorization: `Bearer ${second.access.token}` },
    })
    const openOther = async () => ({ db: replaced.db, close: async () => {} })
    await runCommand({ ...restored.deps, openOther }, ['new-epoch', 'postgres://old'])
    restored.clock.advance(restored.deps.config.refreshGraceSeconds * 1_000 + 1)
    expect((await refresh(restored, first)).status).toBe(401)
  })

  it('sends no link that waited when the backup was made, as it may have been used since', async () => {
    const app = await createTestApp()
    for (const kind of ['reset', 'password-changed', 'invitation'] as const) {
      await queueMail(app.deps, app.db, kind, (await app.user()).email)
    }
    await runCommand({ ...app.deps, openOther: noOther }, ['new-epoch'])
    const waiting = await app.db.selectFrom('mail_outbox').select('kind').execute()
    expect(waiting).toEqual([{ kind: 'password-changed' }])
  })

  async function appWithAccountsOf(other: TestApp): Promise<TestApp> {
    const app = await createTestApp()
    for (const table of ['users', 'sessions'] as const) {
      await app.db
        .insertInto(table)
        .values(await rowsOf(other, table))
        .execute()
    }
    return app
  }

  const rowsOf = <Table extends 'users' | 'sessions'>({ db }: TestApp, table: Table) =>
    db.selectFrom(table).selectAll().execute() as never
})
