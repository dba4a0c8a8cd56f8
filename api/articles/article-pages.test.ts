import { type Selectable, sql } from 'kysely'
import { beforeAll, expect, inject, it } from 'vitest'
import { foldName } from '../../domain/names/folded-name.ts'
import {
  ARTICLE_SORT_FIELDS,
  type ArticleFilter,
  type ArticleSortField,
} from '../../domain/wire/list-query.ts'
import { depth } from '../../scripts/test-depth.ts'
import type { Tables } from '../database/tables.ts'
import { type Page, pagesToRead } from '../testing/pages-to-read.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

const ARTICLES = 240
/** The run over PostgreSQL reads fewer pages of each list. */
const IS_BRIEF = depth === 'all' && inject('postgres') !== undefined
/** The first, one in the middle, one that is read from behind, and all. */
const FEW_PAGES: Page[] = [
  [10, 1],
  [10, 12],
  [7, 33],
  [1000, 1],
]
const PAGES: Page[] = IS_BRIEF
  ? FEW_PAGES
  : [
      [10, 1],
      [10, 2],
      [10, 11],
      [10, 14],
      [10, 17],
      [10, 26],
      [7, 38],
      [7, 39],
      [100, 3],
      [1000, 1],
    ]
const PAGES_OF_STATES: Page[] = IS_BRIEF
  ? FEW_PAGES
  : [
      [10, 1],
      [10, 2],
      [10, 12],
      [7, 16],
      [100, 2],
      [1000, 1],
    ]
const KEYWORD = { keyword: 'oat', source: 'E', score: 4, category: 'Must Use' }
let app: TestApp
let admin: TestUser
let clientIds: string[]
/** All articles, with the fields that the paged lists filter and sort by. */
let articles: (Selectable<Tables['articles']> & { foldedName: string })[]

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.user({ role: 'admin' })
  const clients = [await app.client({ name: 'Mill' }), await app.client({ name: 'inn' })]
  clientIds = clients.map(({ id }) => id)
  for (let count = 0; count < ARTICLES; count += 1) {
    const client = clients[count % 3]
    const name = `${['Oat', 'RYE', 'öl'][count % 3]} ${count % 40} ${count % 7 === 0 ? 'beer' : 'bread'}`
    const state = { completed: count % 4 === 0, wordMinimum: count % 9 }
    const keywordList = count % 5 === 0 ? [] : [KEYWORD]
    await app.article({ name, ...state, keywordList, ...(client && { client }) })
    app.clock.advance(1_000)
  }
  const rows = await app.db.selectFrom('articles').selectAll().execute()
  articles = rows.map((row) => ({ ...row, foldedName: foldName(row.name) }))
})

const ask = async (query: string) => (await app.as(admin).get(`/v1/articles?${query}`)).json()

/** The expected list, computed from every row. */
function expected(
  field: ArticleSortField,
  direction: string,
  part: string,
  { clientId: clients, completed, hasEntities, hasClient }: ArticleFilter,
) {
  const key = (row: (typeof articles)[number]) =>
    ({
      id: row.id,
      name: row.name_folded,
      completed: row.completed,
      client: row.client_name_folded,
      updatedAt: row.updated_at,
      createdAt: row.created_at,
      wordMinimum: row.word_minimum,
    })[field]
  const sign = direction === 'asc' ? 1 : -1
  const order = (a: string | number, b: string | number) => (a < b ? -sign : a > b ? sign : 0)
  const foldedPart = foldName(part)
  return articles
    .filter((row) => row.foldedName.includes(foldedPart))
    .filter((row) => clients.length === 0 || clients.includes(row.client_id ?? ''))
    .filter((row) => completed === undefined || completed === (row.completed === 1))
    .filter((row) => hasEntities === undefined || hasEntities === (row.keyword_list !== '[]'))
    .filter((row) => hasClient === undefined || hasClient === (row.client_id !== null))
    .sort((a, b) => order(key(a), key(b)) || order(a.id, b.id))
    .map(({ id }) => id)
}

it.each(ARTICLE_SORT_FIELDS)(
  'every page by %s is the matching slice of the list',
  { tags: ['@AP-12', '@AP-28'] },
  async (field) => {
    for (const direction of ['asc', 'desc']) {
      for (const clients of [[], clientIds]) {
        for (const part of ['', 'bread', 'o', 'nothing']) {
          const ids = expected(field, direction, part, { clientId: clients })
          const query = `sortBy=${field}:${direction}&name=${part}&clientId=${clients}`
          for (const [limit, page] of pagesToRead(PAGES)) {
            const body = await ask(`${query}&limit=${limit}&page=${page}`)
            const shown = body.results.map(({ id }: { id: string }) => id)
            expect(shown).toEqual(ids.slice((page - 1) * limit, page * limit))
            expect(body.totalResults).toBe(ids.length)
          }
        }
      }
    }
  },
)

const STATES: Omit<ArticleFilter, 'clientId'>[] = [
  { completed: false },
  { completed: true },
  { hasEntities: false },
  { hasEntities: true },
  { hasClient: false },
  { hasClient: true },
  { completed: false, hasEntities: false },
  { completed: false, hasClient: false },
  { completed: false, hasEntities: false, hasClient: false },
]

it.each(STATES)('every page of the articles that are %j, in every order', async (states) => {
  const filter = new URLSearchParams(Object.entries(states).map(([key, is]) => [key, `${is}`]))
  for (const field of ARTICLE_SORT_FIELDS) {
    for (const direction of ['asc', 'desc']) {
      for (const clientId of [[], clientIds]) {
        for (const part of ['', 'bread']) {
          const ids = expected(field, direction, part, { clientId, ...states })
          const query = `${filter}&sortBy=${field}:${direction}&name=${part}&clientId=${clientId}`
          for (const [limit, page] of pagesToRead(PAGES_OF_STATES)) {
            const body = await ask(`${query}&limit=${limit}&page=${page}`)
            const shown = body.results.map(({ id }: { id: string }) => id)
            expect(shown).toEqual(ids.slice((page - 1) * limit, page * limit))
            expect(body.totalResults).toBe(ids.length)
          }
        }
      }
    }
  }
})

it('the counts are those of the lists, of a search and of clients too', async () => {
  for (const clientId of [[], clientIds.slice(0, 1)]) {
    for (const name of ['', 'bread', 'o', 'nothing']) {
      const query = `name=${name}&clientId=${clientId}`
      const answer = await app.as(admin).get(`/v1/articles/admin/counts?${query}`)
      const totals = await Promise.all(
        ['completed', 'hasEntities', 'hasClient'].map(
          async (state) => (await ask(`${query}&${state}=false`)).totalResults,
        ),
      )
      const { notComplete, withoutEntities, withoutClient } = await answer.json()
      expect([notComplete, withoutEntities, withoutClient]).toEqual(totals)
    }
  }
})

it('the counts and totals follow every article that changes its state', async () => {
  const counts = async () =>
    Promise.all(
      ['completed=false', 'hasEntities=false', 'hasClient=false'].map(
        async (state) => (await ask(`${state}&name=porter`)).totalResults,
      ),
    )
  const expectMaintained = async () => {
    const { rows } = await sql<{ client_id: string; articles: number | string }>`
      select client_id, completed, has_entities, sum(articles) as articles from article_counts
        group by client_id, completed, has_entities having sum(articles) > 0`.execute(app.db)
    const { rows: counted } = await sql<{ client_id: string; articles: number | string }>`
      select '' as client_id, completed, has_entities, count(*) as articles
        from articles group by completed, has_entities
      union all
      select coalesce(client_id, '-'), completed, has_entities, count(*)
        from articles group by coalesce(client_id, '-'), completed, has_entities`.execute(app.db)
    const inOrder = (some: typeof rows) =>
      some.map((row) => JSON.stringify({ ...row, articles: Number(row.articles) })).sort()
    expect(inOrder(rows)).toEqual(inOrder(counted))
  }
  const { id } = await app.article({ name: 'Porter' })
  expect(await counts()).toEqual([1, 1, 1])
  await expectMaintained()
  const settings = (changes: object) => app.as(admin).patch(`/v1/articles/admin/${id}`, changes)
  await settings({ keywordList: [KEYWORD] })
  expect(await counts()).toEqual([1, 0, 1])
  await expectMaintained()
  await settings({ clientId: clientIds[0] })
  expect(await counts()).toEqual([1, 0, 0])
  await expectMaintained()
  await app.as(admin).patch(`/v1/articles/${id}`, { completed: true })
  expect(await counts()).toEqual([0, 0, 0])
  await expectMaintained()
  await app.as(admin).delete(`/v1/articles/${id}`)
  await expectMaintained()
  await app.as(admin).post(`/v1/articles/admin/${id}/restore`)
  await settings({ keywordList: [], clientId: null })
  expect(await counts()).toEqual([0, 1, 1])
  await expectMaintained()
  await app.as(admin).delete(`/v1/articles/${id}`)
})

it('the total of a search follows every article that comes, goes, moves or is renamed', {
  tags: ['@AP-28'],
}, async () => {
  const [mill, inn] = clientIds
  const totals = async () =>
    Promise.all(
      ['name=porter', `name=porter&clientId=${mill}`, `name=porter&clientId=${inn}`, 'name=po'].map(
        async (query) => (await ask(query)).totalResults,
      ),
    )
  expect(await totals()).toEqual([0, 0, 0, 0])
  const [first, second] = [
    await app.article({ name: 'Porter' }),
    await app.article({ name: 'Bock' }),
  ]
  expect(await totals()).toEqual([1, 0, 0, 1])
  const change = (id: string, settings: object) =>
    app.as(admin).patch(`/v1/articles/admin/${id}`, settings)
  await change(second.id, { name: 'Light porter' })
  expect(await totals()).toEqual([2, 0, 0, 2])
  await change(second.id, { clientId: mill })
  expect(await totals()).toEqual([2, 1, 0, 2])
  await change(second.id, { clientId: inn })
  expect(await totals()).toEqual([2, 0, 1, 2])
  await app.as(admin).delete(`/v1/articles/${first.id}`)
  expect(await totals()).toEqual([1, 0, 1, 1])
  await app.as(admin).delete(`/v1/articles/${second.id}`)
  expect(await totals()).toEqual([0, 0, 0, 0])
})
