import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

let app: TestApp
let admin: TestUser
const clients: { id: string }[] = []

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.user({ role: 'admin' })
  for (let count = 0; count < 1_001; count++) {
    clients.push(await app.client({ name: `Client ${count}` }))
  }
  await app.article({ client: clients[0] ?? null })
  await app.article({ client: clients[998] ?? null })
  await app.article({ client: null })
})

const ask = async (list: string, query: string) => {
  const answer = await app.as(admin).get(`/v1/${list}?${query}`)
  return { status: answer.status, body: await answer.json() }
}
const lists = ['articles', 'clients', 'users']
const everyList = (queries: string[]) =>
  queries.flatMap((query) => lists.map((list) => [list, query] as const))

describe('sortBy', () => {
  it.each(
    everyList([
      'sortBy=id',
      'sortBy=id:desc',
      'sortBy=name:asc',
      'sortBy=name:desc,id',
      'sortBy=name,id,name',
    ]),
  )('GET /%s?%s is answered', async (list, query) => {
    expect((await ask(list, query)).status).toBe(200)
  })

  it.each([
    ['articles', 'completed client updatedAt createdAt wordMinimum'],
    ['clients', 'moonOwlClient'],
    ['users', 'email role'],
  ])('%s can be ordered by %s too', { tags: ['@Q68'] }, async (list, fields) => {
    for (const field of fields.split(' ')) {
      for (const key of [field, `${field}:asc`, `${field}:desc`]) {
        expect((await ask(list, `sortBy=${key}`)).status).toBe(200)
      }
    }
  })

  it.each(
    everyList([
      'sortBy=password',
      'sortBy=passwordHash',
      'sortBy=password_hash',
      'sortBy=name_folded',
      'sortBy=id;drop table users',
      'sortBy=(select 1)',
      'sortBy=__proto__',
      'sortBy=constructor',
      'sortBy=name:sideways',
      'sortBy=name:DESC',
      'sortBy=name:desc:desc',
      'sortBy=',
      'sortBy=,',
      'sortBy=name,,id',
      'sortBy=id,name,id,name',
    ]),
  )('GET /%s?%s is refused', async (list, query) => {
    const { status, body } = await ask(list, query)
    expect([status, body.code]).toEqual([400, 400])
    expect(body.message).toMatch(/^"sortBy" must be at most 3 of \[id, name, .+\], each with/)
  })
})

describe('page and limit', () => {
  it.each(
    everyList(['limit=1', 'limit=999', 'itemsPerPage=999', 'limit=1000', 'page=1', 'page=1000000']),
  )('GET /%s?%s is answered', async (list, query) => {
    expect((await ask(list, query)).status).toBe(200)
  })

  it.each(
    everyList([
      'limit=0',
      'limit=-1',
      'limit=1001',
      'limit=abc',
      'limit=1.5',
      'limit=1e3',
      'limit=',
      'limit=%2B5',
      'limit=99999999999999999999',
      'itemsPerPage=0',
      'itemsPerPage=1001',
      'limit=10&itemsPerPage=20',
      'page=0',
      'page=-1',
      'page=1000001',
      'page=1000000000000000',
      'page=x',
    ]),
  )('GET /%s?%s is refused', async (list, query) => {
    expect((await ask(list, query)).status).toBe(400)
  })

  it('returns page 1 of 10 by default, with the total', {
    tags: ['@AC-16', '@AP-12', '@AP-28', '@CN-02'],
  }, async () => {
    const { results, ...envelope } = (await ask('clients', '')).body
    expect(results).toHaveLength(10)
    expect(envelope).toEqual({ page: 1, limit: 10, totalPages: 101, totalResults: 1_001 })
  })

  it('a page past the end is an empty one', async () => {
    const { body } = await ask('clients', 'page=500&limit=1000')
    expect(body).toEqual({ results: [], page: 500, limit: 1000, totalPages: 2, totalResults: 1001 })
  })

  it('gives 999 clients at once, by either name', { tags: ['@AA-05', '@Q63'] }, async () => {
    expect((await ask('clients', 'limit=999')).body.results).toHaveLength(999)
    expect((await ask('clients', 'itemsPerPage=999')).body.results).toHaveLength(999)
    expect((await ask('clients', 'itemsPerPage=9&limit=9')).body.results).toHaveLength(9)
  })
})

describe('keys', () => {
  it.each(
    everyList([
      'limit=1&limit=2',
      'page=1&page=1',
      'name=a&name=b',
      'sortBy=id&sortBy=id',
      'limit[$gt]=1',
      'name[]=a',
      'sortBy[id]=desc',
      'page[0]=1',
    ]),
  )('GET /%s?%s is refused', async (list, query) => {
    expect((await ask(list, query)).status).toBe(400)
  })

  it.each(
    everyList([
      'role=admin',
      '_method=DELETE',
      'unknown=1&unknown=2',
      '__proto__[x]=1',
      'limits=0',
    ]),
  )('GET /%s?%s is answered: keys that mean nothing do nothing', async (list, query) => {
    expect((await ask(list, query)).status).toBe(200)
  })

  it('clientId comes repeated, bracketed, numbered or by commas', { tags: ['@Q67'] }, async () => {
    const [first = { id: '' }] = clients
    const { id } = clients[998] ?? { id: '' }
    const both = `${first.id},${id}`
    for (const query of [
      `clientId=${first.id}&clientId=${id}`,
      `clientId[]=${first.id}&clientId[]=${id}`,
      `clientId%5B%5D=${first.id}&clientId%5B%5D=${id}`,
      `clientId[0]=${first.id}&clientId[1]=${id}`,
      `clientId=${both}`,
      `clientId=${both}&clientId=${id}`,
    ]) {
      expect((await ask('articles', query)).body.totalResults).toBe(2)
    }
    expect((await ask('articles', `clientId=${id}`)).body.totalResults).toBe(1)
    expect((await ask('articles', 'clientId=')).body.totalResults).toBe(3)
  })

  it('clientId takes 1,000 ids and no more, and nothing that is no id', async () => {
    const query = (count: number) =>
      clients
        .slice(0, count)
        .map(({ id }) => `clientId=${id}`)
        .join('&')
    expect((await ask('articles', query(999))).body.totalResults).toBe(2)
    expect((await ask('articles', query(1_000))).status).toBe(200)
    expect((await ask('articles', query(1_001))).body).toMatchObject({
      code: 400,
      message: '"clientId" must be at most 1000 ids',
    })
    for (const key of [
      'clientId=x',
      'clientId[$ne]=x',
      'clientId[x][0]=x',
      'clientId[__proto__]=x',
    ]) {
      expect((await ask('articles', key)).status).toBe(400)
    }
  })

  it.each([
    ['clients', 'moonOwlClient=yes'],
    ['clients', 'moonOwlClient=1'],
    ['clients', 'moonOwlClient='],
    ['articles', 'fields=all'],
    ['articles', 'fields='],
  ])('GET /%s?%s is refused', async (list, query) => {
    expect((await ask(list, query)).status).toBe(400)
  })
})

describe('a search', () => {
  it.each(
    everyList([
      'name=a%00b',
      `name=${'x'.repeat(201)}`,
      'name=%ED%A0%80',
      'name=a%E2%80%AEb',
      'name=%FF',
      'name=a%0Ab',
      'name=',
      'name=%20',
      'name=100%',
      'name=%25',
    ]),
  )('GET /%s?%s is answered, whatever it searches for', async (list, query) => {
    expect((await ask(list, query)).status).toBe(200)
  })
})
