import { describe, expect, it } from 'vitest'
import type { NewProgramToken } from '../../domain/wire/program-tokens.ts'
import { queueMail } from '../mail/outbox.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { runCommand } from './admin-command.ts'

/** Runs over both engines; `npm run restore` as a process is tested in backups.test.ts. */

type Copied = 'users' | 'sessions' | 'clients' | 'program_tokens' | 'program_token_clients'
const COMMAND = {
  openOther: () => Promise.reject(new Error('There is one database')),
  ensureOwnPepper: async () => {},
}

describe('new-epoch, after a database was put back without the command', () => {
  it('ends every session and names the admins where the replaced data is gone', async () => {
    const app = await createTestApp()
    const writer = await app.user()
    const admin = await app.user({ role: 'admin', email: 'rosa@moonowl.example' })
    for (const person of [writer, admin]) await app.signIn(person)
    const told = await runCommand({ ...app.deps, ...COMMAND }, ['new-epoch'])
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
    const told = await runCommand({ ...restored.deps, ...COMMAND, openOther }, [
      'new-epoch',
      'postgres://old',
    ])
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
    await runCommand({ ...restored.deps, ...COMMAND, openOther }, ['new-epoch', 'postgres://old'])
    restored.clock.advance(restored.deps.config.refreshGraceSeconds * 1_000 + 1)
    expect((await refresh(restored, first)).status).toBe(401)
  })

  it('ends tokens of programs that were revoked after the backup', async () => {
    const replaced = await createTestApp()
    const admin = await replaced.user({ role: 'admin' })
    const client = await replaced.client()
    const create = async (): Promise<NewProgramToken> => {
      const body = { name: 'Website', clientIds: [client.id], days: 1 }
      return (await replaced.as(admin).post('/v1/program-tokens', body)).json()
    }
    const [kept, revoked] = [await create(), await create()]
    const tables = ['users', 'clients', 'program_tokens', 'program_token_clients'] as const
    const restored = await copyOf(replaced, tables)
    await replaced.as(admin).delete(`/v1/program-tokens/${revoked.id}`)
    const openOther = async () => ({ db: replaced.db, close: async () => {} })
    const deps = { ...restored.deps, ...COMMAND, openOther }
    const told = await runCommand(deps, ['new-epoch', 'postgres://old'])
    expect(told).toContain('1 token of a program ended.')
    const statuses = [kept, revoked].map(async ({ token }) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await restored.as(null).get('/v1/hand-overs', headers)).status
    })
    expect(await Promise.all(statuses)).toEqual([200, 401])
  })

  it('sends no link that waited when the backup was made, as it may have been used since', async () => {
    const app = await createTestApp()
    for (const kind of ['reset', 'password-changed', 'invitation'] as const) {
      await queueMail(app.deps, app.db, kind, (await app.user()).email)
    }
    await runCommand({ ...app.deps, ...COMMAND }, ['new-epoch'])
    const waiting = await app.db.selectFrom('mail_outbox').select('kind').execute()
    expect(waiting).toEqual([{ kind: 'password-changed' }])
  })

  const appWithAccountsOf = (other: TestApp) => copyOf(other, ['users', 'sessions'])

  async function copyOf(other: TestApp, tables: readonly Copied[]): Promise<TestApp> {
    const app = await createTestApp()
    for (const table of tables) {
      await app.db
        .insertInto(table)
        .values(await rowsOf(other, table))
        .execute()
    }
    return app
  }

  const rowsOf = <Table extends Copied>({ db }: TestApp, table: Table) =>
    db.selectFrom(table).selectAll().execute() as never
})
