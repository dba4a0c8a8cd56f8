import { sql } from 'kysely'
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import type { ArticleText } from '../../../domain/text/document.ts'
import type { Database } from '../../deps.ts'
import { changesSince } from '../../events/change-rows.ts'
import { createTestApp, TEST_START, type TestApp, type TestUser } from '../../testing/test-app.ts'
import { quietSources } from '../../testing/test-clock.ts'
import { newPostgresDatabase, openForTest } from '../../testing/test-database.ts'
import { DatabaseRefused } from '../database-refused.ts'
import { migrate, NewerDatabase } from '../migrations/migrate.ts'
import { holdsText } from '../name-search.ts'
import { openPostgres } from './postgres.ts'

const WRITERS = 50

const postgres = () => {
  const server = inject('postgres')
  if (server === undefined) throw new Error('These tests are of the project postgres')
  return server
}
const address = (url: string) =>
  ({ engine: 'postgres', url, readUrl: null, connections: 5 }) as const

let url: string
beforeEach(async () => {
  url = await newPostgresDatabase(postgres())
})

/** A connection pool of its own, as another process has it. */
function node(): Database {
  const { db, close } = openForTest(url)
  onTestFinished(close)
  return db
}

const text = (words: string): ArticleText => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
})

describe('two nodes over one database', () => {
  let nodes: [TestApp, TestApp]
  let writer: TestUser
  let bearer: Record<string, string>
  let id: string

  beforeEach(async () => {
    const first = await createTestApp({ db: node() })
    const second = await createTestApp({ db: node(), deps: { newId: first.deps.newId } })
    nodes = [first, second]
    writer = await first.user({ role: 'admin' })
    id = (await first.article()).id
    bearer = { authorization: `Bearer ${(await first.signIn(writer)).access.token}` }
  })

  /** Concurrent calls, alternating between the two nodes. */
  const atOnce = (call: (app: TestApp, index: number) => Promise<Response>) =>
    Promise.all(
      Array.from({ length: WRITERS }, (_, index) => call(nodes[index % 2 ? 1 : 0], index)),
    )
  const patch = (app: TestApp, path: string, body: unknown, headers: Record<string, string> = {}) =>
    app.as(null).patch(path, body, { ...bearer, ...headers })
  const rowsOf = (articleId: string) =>
    nodes[0].db
      .selectFrom('article_revisions')
      .select(['text_version', 'article_text'])
      .where('article_id', '=', articleId)
      .orderBy('text_version')
      .execute()

  it('of 50 changes at once with the same condition one is taken', async () => {
    const answers = await atOnce((app, index) =>
      patch(
        app,
        `/v1/articles/${id}`,
        { articleText: text(`Words ${index}.`) },
        { 'if-match': '"v1.t1"' },
      ),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array<number>(WRITERS - 1).fill(412)])
    expect(await rowsOf(id)).toHaveLength(2)
  })

  it('of 50 requests at once under one key one is applied, and all get its response', async () => {
    const answers = await atOnce((app) =>
      patch(app, `/v1/articles/${id}`, { articleText: text('Once.') }, { 'idempotency-key': 'k1' }),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(WRITERS).fill(200))
    const replayed = answers.filter(({ headers }) => headers.has('idempotency-replayed'))
    expect(replayed).toHaveLength(WRITERS - 1)
    expect(await rowsOf(id)).toHaveLength(2)
  })

  it('keeps all of 50 texts at once without a condition, one version each', async () => {
    const answers = await atOnce((app, index) =>
      patch(app, `/v1/articles/${id}`, { articleText: text(`Words ${index}.`) }),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const rows = await rowsOf(id)
    expect(rows.map((row) => row.text_version)).toEqual(
      Array.from({ length: WRITERS + 1 }, (_, index) => index + 1),
    )
    expect(new Set(rows.map((row) => row.article_text)).size).toBe(WRITERS + 1)
  })

  it('shows no change before every change with a smaller number', async () => {
    const seen: number[][] = []
    let isWriting = true
    const look = async () => {
      const changes = await changesSince(nodes[1].db, 0)
      seen.push(changes.map(({ seq }) => seq))
    }
    const watch = async () => {
      while (isWriting) await look()
      // A running poll may have begun before the last change.
      await look()
    }
    const watching = watch()
    await atOnce((app) =>
      app
        .as(null)
        .post(
          '/v1/articles',
          { name: 'New', clientId: null, wordMinimum: 1, articleText: {} },
          bearer,
        ),
    )
    isWriting = false
    await watching
    expect(seen.at(-1)?.length).toBeGreaterThan(WRITERS)
    for (const seqs of seen) expect(seqs).toEqual(seqs.map((_, index) => index + 1))
  })

  it('a sign-out at one node counts at the other with the next request', {
    tags: ['@PE-15'],
  }, async () => {
    const [first, second] = nodes
    const { refresh, access } = await first.signIn(writer)
    const asked = () =>
      second
        .as(null)
        .get('/v1/articles/client/myArticles', { authorization: `Bearer ${access.token}` })
    expect((await asked()).status).toBe(200)
    await first.as(null).post('/v1/auth/logout', { refreshToken: refresh.token })
    expect((await asked()).status).toBe(401)
  })
})

describe('a start', () => {
  const start = (to = url) =>
    openPostgres(address(to), quietSources, (db) =>
      migrate(db, { now: new Date(TEST_START).toISOString(), newId: () => 'an id' }),
    )

  it('of three nodes at once on an empty database makes the tables once', async () => {
    const empty = await newPostgresDatabase(postgres(), '')
    const started = await Promise.all([start(empty), start(empty), start(empty)])
    const [{ db } = { db: node() }] = started
    expect(await db.selectFrom('meta').selectAll().orderBy('key').execute()).toEqual([
      { key: 'change_seq', value: '0' },
      { key: 'hand_in_position', value: '0' },
      { key: 'names_seq', value: '0' },
      { key: 'server_epoch', value: 'an id' },
      { key: 'standing_seq', value: '0' },
      { key: 'standing_sweep', value: expect.stringContaining('"after":""') },
      { key: 'standing_turn', value: '' },
    ])
    for (const { close } of started) await close()
  })

  it('is refused where a newer release was, and changes nothing', async () => {
    const db = node()
    await sql`insert into migrations (name, applied_at) values ('999-comments', '')`.execute(db)
    await expect(start()).rejects.toThrow(NewerDatabase)
  })

  it('names what is wrong where there is no such database', async () => {
    const wrong = start(`${postgres().url}/nowhere`)
    await expect(wrong).rejects.toThrow(DatabaseRefused)
    await expect(wrong).rejects.toThrow('database "nowhere" does not exist')
  })

  it('orders text by its bytes, whatever language the database is made for', async () => {
    const options = "template template0 locale_provider icu icu_locale 'en-US'"
    const { db, close } = await start(await newPostgresDatabase(postgres(), options))
    onTestFinished(close)
    for (const name of ['zebra', 'éclair', 'apple', '_draft', 'a-b']) {
      await db
        .insertInto('clients')
        .values({
          id: name,
          name,
          name_folded: name,
          moonowl: 0,
          created_at: '',
          updated_at: '',
          deleted_at: null,
        })
        .execute()
    }
    const rows = await db.selectFrom('clients').select('name').orderBy('name_folded').execute()
    expect(rows.map(({ name }) => name)).toEqual(['_draft', 'a-b', 'apple', 'zebra', 'éclair'])
  })
})

it('finds a part of a name by an index', { tags: ['@AP-28'] }, async () => {
  const plan = await node()
    .transaction()
    .execute(async (inside) => {
      await sql`set local enable_seqscan = off`.execute(inside)
      await sql`set local enable_indexonlyscan = off`.execute(inside)
      const search = inside
        .selectFrom('articles')
        .selectAll()
        .where(holdsText('name_folded', 'oat'))
      return JSON.stringify(await search.explain())
    })
  expect(plan).toContain('Bitmap Index Scan on articles_by_name_part')
})

describe('a transaction', () => {
  const fail = (db: Database, code: string) =>
    sql`do $$ begin raise exception using errcode = ${sql.lit(code)}; end $$`.execute(db)

  it('that got in the way of another one is run again, and nothing of the first try stays', async () => {
    const db = node()
    let tries = 0
    await db.transaction().execute(async (inside) => {
      tries += 1
      await inside
        .insertInto('meta')
        .values({ key: `try ${tries}`, value: '' })
        .execute()
      if (tries < 3) await fail(inside, tries === 1 ? '40001' : '40P01')
    })
    const rows = await db.selectFrom('meta').select('key').where('key', 'like', 'try%').execute()
    expect(rows).toEqual([{ key: 'try 3' }])
  })

  it('is given up after four tries, and another fault is never tried again', async () => {
    const db = node()
    for (const [code, tries] of [
      ['40001', 4],
      ['23505', 1],
    ] as const) {
      let made = 0
      const work = db.transaction().execute((inside) => {
        made += 1
        return fail(inside, code)
      })
      await expect(work).rejects.toMatchObject({ code })
      expect(made).toBe(tries)
    }
  })
})
