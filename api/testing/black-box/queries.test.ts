import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type Filled, fill, type StartedServer, startServer } from './started-server.ts'

let server: StartedServer
let all: Filled

beforeAll(async () => {
  server = await startServer()
  all = await fill(server)
})
afterEach(() => server.expectHealthy())
afterAll(() => server.stop())

const list = (query: string, of = 'articles') => server.as(all.A1).get(`/v1/${of}?${query}`)
const status = async (query: string, of?: string) => (await list(query, of)).status

it.each([
  'password',
  'passwordHash',
  'password_hash',
  'id;drop table users',
  '(select 1)',
  '__proto__',
  'constructor',
  'name:sideways',
  'name:desc:asc',
  'id,name,completed,updatedAt',
])('sorts by nothing of the kind of %s', async (key) => {
  for (const of of ['articles', 'users', 'clients'])
    expect(await status(`sortBy=${encodeURIComponent(key)}`, of)).toBe(400)
})

it('sorts by its listed fields', async () => {
  for (const of of ['articles', 'users', 'clients'])
    for (const key of ['name:desc', 'name', 'id', 'name,id:desc'])
      expect(await status(`sortBy=${key}`, of)).toBe(200)
})

it.each(["' OR 1=1 --", '%', '_', '\\', "'", '%%', 'a" or "1"="1'])(
  'searches for %j literally',
  async (words) => {
    const name = `Odd ${words} one`
    const body = { name, wordMinimum: 0 }
    expect((await server.as(all.A1).post('/v1/articles', body)).status).toBe(201)
    const { results } = await (await list(`limit=999&name=${encodeURIComponent(words)}`)).json()
    const names = results.map((one: { name: string }) => one.name)
    expect(names).toContain(name)
    expect(names.every((one: string) => one.includes(words))).toBe(true)
  },
)

it.each(['%00', 'x'.repeat(201), '%ed%a0%80', '%ff', 'a%0d%0ab', '%e2%80%aea', '%'])(
  'returns the search for %s',
  async (words) => {
    for (const of of ['articles', 'users', 'clients'])
      expect(await status(`name=${words}`, of)).toBe(200)
  },
)

it.each([
  'limit=0',
  'limit=-1',
  'limit=1001',
  'limit=abc',
  'limit=1.5',
  'limit=1e3',
  'limit=11111111111111111111',
  'page=0',
  'page=-1',
  'page=1e15',
  'limit=1&limit=2',
  'limit[$gt]=1',
])('refuses %s', async (query) => {
  expect(await status(query)).toBe(400)
})

it('pages past the end are empty, and 999 is a page', async () => {
  const answer = await list('page=1000')
  expect([answer.status, (await answer.json()).results]).toEqual([200, []])
  expect([await status('limit=999'), await status('itemsPerPage=999')]).toEqual([200, 200])
})

it('filters by 999 clients, in an address of 36 KB, and by no more than 1,000', async () => {
  const filter = (count: number) =>
    Array.from({ length: count }, () => `clientId=${all.C1}`).join('&')
  expect(await status(filter(999))).toBe(200)
  expect(await status(filter(1_001))).toBe(400)
})
