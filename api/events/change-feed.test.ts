import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createTestApp } from '../test-app.ts'
import { createChangeFeed } from './change-feed.ts'

it('SY-07 tells at the next look what it could not read at once', async () => {
  const app = await createTestApp()
  const admin = await app.user({ role: 'admin' })
  const client = await app.client()
  const { id } = await app.article({ client })
  await app.signIn(admin)
  const session = await app.db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', admin.id)
    .executeTakeFirstOrThrow()
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const feed = createChangeFeed({ db: app.db, clock: app.clock, log, after: () => () => {} })
  const viewer = {
    id: admin.id,
    role: 'admin',
    currentRole: 'admin',
    name: admin.name,
    sessionId: session.id,
    tokenExpiresAt: Number.POSITIVE_INFINITY,
  } as const
  const body = await feed.open(viewer, () => {})
  await app.as(admin).patch(`/v1/articles/admin/${id}`, { name: 'Renamed' })
  await sql`alter table client_users rename to away`.execute(app.db)
  await expect(feed.look()).rejects.toThrow()
  await sql`alter table away rename to client_users`.execute(app.db)
  await feed.look()
  feed.end()
  expect(await new Response(body).text()).toContain(`"articleId":"${id}"`)
})
