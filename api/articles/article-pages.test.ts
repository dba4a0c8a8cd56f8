import { beforeAll, expect, it } from 'vitest'
import { ARTICLE_SORT_FIELDS, type ArticleSortField } from '../../domain/list-query.ts'
import { createTestApp, type TestApp, type TestUser } from '../test-app.ts'

const ARTICLES = 240
let app: TestApp
let admin: TestUser
let clientIds: string[]

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.user({ role: 'admin' })
  const clients = [await app.client({ name: 'Mill' }), await app.client({ name: 'inn' })]
  clientIds = clients.map(({ id }) => id)
  for (let count = 0; count < ARTICLES; count += 1) {
    const client = clients[count % 3]
    const name = `${['Oat', 'RYE', 'öl'][count % 3]} ${count % 40} ${count % 7 === 0 ? 'beer' : 'bread'}`
    const state = { completed: count % 4 === 0, wordMinimum: count % 9 }
    await app.article({ name, ...state, ...(client && { client }) })
    app.clock.advance(1_000)
  }
})

const ask = async (query: string) => (await app.as(admin).get(`/v1/articles?${query}`)).json()

/** What the list is, by reading every row. */
async function expected(
  field: ArticleSortField,
  direction: string,
  part: string,
  clients: string[],
) {
  const rows = await app.db.selectFrom('articles').selectAll().execute()
  const key = (row: (typeof rows)[number]) =>
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
  return rows
    .filter((row) => row.name.toLowerCase().includes(part))
    .filter((row) => clients.length === 0 || clients.includes(row.client_id ?? ''))
    .sort((a, b) => order(key(a), key(b)) || order(a.id, b.id))
    .map(({ id }) => id)
}

it.each(ARTICLE_SORT_FIELDS)(
  'AP-12 AP-28 every page by %s is the piece of the list that it stands for',
  async (field) => {
    for (const direction of ['asc', 'desc']) {
      for (const clients of [[], clientIds]) {
        for (const part of ['', 'bread', 'o', 'nothing']) {
          const ids = await expected(field, direction, part, clients)
          const query = `sortBy=${field}:${direction}&name=${part}&clientId=${clients}`
          for (const [limit, page] of [
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
          ] as const) {
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

it('AP-28 the total of a search follows every article that comes, goes, moves or is renamed', async () => {
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
