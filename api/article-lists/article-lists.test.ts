import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { ArticleText } from '../../domain/text/document.ts'
import type {
  ArticleListAnswer,
  ArticleListBody,
  ListedArticle,
  ListedOutcome,
} from '../../domain/wire/article-lists.ts'
import type { ErrorBody } from '../../domain/wire/errors.ts'
import type { LogEntry } from '../../domain/wire/log.ts'
import { migrate } from '../database/migrations/migrate.ts'
import { openSqlite } from '../database/sqlite/sqlite.ts'
import type { Database } from '../deps.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

let app: TestApp
let admin: TestUser
beforeEach(async () => {
  app = await createTestApp()
  admin = await app.user({ name: 'Ada Ferris', role: 'admin' })
})

const PATH = '/v1/articles/list'
const post = (body: Partial<ArticleListBody>, headers?: Record<string, string>) =>
  app.as(admin).post(PATH, body, headers)

type List = Pick<ArticleListBody, 'articles' | 'clients' | 'source'>

async function dryRun(list: List): Promise<ArticleListAnswer> {
  const answer = await post({ ...list, dryRun: true })
  expect(answer.status).toBe(200)
  return answer.json()
}

/** The answer of the run with the plan of a dry run just before. */
async function run(list: List): Promise<ArticleListAnswer> {
  const { plan } = await dryRun(list)
  const answer = await post({ ...list, dryRun: false, plan })
  expect(answer.status).toBe(200)
  return answer.json()
}

/** Dry run and run of these articles say the same; what they say of each. */
async function done(list: List): Promise<string[]> {
  const dry = await dryRun(list)
  const ran = await run(list)
  expect(ran.articles.map(withoutIds)).toEqual(dry.articles.map(withoutIds))
  return ran.articles.map(lineOf)
}

const withoutIds = ({ id: _, clientId: __, ...outcome }: ListedOutcome) => outcome
const lineOf = ({ state, name, clientName, fault }: ListedOutcome): string =>
  [state, name, clientName ?? '-', ...(fault ? [fault] : [])].join(' / ')

const keyword = (text: string, category = 'Must Use') => ({
  keyword: text,
  source: 'E',
  score: '4',
  category,
})
const textOf = (...words: string[]): ArticleText => ({
  type: 'doc',
  content: words.map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] })),
})

const TABLES = [
  'articles',
  'article_revisions',
  'article_plans',
  'clients',
  'audit',
  'idempotency',
  'changes',
  'meta',
  'article_counts',
] as const
const contentOf = (db: Database) =>
  Promise.all(
    TABLES.map((table) => db.selectFrom(table).selectAll().execute() as Promise<object[]>),
  )

describe('a dry run', () => {
  it('changes nothing at all, and says what a run does', async () => {
    const client = await app.client()
    const before = await contentOf(app.db)
    const list: List = {
      articles: [
        {
          name: 'Oats',
          client: client.name,
          wordMinimum: 900,
          dueOn: '2026-12-03',
          brief: 'Short.',
          outline: [{ level: 2, text: 'Begin' }],
          keywordList: [keyword('oat')],
        },
        { name: 'Barley', client: 'New Client' },
      ],
      clients: [{ name: 'new client', use: 'create' }],
    }
    const answer = await dryRun(list)
    expect(answer).toEqual({
      plan: expect.stringMatching(/^[\da-f]{64}$/),
      done: false,
      unknownClients: [],
      articles: [
        {
          state: 'new',
          id: null,
          name: 'Oats',
          clientId: client.id,
          clientName: 'Fathom Coffee',
          wordMinimum: 900,
          dueOn: '2026-12-03',
          entities: 1,
          headings: 1,
          fault: null,
          changes: {},
        },
        {
          state: 'new',
          id: null,
          name: 'Barley',
          clientId: null,
          clientName: 'New Client',
          wordMinimum: 0,
          dueOn: null,
          entities: 0,
          headings: 0,
          fault: null,
          changes: {},
        },
      ],
    })
    expect(await contentOf(app.db)).toEqual(before)
    expect(await dryRun(list)).toEqual(answer)
    const ran = await run(list)
    expect(ran).toMatchObject({ plan: answer.plan, done: true })
    expect(ran.articles.map(({ id }) => id)).not.toContain(null)
    expect(ran.articles[1]?.clientId).toEqual(expect.any(String))
    await app.settled()
  })

  it('leaves alone what is saved in the same commit', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'contun-lists-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const now = '2026-03-02T09:00:00.000Z'
    const prepare = (db: Database) => migrate(db, { now, newId: () => 'an epoch' })
    const { db, close } = await openSqlite(join(folder, 'contun.sqlite'), now, prepare)
    app = await createTestApp({ db })
    admin = await app.user({ role: 'admin' })
    const articles = [await app.article({ name: 'Rye' }), await app.article({ name: 'Spelt' })]
    const [first, second] = articles.map(({ id }) => `/v1/articles/${id}`)
    await app.signIn(admin)
    const answers = await Promise.all([
      app.as(admin).patch(first ?? '', { articleText: textOf('Saved.') }),
      post({ dryRun: true, articles: [{ name: 'Oats' }, { name: 'Rye', wordMinimum: 900 }] }),
      app.as(admin).patch(second ?? '', { articleText: textOf('Saved too.') }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const rows = await db
      .selectFrom('articles')
      .select(['name', 'words', 'word_minimum'])
      .orderBy('name')
      .execute()
    expect(rows).toEqual([
      { name: 'Rye', words: 1, word_minimum: 0 },
      { name: 'Spelt', words: 2, word_minimum: 0 },
    ])
    await app.settled()
    await close()
  })
})

describe('a new article', () => {
  it('is as one that is created alone, with its list, outline and plan', async () => {
    const client = await app.client()
    const { articles } = await run({
      articles: [
        {
          name: ' Oats ',
          client: 'fathom coffee',
          wordMinimum: 900,
          dueOn: '2026-12-03',
          brief: 'Short.\r\nPlain.',
          outline: [
            { level: 2, text: 'Begin' },
            { level: 3, text: 'End' },
          ],
          keywordList: [keyword('oat'), keyword('Oat Milk', 'Need to Use')],
        },
      ],
    })
    const id = articles[0]?.id ?? ''
    const read = await (await app.as(admin).get(`/v1/articles/${id}`)).json()
    expect(read).toMatchObject({
      name: 'Oats',
      clientId: { id: client.id },
      wordMinimum: 900,
      keywordList: [keyword('oat'), keyword('oat milk', 'Need to Use')],
      version: 1,
      textVersion: 1,
      updatedBy: { id: admin.id },
      articleText: {
        content: [
          { type: 'heading', attrs: { level: 2 } },
          { type: 'paragraph' },
          { type: 'heading', attrs: { level: 3 } },
          { type: 'paragraph' },
        ],
      },
    })
    const [revision] = await app.db.selectFrom('article_revisions').selectAll().execute()
    expect(revision).toMatchObject({
      article_id: id,
      reason: 'created',
      author_id: admin.id,
      words: 2,
    })
    expect(await app.db.selectFrom('article_plans').selectAll().execute()).toEqual([
      {
        article_id: id,
        brief: 'Short.\nPlain.',
        due_on: '2026-12-03',
        counter: 1,
        changed_by: admin.id,
        changed_by_name: 'Ada Ferris',
        changed_at: '2026-03-02T09:00:00.000Z',
      },
    ])
    const log = await app.db
      .selectFrom('audit')
      .select(['action', 'subject_name', 'detail'])
      .execute()
    expect(
      log.map(({ detail, ...entry }) => ({ ...entry, detail: JSON.parse(detail) })),
    ).toContainEqual({
      action: 'article.created',
      subject_name: 'Oats',
      detail: {
        clientId: client.id,
        list: { id: expect.any(String), source: null, created: 1, changed: 0 },
      },
    })
  })

  it('has no plan where neither brief nor date is given', async () => {
    await run({ articles: [{ name: 'Oats', brief: ' ' }] })
    expect(await app.db.selectFrom('article_plans').selectAll().execute()).toEqual([])
  })
})

describe('the log of a list', () => {
  type Entries = { results: LogEntry[]; totalResults: number }
  const log = async (query: string): Promise<Entries> =>
    (await app.as(admin).get(`/v1/log?${query}`)).json()
  const names = ({ results }: Entries) =>
    results.map(({ action, subject }) => `${action} ${subject.name}`)

  it('is one line, however the pages cut it, and the line has every entry', async () => {
    await app.as(admin).post('/v1/articles', { name: 'Before', wordMinimum: 700 })
    const titles = Array.from({ length: 12 }, (_, at) => `Article ${at + 1}`)
    await run({
      articles: titles.map((name) => ({ name, dueOn: '2026-12-03' })),
      source: 'l12.csv',
    })
    await app.as(admin).post('/v1/articles', { name: 'After', wordMinimum: 700 })

    const lines = await log('folded=true&limit=100')
    expect(lines.totalResults).toBe(3)
    expect(lines.results.map(({ list }) => list && [list.source, list.created])).toEqual([
      undefined,
      ['l12.csv', 12],
      undefined,
    ])
    const pages = []
    for (const page of [1, 2, 3])
      pages.push(...(await log(`folded=true&limit=1&page=${page}`)).results)
    expect(pages).toEqual(lines.results)
    expect(names(await log(`folded=true&userId=${admin.id}&limit=100`))).toEqual(names(lines))

    const line = lines.results[1]
    const folded = await log(`foldedInto=${line?.id}&limit=100`)
    const all = await log('limit=100')
    expect([line, ...folded.results]).toEqual(all.results.slice(1, -1))
    expect(all.totalResults).toBe(26)
    expect(names(await log('kind=created&name=article+3&limit=100'))).toEqual([
      'article.created Article 3',
    ])
  })
})

describe('an article that is there', () => {
  it('gets only what differs, and never another text', async () => {
    const client = await app.client()
    const { id } = await app.article({
      name: 'Oats',
      client,
      wordMinimum: 700,
      articleText: textOf('Path light and glare.'),
      keywordList: [keyword('path light'), keyword('glare'), keyword('lumen'), keyword('kept')],
    })
    const { articles } = await run({
      articles: [
        {
          name: 'OATS',
          client: client.name,
          wordMinimum: 900,
          dueOn: '2026-12-03',
          brief: 'Short.',
          outline: [{ level: 2, text: 'Never' }],
          keywordList: [keyword('kept'), keyword('new')],
        },
      ],
    })
    expect(articles).toEqual([
      {
        state: 'changed',
        id,
        name: 'Oats',
        clientId: client.id,
        clientName: client.name,
        wordMinimum: 900,
        dueOn: '2026-12-03',
        entities: 2,
        headings: 0,
        fault: null,
        changes: {
          wordMinimum: { now: 900, before: 700 },
          dueOn: { now: '2026-12-03', before: null },
          brief: true,
          entities: {
            now: 2,
            before: 4,
            added: 1,
            removed: 3,
            usedRemoved: ['path light', 'glare'],
            usedRemovedCount: 2,
          },
        },
      },
    ])
    const row = await app.db.selectFrom('articles').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ name: 'Oats', version: 2, text_version: 1, word_minimum: 900 })
    expect(JSON.parse(row.article_text)).toEqual(textOf('Path light and glare.'))
    const log = await app.db
      .selectFrom('audit')
      .select('detail')
      .where('action', '=', 'article.changed')
      .execute()
    expect(log.map(({ detail }) => JSON.parse(detail))).toEqual([
      {
        changed: ['wordMinimum', 'keywordList'],
        wordMinimum: { now: 900, before: 700 },
        entities: { now: 2, before: 4, added: 1, removed: 3 },
        list: { id: expect.any(String), source: null, created: 0, changed: 1 },
      },
    ])
  })

  it('stays as it is where nothing differs, also its version', async () => {
    await app.article({ name: 'Oats', wordMinimum: 700, keywordList: [keyword('oat')] })
    const list: List = {
      articles: [
        { name: 'oats', wordMinimum: 700, keywordList: [keyword('oat')], dueOn: '2026-12-03' },
      ],
    }
    expect(await done(list)).toEqual(['changed / Oats / -'])
    expect(await done(list)).toEqual(['same / Oats / -'])
    const rows = await app.db.selectFrom('articles').select('version').execute()
    const plans = await app.db.selectFrom('article_plans').select('counter').execute()
    expect([rows, plans]).toEqual([[{ version: 1 }], [{ counter: 1 }]])
  })

  it('can lose its brief, but not its date', async () => {
    await run({ articles: [{ name: 'Oats', brief: 'Short.', dueOn: '2026-12-03' }] })
    await run({ articles: [{ name: 'Oats', brief: '' }] })
    const plans = await app.db
      .selectFrom('article_plans')
      .select(['brief', 'due_on', 'counter'])
      .execute()
    expect(plans).toEqual([{ brief: '', due_on: '2026-12-03', counter: 2 }])
  })
})

describe('which article is meant', () => {
  type World = [name: string, client: string | null][]
  it.each<[about: string, world: World, articles: ListedArticle[], outcomes: string[]]>([
    [
      'the one of the client',
      [
        ['Oats', 'A'],
        ['Oats', 'B'],
      ],
      [{ name: 'OATS', client: 'b' }],
      ['same / Oats / B'],
    ],
    [
      'the one without a client, which gets it',
      [
        ['Oats', null],
        ['Oats', 'B'],
      ],
      [{ name: 'Oats', client: 'A' }],
      ['changed / Oats / A'],
    ],
    [
      'none of another client',
      [['Oats', 'B']],
      [{ name: 'Oats', client: 'A' }],
      ['new / Oats / A'],
    ],
    [
      'the only one, without a client in the list',
      [['Oats', 'B']],
      [{ name: 'Oats' }],
      ['same / Oats / B'],
    ],
    [
      'the only one, which stays with its client',
      [['Oats', 'B']],
      [{ name: 'Oats' }, { name: 'Oats', client: 'A' }],
      ['same / Oats / B', 'new / Oats / A'],
    ],
    [
      'unclear which',
      [
        ['Oats', 'A'],
        ['Oats', 'B'],
      ],
      [{ name: 'Oats' }],
      ['cannot / Oats / - / unclear'],
    ],
    [
      'unclear which of the client',
      [
        ['Oats', 'A'],
        ['oats', 'A'],
      ],
      [{ name: 'Oats', client: 'A' }],
      ['cannot / Oats / A / unclear'],
    ],
    [
      'accents count',
      [['Öl', null]],
      [{ name: 'Ol' }, { name: 'öl' }],
      ['new / Ol / -', 'same / Öl / -'],
    ],
    [
      'the same again',
      [],
      [{ name: 'Oats' }, { name: 'oats' }, { name: 'Rye' }],
      ['new / Oats / -', 'cannot / oats / - / repeated', 'new / Rye / -'],
    ],
    [
      'the same again, once with its client',
      [['Oats', 'A']],
      [{ name: 'Oats', client: 'A' }, { name: 'Oats' }],
      ['same / Oats / A', 'cannot / Oats / - / repeated'],
    ],
    [
      'one without a client for the first client only',
      [['Oats', null]],
      [
        { name: 'Oats', client: 'A' },
        { name: 'Oats', client: 'B' },
      ],
      ['changed / Oats / A', 'new / Oats / B'],
    ],
    [
      'several with one name in one list',
      [],
      [{ name: 'Oats', client: 'A' }, { name: 'Oats', client: 'B' }, { name: 'Oats' }],
      ['new / Oats / A', 'new / Oats / B', 'cannot / Oats / - / unclear'],
    ],
  ])('%s', async (_, world, articles, outcomes) => {
    const clients = new Map<string, { id: string }>()
    for (const name of ['A', 'B']) clients.set(name, await app.client({ name }))
    for (const [name, client] of world)
      await app.article({ name, client: (client && clients.get(client)) || null })
    const list = { articles }
    const dry = await dryRun(list)
    const ran = await run(list)
    expect(ran.articles.map(lineOf)).toEqual(outcomes)
    expect(dry.articles.map(lineOf)).toEqual(outcomes)
  })
})

describe('a client that the agency does not have', () => {
  const list = (...clients: NonNullable<List['clients']>): List => ({
    articles: [
      { name: 'Oats', client: 'Fathom' },
      { name: 'Rye', client: 'FATHOM' },
      { name: 'Spelt', client: 'Larkspur' },
    ],
    clients,
  })
  const none = { name: 'larkspur', use: 'none' } as const

  it('has to be decided, and clients that are near are named', async () => {
    const near = await app.client({ name: 'Fathom Coffee Ltd' })
    const answer = await dryRun(list(none))
    expect(answer.unknownClients).toEqual([
      { name: 'Fathom', articles: 2, near: [{ id: near.id, name: near.name }] },
    ])
    expect(answer.articles.map(lineOf)).toEqual([
      'new / Oats / Fathom',
      'new / Rye / Fathom',
      'new / Spelt / -',
    ])
    const before = await contentOf(app.db)
    const refused = await post({ ...list(none), dryRun: false, plan: answer.plan })
    expect(refused.status).toBe(409)
    const { reason, list: again } = (await refused.json()) as ErrorBody
    expect([reason, again]).toEqual(['undecided_client', answer])
    expect(await contentOf(app.db)).toEqual(before)
  })

  it('can be another one, a new one, or none', async () => {
    const other = await app.client({ name: 'Fathom Coffee Ltd' })
    expect(await done(list(none, { name: 'Fathom', use: other.id }))).toEqual([
      'new / Oats / Fathom Coffee Ltd',
      'new / Rye / Fathom Coffee Ltd',
      'new / Spelt / -',
    ])
    const created = await run({
      articles: [
        { name: 'Millet', client: 'Fathom' },
        { name: 'Barley', client: 'fathom' },
      ],
      clients: [{ name: 'Fathom', use: 'create' }],
    })
    expect(created.articles.map(lineOf)).toEqual(['new / Millet / Fathom', 'new / Barley / Fathom'])
    const clients = await app.db
      .selectFrom('clients')
      .selectAll()
      .where('name', '=', 'Fathom')
      .execute()
    expect(clients).toMatchObject([{ id: created.articles[0]?.clientId, moonowl: 0 }])
  })

  it('is unknown where it is deleted, where a choice is gone, and where two have its name', async () => {
    const gone = await app.client({ name: 'Larkspur' })
    await app.as(admin).delete(`/v1/clients/${gone.id}`)
    const two = [await app.client({ name: 'Fathom' }), await app.client({ name: 'fathom' })]
    const { unknownClients } = await dryRun(list({ name: 'Larkspur', use: gone.id }))
    expect(unknownClients).toEqual([
      { name: 'Fathom', articles: 2, near: two },
      { name: 'Larkspur', articles: 1, near: [] },
    ])
  })
})

describe('a run', () => {
  const list: List = { articles: [{ name: 'Oats', wordMinimum: 900 }, { name: 'Rye' }] }

  it.each<[about: string, move: () => Promise<unknown>]>([
    ['without a plan', async () => ({ sends: { plan: undefined } })],
    ['with the plan of another list', async () => ({ sends: { articles: [{ name: 'Oats' }] } })],
    ['after an article was created', () => app.article({ name: 'rye' })],
    [
      'after a text was saved',
      () => app.as(admin).patch(`/v1/articles/${oats}`, { articleText: textOf('More.') }),
    ],
    [
      'after a minimum was changed',
      () => app.as(admin).patch(`/v1/articles/admin/${oats}`, { wordMinimum: 1 }),
    ],
    ['after a plan was changed', () => run({ articles: [{ name: 'Oats', brief: 'Other.' }] })],
    ['after an article was deleted', () => app.as(admin).delete(`/v1/articles/${oats}`)],
  ])('%s is refused with the new dry run', async (_, move) => {
    oats = (await app.article({ name: 'Oats' })).id
    const { plan } = await dryRun(list)
    const moved = (await move()) as { sends?: Partial<ArticleListBody> }
    const other = moved.sends ?? {}
    const body = { ...list, dryRun: false, plan, ...other }
    await app.settled()
    const before = await contentOf(app.db)
    const answer = await post(body)
    expect(answer.status).toBe(409)
    const refusal = (await answer.json()) as ErrorBody
    expect(await contentOf(app.db)).toEqual(before)
    expect([refusal.reason, refusal.list]).toEqual([
      'stale_plan',
      await dryRun({ ...list, ...other }),
    ])
  })
  let oats = ''

  it('goes ahead where other articles changed', async () => {
    const { id } = await app.article({ name: 'Barley' })
    const { plan } = await dryRun(list)
    await app.as(admin).patch(`/v1/articles/${id}`, { articleText: textOf('More.') })
    expect((await post({ ...list, dryRun: false, plan })).status).toBe(200)
  })

  it('is made once under one key', async () => {
    const { plan } = await dryRun(list)
    const body = { ...list, dryRun: false, plan }
    const key = { 'idempotency-key': 'run-1' }
    const [first, second] = [await post(body, key), await post(body, key)]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(await second.json()).toEqual(await first.json())
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect((await post({ ...body, plan: 'x' }, key)).status).toBe(422)
    const rows = await app.db.selectFrom('articles').select('name').execute()
    expect(rows).toHaveLength(2)
  })

  it('leaves its key free where it was refused', async () => {
    const key = { 'idempotency-key': 'run-1' }
    expect((await post({ ...list, dryRun: false }, key)).status).toBe(409)
    const { plan } = await (await post({ ...list, dryRun: true }, key)).json()
    expect((await post({ ...list, dryRun: false, plan }, key)).status).toBe(200)
  })

  it('may come packed, and has its limits', async () => {
    const packed = (body: object) =>
      app.as(admin).post(PATH, new Uint8Array(gzipSync(JSON.stringify(body))), {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      })
    const articles = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ name: `A ${at}` }))
    expect((await packed({ dryRun: true, articles: articles(200) })).status).toBe(200)
    expect((await packed({ dryRun: true, articles: articles(201) })).status).toBe(400)
    const long = [{ name: 'A', brief: 'x'.repeat(8 * 1024 * 1024) }]
    expect((await packed({ dryRun: true, articles: long })).status).toBe(413)
  })

  it.each(['9999-12-31', '1999-12-31', '2026-02-30', '3.12.2026', 'soon'])(
    'names the field of a date that cannot be due: %s',
    async (dueOn) => {
      const articles = [{ name: 'Oats' }, { name: 'Barley', dueOn }]
      const refused = await post({ dryRun: true, articles })
      expect([refused.status, ((await refused.json()) as ErrorBody).message]).toEqual([
        400,
        '"articles.1.dueOn" must be a date from 2000-01-01 to 2199-12-31',
      ])
    },
  )

  it('is one list in the log, by its name and what it did', async () => {
    const old = await app.article({ name: 'Oats' })
    const articles = [
      { name: 'Rye', dueOn: '2026-12-03', brief: 'Short.' },
      { name: 'Oats', wordMinimum: 900 },
    ]
    const { plan } = await dryRun({ articles, clients: [] })
    const body = { articles, clients: [], dryRun: false, plan, source: 'l12.csv' }
    expect((await post(body)).status).toBe(200)
    const { results } = await (await app.as(admin).get('/v1/log?limit=10')).json()
    const list = { id: expect.any(String), source: 'l12.csv', created: 1, changed: 1 }
    type Entry = { action: string; subject: { id: string; name: string }; list?: { id: string } }
    const ofList = (results as Entry[]).filter((entry) => entry.list)
    expect(ofList.map(({ action, subject, list }) => [action, subject.name, list])).toEqual([
      ['article.changed', 'Oats', list],
      ['article.planned', 'Rye', list],
      ['article.created', 'Rye', list],
    ])
    expect(new Set(ofList.map(({ list }) => list?.id)).size).toBe(1)
    expect(ofList[0]?.subject.id).toBe(old.id)
  })

  it('is limited like lists of keywords', async () => {
    app = await createTestApp({ config: { rateLimits: true } })
    admin = await app.user({ role: 'admin' })
    const statuses: number[] = []
    for (let count = 0; count < 21; count += 1)
      statuses.push((await post({ ...list, dryRun: true })).status)
    expect(statuses.filter((status) => status === 429)).toEqual([429])
  })
})
