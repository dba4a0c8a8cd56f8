import { expect, it } from 'vitest'
import type { ArticleDocument } from '../../domain/text/document.ts'
import type { MonthSheet } from '../../domain/wire/progress.ts'
import { createTestApp } from '../testing/test-app.ts'

const text = (words: string): ArticleDocument => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
})

/** The clock begins at 9:00 UTC on 2 March 2026. */
async function agency(timeZone = 'UTC') {
  const app = await createTestApp({ config: { timeZone } })
  const admin = await app.user({ name: 'Ada Ferris', role: 'admin' })
  const writer = await app.user({ name: 'Imogen Hale' })
  const mill = await app.client({ name: 'Mill', users: [writer] })
  const inn = await app.client({ name: 'Inn', users: [writer] })
  const at = async (time: string) => {
    app.clock.advance(Date.parse(time) - app.clock.now())
    for (const person of [admin, writer]) await app.signIn(person)
  }
  const handIn = (id: string, words?: string) =>
    app.as(writer).patch(`/v1/articles/${id}`, {
      ...(words !== undefined && { articleText: text(words) }),
      completed: true,
    })
  const reopen = (id: string) => app.as(admin).patch(`/v1/articles/${id}`, { completed: false })
  const month = async (query: string): Promise<MonthSheet> =>
    (await app.as(admin).get(`/v1/hand-ins?${query}`)).json()
  return { app, admin, writer, mill, inn, at, handIn, reopen, month }
}

it('has each hand-in as it was then, oldest first, and the sums of all pages', async () => {
  const { app, admin, writer, mill, inn, at, handIn, reopen, month } = await agency()
  const oats = await app.article({ name: 'Oats', client: mill, wordMinimum: 2 })
  const rye = await app.article({ name: 'Rye', client: inn })
  await handIn(oats.id, 'One two.')
  await at('2026-03-03T09:00:00Z')
  await reopen(oats.id)
  await handIn(oats.id, 'One two three.')
  await at('2026-03-04T09:00:00Z')
  await handIn(rye.id, 'One.')

  await app.as(admin).patch(`/v1/articles/admin/${oats.id}`, {
    name: 'Barley',
    clientId: inn.id,
    wordMinimum: 900,
  })
  await app.as(admin).patch(`/v1/clients/${mill.id}`, { name: 'Windmill' })
  await app.as(admin).patch(`/v1/users/${writer.id}`, { name: 'Imogen Wren' })
  await app.as(admin).delete(`/v1/articles/${rye.id}`)

  const sheet = await month('month=2026-03')
  const fingerprint = expect.stringMatching(/^[\da-f]{64}$/)
  const ofOats = {
    articleId: oats.id,
    article: 'Oats',
    clientId: mill.id,
    client: 'Mill',
    writer: 'Imogen Hale',
    wordMinimum: 2,
    of: 2,
    fingerprint,
  }
  expect(sheet).toEqual({
    month: '2026-03',
    results: [
      { ...ofOats, at: '2026-03-02T09:00:00.001Z', words: 2, number: 1 },
      { ...ofOats, at: '2026-03-03T09:00:00.001Z', words: 3, number: 2 },
      {
        articleId: rye.id,
        article: 'Rye',
        clientId: inn.id,
        client: 'Inn',
        writer: 'Imogen Hale',
        at: '2026-03-04T09:00:00.000Z',
        words: 1,
        wordMinimum: 0,
        number: 1,
        of: 1,
        fingerprint,
      },
    ],
    page: 1,
    limit: 10,
    totalPages: 1,
    totalResults: 3,
    words: 6,
    belowMinimum: 1,
  })
  for (const [page, row] of sheet.results.entries()) {
    expect(await month(`month=2026-03&limit=1&page=${page + 1}`)).toMatchObject({
      results: [row],
      totalResults: 3,
      words: 6,
      belowMinimum: 1,
    })
  }
  expect(await month(`month=2026-03&clientId=${inn.id}`)).toMatchObject({
    results: [{ article: 'Rye' }],
    words: 1,
    belowMinimum: 0,
  })
  expect(await month('month=2026-04')).toMatchObject({ results: [], words: 0, belowMinimum: 0 })
})

it('leaves out what was handed in before there were receipts', async () => {
  const { app, month } = await agency()
  const { id } = await app.article()
  const row = { article_id: id, number: 1, text_version: 1, at: '2026-03-02T00:00:00.000Z' }
  await app.db.insertInto('hand_ins').values(row).execute()
  expect(await month('month=2026-03')).toMatchObject({ results: [], totalResults: 0 })
})

it.each([
  ['Pacific/Kiritimati', '2026-03-31T10:00:00.000Z'],
  ['America/Los_Angeles', '2026-04-01T07:00:00.000Z'],
  ['Europe/Berlin', '2026-03-31T22:00:00.000Z'],
])('in %s April begins at %s', async (timeZone, start) => {
  const { app, mill, at, handIn, month } = await agency(timeZone)
  const last = await app.article({ name: 'Last of March', client: mill })
  const first = await app.article({ name: 'First of April', client: mill })
  await at(new Date(Date.parse(start) - 1).toISOString())
  await handIn(last.id)
  await at(start)
  await handIn(first.id)
  const names = async (query: string) => (await month(query)).results.map(({ article }) => article)
  expect(await names('month=2026-03')).toEqual(['Last of March'])
  expect(await names('month=2026-04')).toEqual(['First of April'])
})

it.each(['', 'month=2026', 'month=2026-13', 'month=2026-00', 'month=2026-03&limit=101'])(
  'refuses "%s"',
  async (query) => {
    const { app, admin } = await agency()
    expect((await app.as(admin).get(`/v1/hand-ins?${query}`)).status).toBe(400)
  },
)
