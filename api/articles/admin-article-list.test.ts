import { type CompiledQuery, Kysely, SqliteDialect, sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ArticleDocument } from '../../domain/text/document.ts'
import { articleSchema } from '../../domain/wire/articles.ts'
import { listSchema } from '../../domain/wire/fields.ts'
import {
  ARTICLE_SORT_FIELDS,
  CLIENT_SORT_FIELDS,
  USER_SORT_FIELDS,
} from '../../domain/wire/list-query.ts'
import { depth } from '../../scripts/test-depth.ts'
import Sqlite from '../database/sqlite/better-sqlite3.ts'
import type { Tables } from '../database/tables.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

/** The last of these pages is read from the end of the list; `npm test` leaves out the first. */
const ORDERS = ['asc&page=2', 'desc&page=2', 'desc&page=25']
const words: ArticleDocument = {
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Some words.' }] }],
}
const keyword = { keyword: 'oat', source: 'E', score: 4, category: 'Must Use' }

/** Records every query that the server sends. */
let queries: CompiledQuery[]
let app: TestApp
let admin: TestUser

beforeEach(async () => {
  queries = []
  const database = new Sqlite(':memory:')
  database.pragma('foreign_keys = ON')
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database }),
    log: ({ query }) => void queries.push(query),
  })
  app = await createTestApp({ db })
  admin = await app.user({ name: 'Ada Ferris', role: 'admin' })
})

const list = async (query = '') => (await app.as(admin).get(`/v1/articles?${query}`)).json()
const names = async (query = '') =>
  (await list(query)).results.map((article: { name: string }) => article.name)

describe('GET /articles', () => {
  it('lists every article with its client, without the text', {
    tags: ['@AP-11', '@AP-28', '@AP-30'],
  }, async () => {
    const writer = await app.user()
    const client = await app.client({ name: 'Fathom Coffee', users: [writer] })
    const { id } = await app.article({ name: 'Oats', client, keywordList: [keyword] })
    await app.article({ name: 'Barley', completed: true, wordMinimum: 300, articleText: words })
    const answer = await app.as(admin).get('/v1/articles')
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const body = await answer.json()
    expect(listSchema(articleSchema).parse(body)).toEqual(body)
    expect(body).toEqual({
      results: [
        {
          id,
          _id: id,
          name: 'Oats',
          clientId: { id: client.id, name: 'Fathom Coffee', users: [writer.id] },
          wordMinimum: 0,
          words: 0,
          keywordList: [keyword],
          completed: false,
          createdAt: '2026-03-02T09:00:00.000Z',
          updatedAt: '2026-03-02T09:00:00.000Z',
          version: 1,
          textVersion: 1,
        },
        expect.objectContaining({ name: 'Barley', clientId: null, completed: true, words: 2 }),
      ],
      page: 1,
      limit: 10,
      totalPages: 1,
      totalResults: 2,
    })
  })

  it('adds the texts only for fields=text', async () => {
    await app.article({ articleText: words })
    expect((await list('fields=text')).results[0].articleText).toEqual(words)
    expect((await list()).results[0]).not.toHaveProperty('articleText')
  })

  it('marks a deleted client, and still finds its articles by it', { tags: ['@Q32'] }, async () => {
    const client = await app.client({ name: 'Closed Bakery' })
    await app.article({ client })
    await app.as(admin).delete(`/v1/clients/${client.id}`)
    const { results } = await list(`clientId=${client.id}`)
    expect(results[0].clientId).toEqual({ ...client, users: [], deleted: true })
  })

  it('pages in the order of creation', { tags: ['@AA-06', '@AP-12'] }, async () => {
    for (let count = 1; count <= 23; count++) await app.article({ name: `Article ${count}` })
    expect(await names('page=3')).toEqual(['Article 21', 'Article 22', 'Article 23'])
    expect(await names('page=2&limit=2&sortBy=id:desc')).toEqual(['Article 21', 'Article 20'])
    const { results, ...envelope } = await list('page=4')
    expect(results).toEqual([])
    expect(envelope).toEqual({ page: 4, limit: 10, totalPages: 3, totalResults: 23 })
  })

  it('finds a part of the name, whatever its case, and takes signs literally', {
    tags: ['@AP-13', '@Q88'],
  }, async () => {
    for (const name of [
      '100% Oats',
      'Über Öl_and_OATS',
      "Robert'); --",
      'Back\\slash',
      '<b>bold</b>',
    ]) {
      await app.article({ name })
    }
    const find = (text: string) => names(`name=${encodeURIComponent(text)}`)
    expect(await find('oats')).toEqual(['100% Oats', 'Über Öl_and_OATS'])
    expect(await find('ÜBER ö')).toEqual(['Über Öl_and_OATS'])
    expect(await find('%')).toEqual(['100% Oats'])
    expect(await find('_')).toEqual(['Über Öl_and_OATS'])
    expect(await find('\\')).toEqual(['Back\\slash'])
    expect(await find("' OR 1=1 --")).toEqual([])
    expect(await find("'); --")).toEqual(["Robert'); --"])
    expect(await find('<B>')).toEqual(['<b>bold</b>'])
    expect(await find('  oats ')).toHaveLength(2)
    expect((await list('name=oats')).totalResults).toBe(2)
  })

  it('orders by every column, ties by creation', { tags: ['@Q68'] }, async () => {
    const bakery = await app.client({ name: 'bakery' })
    const Cafe = await app.client({ name: 'Cafe' })
    await app.article({ name: 'b', client: Cafe, wordMinimum: 20, completed: true })
    app.clock.advance(1_000)
    await app.article({ name: 'A', client: bakery, wordMinimum: 3 })
    app.clock.advance(1_000)
    const last = await app.article({ name: 'c', client: Cafe, wordMinimum: 20 })
    await app.article({ name: 'd' })
    await app.as(admin).patch(`/v1/articles/admin/${last.id}`, { wordMinimum: 3 })
    const order = async (key: string) => (await names(`sortBy=${key}`)).join('')
    expect(await order('id')).toBe('bAcd')
    expect(await order('name')).toBe('Abcd')
    expect(await order('name:desc')).toBe('dcbA')
    expect(await order('completed')).toBe('Acdb')
    expect(await order('completed:desc')).toBe('bdcA')
    expect(await order('client')).toBe('dAbc')
    expect(await order('client:desc')).toBe('cbAd')
    expect(await order('client,name:desc')).toBe('dAcb')
    expect(await order('createdAt:desc')).toBe('dcAb')
    expect(await order('wordMinimum')).toBe('dAcb')
    expect(await order('updatedAt:desc')).toBe('cdAb')
  })

  it('the order by client follows what happens to clients', async () => {
    const a = await app.client({ name: 'a' })
    const b = await app.client({ name: 'b' })
    await app.article({ name: 'of a', client: a })
    await app.article({ name: 'of b', client: b })
    const moved = await app.article({ name: 'moved', client: a })
    const order = () => names('sortBy=client')
    expect(await order()).toEqual(['of a', 'moved', 'of b'])
    await app.as(admin).patch(`/v1/clients/${a.id}`, { name: 'Z' })
    expect(await order()).toEqual(['of b', 'of a', 'moved'])
    await app.as(admin).patch(`/v1/articles/admin/${moved.id}`, { clientId: b.id })
    expect(await order()).toEqual(['of b', 'moved', 'of a'])
    await app.as(admin).delete(`/v1/clients/${a.id}`)
    expect(await order()).toEqual(['of a', 'of b', 'moved'])
    await app.as(admin).patch(`/v1/articles/admin/${moved.id}`, { clientId: null })
    expect(await order()).toEqual(['of a', 'moved', 'of b'])
  })
})

describe('what a list reads', () => {
  const READ_BY_STATE = /^SEARCH articles USING INDEX articles_by_completion \(completed=\?\)$/
  const filters = (ids: string[]) => [
    '',
    'name=oat',
    `clientId=${ids}`,
    `clientId=${ids}&name=oat`,
    'completed=false',
    'hasEntities=false',
    'hasClient=false',
    `completed=false&hasEntities=false&clientId=${ids}`,
    'completed=false&hasEntities=false&name=oat',
  ]
  /** The plans of all queries on the table that one request sends. */
  const plansOf = async (table: string, query: string) => {
    queries.length = 0
    const answer = await app.as(admin).get(`/v1/${table}?${query}`)
    expect(answer.status).toBe(200)
    const asked = queries.filter((one) => one.sql.includes(`from "${table}"`))
    return Promise.all(asked.map(async (one) => ({ sql: one.sql, steps: await planOf(one) })))
  }
  const planOf = async (query: CompiledQuery) => {
    const explained = { ...query, sql: `explain query plan ${query.sql}` }
    const { rows } = await app.db.executeQuery<PlanStep>(explained)
    return rows
  }
  type PlanStep = { id: number; parent: number; detail: string }
  const isPage = ({ sql }: { sql: string }) => / limit \?( \+ 0)? offset \?/.test(sql)
  /** The plan steps that find the page, without those that read rows for it. */
  const pageSteps = (steps: PlanStep[] = []) => {
    const inner = steps.find(({ detail }) => detail.startsWith('LIST SUBQUERY'))
    const found = inner ? steps.filter(({ parent }) => parent === inner.id) : steps
    return found.map(({ detail }) => detail)
  }

  /** Full of rows, then with statistics too: the planner must not think otherwise when it knows more. */
  async function office(): Promise<string[]> {
    const ids: string[] = []
    for (let count = 0; count < 20; count++) {
      const client = await app.client({ name: `Client ${count}`, users: [await app.user()] })
      ids.push(client.id)
      for (let of = 0; of < 10; of++) await app.article({ name: `Oat ${of}`, client })
    }
    return ids
  }

  it.each([false, true])(
    'finds a page of articles in an index alone and reads no text (statistics: %s)',
    { tags: ['@AP-11'] },
    async (withStatistics) => {
      const ids = await office()
      if (withStatistics) await sql`analyze`.execute(app.db)
      for (const filter of [...filters(ids), ...filters(ids.slice(0, 1))]) {
        for (const field of ARTICLE_SORT_FIELDS) {
          for (const order of depth === 'quick' ? ORDERS.slice(1) : ORDERS) {
            const query = `${filter}&sortBy=${field}:${order}&limit=5`
            const plans = await plansOf('articles', query)
            expect(plans.map((plan) => plan.sql).join()).not.toContain('article_text')
            const steps = plans.flatMap((plan) =>
              plan.steps.map((step) => step.detail).filter((step) => / articles/.test(step)),
            )
            // The rows that are shown, and the few that a name is found in; everything else without the table.
            const rest = steps.filter(
              (step) => !/USING INDEX sqlite_autoindex_\w+ \(id=\?\)|\(rowid=\?\)/.test(step),
            )
            // Where few articles are not complete they are read by that, whatever the order.
            if (filter === 'completed=false' && rest.every((step) => READ_BY_STATE.test(step)))
              continue
            if (!query.includes('name=')) expect(rest.length).toBeGreaterThanOrEqual(1)
            expect(rest.filter((step) => !step.includes('COVERING INDEX'))).toEqual([])
          }
        }
      }
    },
  )

  it.each([
    ['articles', ARTICLE_SORT_FIELDS],
    ['clients', CLIENT_SORT_FIELDS],
    ['users', USER_SORT_FIELDS],
  ])('stops at the end of the first page of %s in every order', async (table, fields) => {
    await office()
    for (const field of fields) {
      for (const direction of ['asc', 'desc']) {
        const [page] = (await plansOf(table, `sortBy=${field}:${direction}`)).filter(isPage)
        // One walk along an index, and nothing sorted afterwards.
        expect(pageSteps(page?.steps)).toEqual([
          expect.stringMatching(new RegExp(`^SCAN ${table} USING (COVERING )?INDEX`)),
        ])
      }
    }
  })

  it('reads page and total by one statement, of one moment, and counts no articles', {
    tags: ['@AP-28'],
  }, async () => {
    const ids = await office()
    const asked = async (query: string) =>
      (await plansOf('articles', query))
        .map(({ sql }) => sql)
        .filter((one) => one.includes('select'))
    for (const filter of ['', `clientId=${ids}`]) {
      const [page, ...more] = await asked(filter)
      expect(more).toEqual([])
      expect(page).toContain('article_counts')
      expect(page).not.toContain('count(*)')
    }
    await asked('name=o')
    const [again, ...more] = await asked('name=o&page=2')
    expect(more).toEqual([])
    expect(again).not.toContain('count(*)')
  })

  it('asks for the users of all clients of a page at once', async () => {
    await office()
    queries.length = 0
    await app.as(admin).get('/v1/clients?limit=999')
    expect(queries.filter((one) => one.sql.includes('"client_users"'))).toHaveLength(1)
  })
})
