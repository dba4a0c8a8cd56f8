import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { endOfWeek, isLate } from '../../domain/calendar/due-date.ts'
import { foldName } from '../../domain/names/folded-name.ts'
import type { ArticleDocument } from '../../domain/text/document.ts'
import { outlineText } from '../../domain/text/outline.ts'
import { PROGRESS_SORT_FIELDS, type ProgressSortField } from '../../domain/wire/list-query.ts'
import {
  ARTICLE_STATES,
  type ArticleState,
  type DueFilter,
  type Progress,
} from '../../domain/wire/progress.ts'
import type { ArticleStandingRow } from '../database/tables.ts'
import { type Page, pagesToRead } from '../testing/pages-to-read.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'
import { createStandingCount } from './count-standing.ts'

const DAY = 24 * 60 * 60_000
const ARTICLES = 180
const KEYWORDS = ['oat', 'rye'].map((keyword) => ({
  keyword,
  source: 'E',
  score: 4,
  category: 'Must Use',
}))
const text = (words: string): ArticleDocument => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
})
const plan = (app: TestApp, id: string, dueOn: string | null, counter = 1) =>
  app.db
    .insertInto('article_plans')
    .values({
      article_id: id,
      brief: '',
      due_on: dueOn,
      counter,
      changed_by: '',
      changed_by_name: '',
      changed_at: new Date(app.clock.now()).toISOString(),
    })
    .onConflict((conflict) => conflict.column('article_id').doUpdateSet({ due_on: dueOn, counter }))
    .execute()

describe('every page is the matching slice of the list', () => {
  let app: TestApp
  let admin: TestUser
  let clientIds: string[]
  let standings: (ArticleStandingRow & { foldedName: string })[]

  beforeAll(async () => {
    app = await createTestApp()
    admin = await app.user({ role: 'admin' })
    const clients = [await app.client({ name: 'Mill' }), await app.client({ name: 'Inn' })]
    clientIds = clients.map(({ id }) => id)
    for (let count = 0; count < ARTICLES; count += 1) {
      const client = clients[count % 3]
      const { id } = await app.article({
        name: `${['Oat', 'RYE', 'öl'][count % 3]} ${count % 40} ${count % 7 === 0 ? 'beer' : 'bread'}`,
        wordMinimum: count % 9,
        articleText: count % 4 === 0 ? {} : text('oat '.repeat(count % 11)),
        completed: count % 5 === 0,
        ...(client && { client }),
      })
      // From eleven days before today until ten days after it.
      const due = new Date(app.clock.now() + ((count % 22) - 11) * DAY).toISOString().slice(0, 10)
      if (count % 6 !== 0) await plan(app, id, due)
    }
    await sql`update meta set value = '{"since":"2026-03-02T09:00:00.000Z","after":""}'
      where key = 'standing_sweep'`.execute(app.db)
    await createStandingCount(app.deps)()
    const rows = await app.db
      .selectFrom('article_standing')
      .innerJoin('articles', 'articles.id', 'article_id')
      .selectAll('article_standing')
      .select('articles.name')
      .execute()
    standings = rows.map((row) => ({ ...row, foldedName: foldName(row.name) }))
  })

  const today = '2026-03-02'
  const isDue: Record<DueFilter, (row: ArticleStandingRow) => boolean> = {
    none: ({ due_on }) => due_on === '',
    late: ({ due_on, state }) => due_on !== '' && isLate(due_on, state === 'complete', today),
    'this-week': ({ due_on, state }) =>
      state !== 'complete' && due_on >= today && due_on <= endOfWeek(today),
  }
  type Asked = { name?: string; clientId?: string[]; state?: ArticleState; due?: DueFilter }

  /** The expected list, computed from every row. Without a date is last in both directions. */
  function expected(field: ProgressSortField, direction: string, asked: Asked): string[] {
    const { name = '', clientId = [], state, due } = asked
    const sign = direction === 'asc' ? 1 : -1
    const key = (row: ArticleStandingRow): string | number =>
      ({
        risk: row.risk,
        name: row.name_folded,
        words: row.words,
        lastWords: row.last_words_at,
        due: row.due_on || (sign > 0 ? 'z' : ''),
      })[field]
    const order = (a: string | number, b: string | number) => (a < b ? -sign : a > b ? sign : 0)
    const foldedName = foldName(name)
    return standings
      .filter((row) => row.foldedName.includes(foldedName))
      .filter((row) => clientId.length === 0 || clientId.includes(row.client_id ?? ''))
      .filter((row) => state === undefined || row.state === state)
      .filter((row) => due === undefined || isDue[due](row))
      .toSorted((a, b) => order(key(a), key(b)) || order(a.article_id, b.article_id))
      .map((row) => row.article_id)
  }

  const PAGES: Page[] = [
    [10, 1],
    [10, 3],
    [100, 2],
  ]
  const filters: Asked[] = [
    {},
    ...ARTICLE_STATES.map((state) => ({ state })),
    ...(['late', 'this-week', 'none'] as const).map((due) => ({ due })),
    { due: 'late', state: 'being-written' },
    { due: 'none', state: 'complete' },
    { due: 'this-week', state: 'complete' },
  ]

  it.each(PROGRESS_SORT_FIELDS)('by %s', async (field) => {
    for (const direction of ['asc', 'desc']) {
      for (const filter of filters) {
        for (const clientId of [[], clientIds.slice(0, 1)]) {
          for (const name of ['', 'bread', 'ö']) {
            const ids = expected(field, direction, { ...filter, clientId, name })
            const query = new URLSearchParams({
              sortBy: `${field}:${direction}`,
              name,
              ...(filter as Record<string, string>),
            })
            for (const [limit, page] of pagesToRead(PAGES)) {
              const path = `/v1/progress?${query}&clientId=${clientId}&limit=${limit}&page=${page}`
              const body: Progress = await (await app.as(admin).get(path)).json()
              const shown = body.results.map(({ id }) => id)
              expect([path, body.totalResults, shown]).toEqual([
                path,
                ids.length,
                ids.slice((page - 1) * limit, page * limit),
              ])
            }
          }
        }
      }
    }
  })

  it('has each state and each date', () => {
    const missing = filters.filter((filter) => expected('risk', 'asc', filter).length === 0)
    // No article was reopened, and a complete one is not due.
    expect(missing).toEqual([{ state: 'reopened' }, { due: 'this-week', state: 'complete' }])
  })
})

describe('GET /progress', () => {
  async function agency(timeZone = 'UTC') {
    const app = await createTestApp({ config: { timeZone } })
    const admin = await app.user({ name: 'Ada Ferris', role: 'admin' })
    const writer = await app.user({ name: 'Imogen Hale' })
    const client = await app.client({ name: 'Fathom Coffee', users: [writer] })
    const count = createStandingCount(app.deps)
    const read = async (query = ''): Promise<Progress> =>
      (await app.as(admin).get(`/v1/progress${query}`)).json()
    return { app, admin, writer, client, count, read }
  }

  it('has a new article at once, and what is counted soon after', async () => {
    const { app, writer, client, count, read } = await agency()
    const { id } = await app.article({ name: 'Oats', client, keywordList: KEYWORDS })
    const fresh = {
      id,
      name: 'Oats',
      client: { id: client.id, name: 'Fathom Coffee' },
      words: 0,
      wordMinimum: 0,
      lastWords: null,
      dueOn: null,
      state: 'not-begun',
      completed: false,
    }
    const startedAt = '2026-03-02T09:00:00.000Z'
    expect(await read()).toMatchObject({
      results: [{ ...fresh, mustUse: null, countedAt: startedAt }],
      asOf: startedAt,
      today: '2026-03-02',
      countedAt: startedAt,
      totalResults: 1,
    })
    await count()
    expect(await read()).toMatchObject({
      results: [{ ...fresh, mustUse: { used: 0, total: 2 }, countedAt: null }],
      countedAt: null,
    })
    app.clock.advance(60_000)
    await app.as(writer).patch(`/v1/articles/${id}`, { articleText: text('Oats are here.') })
    const writtenAt = '2026-03-02T09:01:00.000Z'
    const lastWords = { at: writtenAt, by: 'Imogen Hale' }
    expect(await read()).toMatchObject({
      results: [
        {
          words: 3,
          state: 'long-enough',
          mustUse: { used: 0, total: 2 },
          lastWords,
          countedAt: startedAt,
        },
      ],
      countedAt: writtenAt,
    })
    await count()
    expect(await read()).toMatchObject({
      results: [{ mustUse: { used: 1, total: 2 }, lastWords, countedAt: null }],
      countedAt: null,
    })
  })

  it('shows names as they are now, without a count', async () => {
    const { app, admin, writer, client, count, read } = await agency()
    const { id } = await app.article({ client })
    await app.as(writer).patch(`/v1/articles/${id}`, { articleText: text('Oats.') })
    await count()
    await app.as(admin).patch(`/v1/clients/${client.id}`, { name: 'Deep Coffee' })
    await app.as(admin).patch(`/v1/users/${writer.id}`, { name: 'Imogen Wren' })
    expect((await read()).results[0]).toMatchObject({
      client: { name: 'Deep Coffee' },
      lastWords: { by: 'Imogen Wren' },
      countedAt: null,
    })
    await app.as(admin).delete(`/v1/clients/${client.id}`)
    await app.as(admin).delete(`/v1/users/${writer.id}`)
    expect((await read()).results[0]).toMatchObject({
      client: null,
      lastWords: { by: null },
      countedAt: null,
    })
  })

  it('does not count the outline that an article is created with as begun', async () => {
    const { app, writer, client, count, read } = await agency()
    const outline = outlineText([
      { level: 2, text: 'Which oats' },
      { level: 3, text: 'Rolled' },
    ])
    const { id } = await app.article({ client, wordMinimum: 4, articleText: outline })
    await count()
    const counted = async () => (await read()).results[0]
    expect(await counted()).toMatchObject({ words: 3, state: 'not-begun', lastWords: null })
    expect((await read('?state=not-begun')).totalResults).toBe(1)
    const written = {
      type: 'doc',
      content: [...(outline.content ?? []), ...(text('Oats.').content ?? [])],
    }
    await app.as(writer).patch(`/v1/articles/${id}`, { articleText: written })
    await count()
    expect(await counted()).toMatchObject({
      words: 4,
      state: 'being-written',
      lastWords: { by: 'Imogen Hale' },
    })
  })

  it('follows an article through its states', async () => {
    const { app, admin, writer, client, count, read } = await agency()
    const { id } = await app.article({ client, wordMinimum: 2 })
    const state = async () => {
      await count()
      const [row] = (await read()).results
      const found = await read(`?state=${row?.state}`)
      return found.totalResults === 1 ? row?.state : 'not counted'
    }
    const save = (words: string) =>
      app.as(writer).patch(`/v1/articles/${id}`, { articleText: text(words) })
    const complete = (completed: boolean) =>
      app.as(completed ? writer : admin).patch(`/v1/articles/${id}`, { completed })
    expect(await state()).toBe('not-begun')
    await save('One two.')
    expect(await state()).toBe('being-written')
    await save('One two three.')
    expect(await state()).toBe('long-enough')
    await complete(true)
    expect(await state()).toBe('complete')
    await complete(false)
    expect(await state()).toBe('reopened')
    await complete(true)
    expect(await state()).toBe('complete')
    await app.as(admin).delete(`/v1/articles/${id}`)
    expect(await read('?state=complete')).toMatchObject({ results: [], totalResults: 0 })
    await app.as(admin).post(`/v1/articles/admin/${id}/restore`)
    expect((await read()).results[0]).toMatchObject({ state: 'complete', mustUse: null })
    expect(await state()).toBe('complete')
  })

  it.each([
    ['Pacific/Kiritimati', '2026-03-07T09:59:59.999Z', ['2026-03-06', '2026-03-07']],
    ['Pacific/Kiritimati', '2026-03-07T10:00:00.000Z', ['2026-03-07', '2026-03-08']],
    ['UTC', '2026-03-07T23:59:59.999Z', ['2026-03-06', '2026-03-07']],
    ['UTC', '2026-03-08T00:00:00.000Z', ['2026-03-07', '2026-03-08']],
    ['America/Los_Angeles', '2026-03-08T07:59:59.999Z', ['2026-03-06', '2026-03-07']],
    ['America/Los_Angeles', '2026-03-08T08:00:00.000Z', ['2026-03-07', '2026-03-08']],
    // The night in which clocks change, which is one hour shorter.
    ['America/Los_Angeles', '2026-03-09T06:59:59.999Z', ['2026-03-07', '2026-03-08']],
    ['America/Los_Angeles', '2026-03-09T07:00:00.000Z', ['2026-03-08', '2026-03-09']],
  ])(
    'in %s at %s the day before %s is late, and the next one due this week',
    async (timeZone, at, [yesterday = '', today = '']) => {
      const { app, writer, client, count, read, admin } = await agency(timeZone)
      const due = [yesterday, today, endOfWeek(today)]
      const ids: string[] = []
      for (const dueOn of [...due, yesterday]) {
        const { id } = await app.article({ client })
        await plan(app, id, dueOn)
        ids.push(id)
      }
      await app.as(writer).patch(`/v1/articles/${ids[3]}`, { completed: true })
      await count()
      app.clock.advance(Date.parse(at) - app.clock.now())
      await app.signIn(admin)
      const found = async (filter: DueFilter) =>
        (await read(`?due=${filter}`)).results.map(({ dueOn }) => dueOn)
      expect(await found('late')).toEqual([yesterday])
      expect(await found('this-week')).toEqual(due.slice(1))
      expect(await read()).toMatchObject({ today })
      const home = await (await app.as(admin).get('/v1/home')).json()
      expect(home).toMatchObject({
        agencyToday: today,
        late: { total: 1, articles: [{ id: ids[0], dueOn: yesterday }] },
        dueThisWeek: 2,
      })
    },
  )

  it.each(['limit=101', 'state=late', 'due=today', 'sortBy=id', 'page=0'])(
    'refuses %s',
    async (query) => {
      const { app, admin } = await agency()
      expect((await app.as(admin).get(`/v1/progress?${query}`)).status).toBe(400)
    },
  )
})
