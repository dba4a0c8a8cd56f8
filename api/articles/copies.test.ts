import { beforeEach, describe, expect, it } from 'vitest'
import { COPIES_MAX, HAND_INS_LIMIT_MAX } from '../../domain/limits.ts'
import { doc, paragraph, text } from '../../domain/testing/nodes.ts'
import type { Copies } from '../../domain/wire/copies.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

let app: TestApp
let admin: TestUser
let writer: TestUser
let client: { id: string }

beforeEach(async () => {
  app = await createTestApp()
  admin = await app.user({ role: 'admin' })
  writer = await app.user()
  client = await app.client({ users: [writer] })
})

const article = async (words = 'A text.', of: { id: string } | null = client) =>
  (await app.article({ client: of, articleText: doc(paragraph(text(words))) })).id
const ask = (query: string, person = writer) =>
  app.as(person).get(`/v1/articles/client/copies?${query}`)
const copies = async (ids: string[], person = writer): Promise<Copies> =>
  (await ask(`ids=${ids.join(',')}`, person)).json()
const single = async (path: string) => (await app.as(writer).get(`/v1/articles/${path}`)).json()

/** An article that was completed `times` times, with a plan and a note. */
async function marked(times: number): Promise<string> {
  const id = await article()
  const path = `/v1/articles/${id}`
  for (let time = 0; time < times; time += 1) {
    await app.as(writer).patch(path, { completed: true })
    await app.as(admin).patch(path, { completed: false })
  }
  await app.as(admin).put(`${path}/plan`, { brief: 'Write about prices.', dueOn: '2026-12-03' })
  await app.as(admin).post(`${path}/notes`, { kind: 'reopened', body: 'More.', handIn: 1 })
  await app.as(writer).post(`${path}/notes`, { kind: 'answer', body: 'Done.', handIn: 1 })
  return id
}

describe('copies for work without a connection', { tags: ['@SY-11'] }, () => {
  it('are what the single calls return, in the order of the ids', async () => {
    const plain = await article()
    const other = await marked(2)
    const { results, rest } = await copies([other, plain])
    expect(rest).toEqual([])
    const expected = [other, plain].map(async (id) => ({
      article: await single(id),
      plan: await single(`${id}/plan`),
      handIns: (await single(`${id}/hand-ins`)).results,
      notes: (await single(`${id}/notes`)).results,
    }))
    expect(results).toEqual(await Promise.all(expected))
    expect(results.map((copy) => [copy.handIns.length, copy.notes.length])).toEqual([
      [2, 2],
      [0, 0],
    ])
  })

  it('have the newest receipts of an article that was completed very often', async () => {
    const id = await marked(HAND_INS_LIMIT_MAX + 1)
    const [copy] = (await copies([id])).results
    expect(copy?.article.handIns).toBe(HAND_INS_LIMIT_MAX + 1)
    expect(copy?.handIns.map(({ number }) => number)).toEqual(
      Array.from({ length: HAND_INS_LIMIT_MAX }, (_, at) => HAND_INS_LIMIT_MAX + 1 - at),
    )
  })

  it('leave out articles of others, deleted and unknown ones, also among those without room', async () => {
    const mine = await article('word '.repeat(60_000))
    const theirs = await article('word '.repeat(60_000), null)
    const deleted = await article()
    await app.as(admin).delete(`/v1/articles/${deleted}`)
    const ids = [mine, theirs, deleted, '0195a000-0000-7000-8000-00000000ffff']
    const { results, rest } = await copies(ids)
    expect([results.map((copy) => copy.article.id), rest]).toEqual([[mine], []])
    const forAdmin = await copies(ids, admin)
    expect([forAdmin.results.map((copy) => copy.article.id), forAdmin.rest]).toEqual([
      [mine],
      [theirs],
    ])
  })

  it('come with as many texts as have room, and name the others', async () => {
    const words = 'word '.repeat(25_000)
    const ids = [await article(words), await article(words), await article(words), await article()]
    const first = await copies(ids)
    expect(first.results.map((copy) => copy.article.id)).toEqual(ids.slice(0, 2))
    expect(first.rest).toEqual(ids.slice(2))
    const second = await copies(first.rest)
    expect([second.results.map((copy) => copy.article.id), second.rest]).toEqual([ids.slice(2), []])
  })

  it.each([
    ['none', ''],
    ['an empty list', 'ids='],
    ['what is no id', 'ids=first'],
    [
      'too many',
      `ids=${Array(COPIES_MAX + 1)
        .fill('0195a000-0000-7000-8000-00000000ffff')
        .join(',')}`,
    ],
  ])('refuse %s', async (_, query) => {
    const answer = await ask(query)
    expect([answer.status, (await answer.json()).message]).toEqual([
      400,
      expect.stringContaining('"ids'),
    ])
  })
})
