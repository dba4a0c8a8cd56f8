import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createTestApp } from '../testing/test-app.ts'
import { createChangeFeed } from './change-feed.ts'

async function scene() {
  const app = await createTestApp()
  const admin = await app.user({ role: 'admin' })
  await app.signIn(admin)
  const session = await app.db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', admin.id)
    .executeTakeFirstOrThrow()
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const feed = createChangeFeed({
    db: app.db,
    clock: app.clock,
    log,
    health: app.deps.health,
    after: () => () => {},
  })
  const viewer = {
    id: admin.id,
    role: 'admin',
    currentRole: 'admin',
    name: admin.name,
    sessionId: session.id,
    tokenExpiresAt: Number.POSITIVE_INFINITY,
  } as const
  return { ...app, admin, feed, viewer }
}

it('delivers at the next poll what it could not read before', { tags: ['@SY-07'] }, async () => {
  const { as, admin, article, client, db, feed, viewer } = await scene()
  const { id } = await article({ client: await client() })
  const body = await feed.open(viewer, () => {})
  await as(admin).patch(`/v1/articles/admin/${id}`, { name: 'Renamed' })
  await sql`alter table client_users rename to away`.execute(db)
  await expect(feed.look()).rejects.toThrow()
  await sql`alter table away rename to client_users`.execute(db)
  await feed.look()
  feed.end()
  expect(await new Response(body).text()).toContain(`"articleId":"${id}"`)
})

it('opens no more than eight for a session that asks for twenty at once', async () => {
  const { feed, viewer } = await scene()
  const asked = Array.from({ length: 20 }, () => feed.open(viewer, () => {}))
  const answers = await Promise.allSettled(asked)
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(8)
  const refused = answers.filter((answer) => answer.status === 'rejected')
  expect(refused.map(({ reason }) => reason.status)).toEqual(Array(12).fill(429))
  expect(feed.listening()).toBe(8)
})

it.each([
  [100, 100],
  [300, 1],
])(
  'reports %i articles changed at once in %i notifications, and closes no stream',
  async (many, told) => {
    const { article, client, feed, viewer } = await scene()
    const office = await client()
    const log: string[] = []
    const body = await feed.open(viewer, () => log.push('hung up'))
    for (let count = 0; count < many; count++) await article({ client: office })
    await feed.look()
    expect([log, feed.listening()]).toEqual([[], 1])
    feed.end()
    const [hello = '', ...hints] = (await new Response(body).text()).trim().split('\n\n')
    const { seq } = JSON.parse(hello.split('data: ')[1] ?? '')
    expect(hints).toHaveLength(told)
    const last = JSON.parse(hints.at(-1)?.slice('data: '.length) ?? '')
    expect(last.seq).toBe(seq + many)
    expect('articleId' in last).toBe(told > 1)
  },
)
