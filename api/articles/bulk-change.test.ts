import { beforeEach, describe, expect, it } from 'vitest'
import type { BulkAnswer, BulkBody } from '../../domain/wire/progress.ts'
import { randomRuns } from '../../scripts/test-depth.ts'
import type { Tables } from '../database/tables.ts'
import { listChanges, readState } from '../events/change-rows.ts'
import { createRandom } from '../testing/fuzz-requests.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'
import { countingIds } from '../testing/test-clock.ts'

const UNKNOWN = '0195a000-0000-7000-8000-00000000ffff'
const words = (count: number) => ({
  type: 'doc' as const,
  content: [
    { type: 'paragraph', content: [{ type: 'text', text: Array(count).fill('word').join(' ') }] },
  ],
})
const NONE: BulkAnswer = {
  articles: 0,
  changed: 0,
  earlier: 0,
  longer: 0,
  losing: { count: 0, names: [] },
}

let app: TestApp
let admin: TestUser
let writer: TestUser
let other: TestUser
let client: { id: string; name: string }
let otherClient: { id: string; name: string }
let ids: string[]

beforeEach(async () => {
  app = await createTestApp()
  admin = await app.user({ name: 'Ada Ferris', role: 'admin' })
  writer = await app.user({ name: 'Imogen Hale' })
  other = await app.user({ name: 'Otto Lindqvist' })
  client = await app.client({ name: 'Fathom Coffee', users: [writer, admin] })
  otherClient = await app.client({ name: 'Closed Bakery', users: [other] })
  ids = []
  for (const count of [5, 10, 15]) {
    ids.push((await app.article({ client, articleText: words(count), wordMinimum: 7 })).id)
  }
})

type Change = BulkBody['change']
const bulk = (change: Change, given: Partial<BulkBody> = {}, headers = {}) =>
  app.as(admin).post('/v1/articles/bulk', { dryRun: false, ids, change, ...given }, headers)
const answered = async (change: Change, given: Partial<BulkBody> = {}): Promise<BulkAnswer> => {
  const answer = await bulk(change, given)
  expect(answer.status).toBe(200)
  return answer.json()
}
const read = async (id = ids[0], person = admin) =>
  (await app.as(person).get(`/v1/articles/${id}`)).json()
const rows = (of = app) => of.db.selectFrom('articles').selectAll().orderBy('id').execute()
const plans = () => app.db.selectFrom('article_plans').selectAll().orderBy('article_id').execute()
const records = async () => {
  const all = await app.db.selectFrom('audit').selectAll().orderBy('id').execute()
  return all.map(({ subject_id, action, detail }) => [subject_id, action, JSON.parse(detail)])
}
const changed = async (since: number) =>
  (await listChanges(app.db, since)).map(({ article_id }) => article_id)
const seq = async () => (await readState(app.db)).seq

const TABLES: (keyof Tables)[] = ['articles', 'article_plans', 'audit', 'idempotency']
/** Every row that a bulk change writes, and the counts of articles and changes, whose rows are added up now and then. */
const content = async () => {
  const counts = await app.db
    .selectFrom('article_counts')
    .select(['client_id', 'completed', 'has_entities'])
    .select(({ fn }) => fn.sum<number | string>('articles').as('articles'))
    .groupBy(['client_id', 'completed', 'has_entities'])
    .execute()
  const counted = counts
    .filter(({ articles }) => Number(articles) !== 0)
    .map((row) => JSON.stringify({ ...row, articles: Number(row.articles) }))
  const tables = await Promise.all(
    TABLES.map((table) => app.db.selectFrom(table).selectAll().execute() as Promise<object[]>),
  )
  const rows = tables.map((table) => table.map((row) => JSON.stringify(row)).sort())
  return [...rows, counted.sort(), await readState(app.db)]
}

describe('POST /articles/bulk', () => {
  it('sets the due date of each article, and moves neither its version nor its time', async () => {
    const before = await rows()
    await app
      .as(admin)
      .put(`/v1/articles/${ids[0]}/plan`, { brief: 'Prices.', dueOn: '2026-12-01' })
    await app.as(admin).put(`/v1/articles/${ids[1]}/plan`, { brief: '', dueOn: '2026-12-03' })
    const [since, earlier] = [await seq(), await records()]
    expect(await answered({ dueOn: '2026-12-03' })).toEqual({
      ...NONE,
      articles: 3,
      changed: 2,
      earlier: 1,
    })
    expect(await rows()).toEqual(before)
    expect(await plans()).toMatchObject([
      { brief: 'Prices.', due_on: '2026-12-03', counter: 2, changed_by: admin.id },
      { brief: '', due_on: '2026-12-03', counter: 1 },
      { brief: '', due_on: '2026-12-03', counter: 1, changed_by_name: 'Ada Ferris' },
    ])
    expect((await records()).slice(earlier.length)).toEqual([
      [
        ids[0],
        'article.planned',
        { changed: ['dueOn'], dueOn: { now: '2026-12-03', before: '2026-12-01' } },
      ],
      [
        ids[2],
        'article.planned',
        { changed: ['dueOn'], dueOn: { now: '2026-12-03', before: null } },
      ],
    ])
    expect(await changed(since)).toEqual([ids[0], ids[2]])
    expect(await answered({ dueOn: null })).toMatchObject({ changed: 3, earlier: 3 })
    expect(await answered({ dueOn: null })).toMatchObject({ changed: 0, earlier: 0 })
  })

  it('sets the minimum as a change of each article alone does', async () => {
    const [single, ...rest] = [...ids]
    const alone = await app.article({ client, articleText: words(5), wordMinimum: 7 })
    app.clock.advance(60_000)
    await app.as(admin).patch(`/v1/articles/admin/${alone.id}`, { wordMinimum: 10 })
    const [since, earlier] = [await seq(), await records()]
    expect(await answered({ wordMinimum: 10 })).toEqual({
      ...NONE,
      articles: 3,
      changed: 3,
      // A text of ten words is not above a minimum of ten.
      longer: 1,
    })
    const { id: _, _id: __, revision: ___, ...like } = await read(alone.id)
    const { revision: ____, ...first } = await read(single)
    expect(first).toEqual({ ...like, id: single, _id: single })
    expect(first).toMatchObject({
      version: 2,
      textVersion: 1,
      updatedAt: '2026-03-02T09:01:00.000Z',
    })
    const detail = { changed: ['wordMinimum'], wordMinimum: { now: 10, before: 7 } }
    expect(await records()).toEqual([
      ...earlier,
      ...[single, ...rest].map((id) => [id, 'article.changed', detail]),
    ])
    expect(earlier.at(-1)).toEqual([alone.id, 'article.changed', detail])
    expect(await changed(since)).toEqual(ids)
    expect(await answered({ wordMinimum: 10 })).toMatchObject({ changed: 0, longer: 1 })
  })

  it('gives the articles to a client: its users read them, and the former ones are named and notified', {
    tags: ['@PE-16', '@Q70'],
  }, async () => {
    const shared = await app.user({ name: 'Bela Orban' })
    const both = await app.client({ name: 'Mill', users: [shared, other] })
    ids.push((await app.article({ client: both })).id, (await app.article({ client: null })).id)
    ids.push((await app.article({ client: otherClient })).id)
    const [since, earlier] = [await seq(), await records()]
    const stream = await app.as(writer).get('/v1/events')
    expect(await answered({ clientId: otherClient.id })).toEqual({
      ...NONE,
      articles: 6,
      changed: 5,
      losing: { count: 2, names: ['Bela Orban', 'Imogen Hale'] },
    })
    expect((await app.as(writer).get(`/v1/articles/${ids[0]}`)).status).toBe(404)
    expect((await read(ids[0], other)).clientId).toMatchObject({ name: 'Closed Bakery' })
    expect((await records()).slice(earlier.length)).toEqual(
      [client.id, client.id, client.id, both.id, null].map((formerClientId, at) => [
        ids[at],
        'article.changed',
        { changed: ['clientId'], clientId: otherClient.id, formerClientId },
      ]),
    )
    expect(await changed(since)).toEqual([...ids.slice(0, 5), null])
    await app.settled()
    app.deps.changes.end()
    const [, ...news] = (await stream.text()).match(/(?<=^data: ).*$/gm) ?? []
    expect(news.map((one) => JSON.parse(one))).toEqual([{ seq: since + 6 }])
    // The agency's list sorts by the name of the client.
    const { results } = await (await app.as(admin).get('/v1/articles?sortBy=client')).json()
    expect(results.map((one: { clientId: { name: string } }) => one.clientId.name)).toEqual(
      Array(6).fill('Closed Bakery'),
    )
  })

  it('takes the client away, and counts no admin among those who lose', async () => {
    expect((await answered({ clientId: null })).losing).toEqual({
      count: 1,
      names: ['Imogen Hale'],
    })
    expect((await read()).clientId).toBeNull()
    expect((await answered({ clientId: null })).losing).toEqual({ count: 0, names: [] })
  })

  it('names the first hundred of those who lose, and counts all', async () => {
    const users = []
    for (let at = 0; at < 103; at += 1) {
      users.push(await app.user({ name: `User ${String(at).padStart(3, '0')}` }))
    }
    const { id } = await app.article({ client: await app.client({ users }) })
    const { losing } = await answered({ clientId: null }, { ids: [id] })
    expect([losing.count, losing.names.length, losing.names.at(-1)]).toEqual([103, 100, 'User 099'])
  })

  it('counts an article that is named twice once', async () => {
    const twice = { ids: [...ids, ...ids] }
    expect(await answered({ wordMinimum: 10 }, twice)).toMatchObject({ articles: 3, changed: 3 })
    expect(await read()).toMatchObject({ version: 2 })
  })

  it('works on complete articles too', async () => {
    const { id } = await app.article({ client, completed: true })
    expect(await answered({ wordMinimum: 10 }, { ids: [id] })).toMatchObject({ changed: 1 })
  })

  it('the time of a change rises, though the clock was set back', async () => {
    app.clock.advance(-60_000)
    await answered({ wordMinimum: 10 })
    expect((await read()).updatedAt).toBe('2026-03-02T09:00:00.001Z')
  })

  it.each([
    ['an unknown article', { ids: [UNKNOWN] }, 404],
    ['no article', { ids: [] }, 400],
    ['too many articles', { ids: Array(1_001).fill(UNKNOWN) }, 400],
    ['a malformed id', { ids: ['x'] }, 400],
    ['an unknown client', { change: { clientId: UNKNOWN } }, 400],
    ['no change', { change: {} }, 400],
    ['two changes', { change: { dueOn: null, wordMinimum: 1 } }, 400],
    ['a day that does not exist', { change: { dueOn: '2026-02-30' } }, 400],
    ['a minimum below 0', { change: { wordMinimum: -1 } }, 400],
    ['no word about a dry run', { dryRun: undefined }, 400],
    ['another key', { brief: 'x' }, 400],
  ])('refuses %s, in a dry run too', async (_, fault, status) => {
    const before = await content()
    const body = { ids, change: { wordMinimum: 1 }, ...fault }
    for (const dryRun of [true, false]) {
      const answer = await app.as(admin).post('/v1/articles/bulk', { dryRun, ...body })
      expect(answer.status).toBe(status)
    }
    expect(await content()).toEqual(before)
  })

  it('refuses a deleted client', async () => {
    await app.as(admin).delete(`/v1/clients/${otherClient.id}`)
    const answer = await bulk({ clientId: otherClient.id })
    expect([answer.status, (await answer.json()).message]).toEqual([
      400,
      '"clientId" must be the id of a client',
    ])
  })

  it('sent again under one key is one change; another under it is refused', async () => {
    const key = { 'idempotency-key': 'k1' }
    const first = await bulk({ wordMinimum: 10 }, {}, key)
    await bulk({ wordMinimum: 20 })
    const again = await bulk({ wordMinimum: 10 }, {}, key)
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
    expect(await again.json()).toEqual(await first.json())
    expect(await read()).toMatchObject({ wordMinimum: 20, version: 3 })
    const others = await bulk({ wordMinimum: 30 }, {}, key)
    expect([others.status, (await others.json()).reason]).toEqual([422, 'key_reuse'])
  })

  it('a dry run uses up no key', async () => {
    const key = { 'idempotency-key': 'k1' }
    expect((await bulk({ wordMinimum: 10 }, { dryRun: true }, key)).status).toBe(200)
    expect((await bulk({ wordMinimum: 10 }, {}, key)).status).toBe(200)
    expect(await read()).toMatchObject({ wordMinimum: 10, version: 2 })
  })

  it('a repeated request at the same time is one change', async () => {
    const key = { 'idempotency-key': 'k1' }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => bulk({ clientId: otherClient.id }, {}, key)),
    )
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    expect(new Set(texts).size).toBe(1)
    expect(await read()).toMatchObject({ version: 2 })
  })

  it('of a thousand articles does nothing when the last one is unknown', async () => {
    const { id } = await app.article({ client })
    const [like] = await app.db.selectFrom('articles').selectAll().where('id', '=', id).execute()
    const newId = countingIds()
    const many = Array.from({ length: 999 }, () => newId().replace('-7000-', '-7001-'))
    if (like === undefined) throw new Error('There is no article')
    for (let from = 0; from < many.length; from += 100) {
      const copies = many.slice(from, from + 100).map((one) => ({ ...like, id: one }))
      await app.db.insertInto('articles').values(copies).execute()
    }
    const before = await content()
    for (const change of [{ wordMinimum: 9 }, { clientId: null }, { dueOn: '2026-12-03' }]) {
      expect((await bulk(change, { ids: [...many, UNKNOWN] })).status).toBe(404)
      expect(await content()).toEqual(before)
      const done = await answered(change, { ids: [...many, id] })
      expect(done).toMatchObject({ articles: 1_000, changed: 1_000 })
      before.splice(0, before.length, ...(await content()))
    }
  })

  it('that breaks off in the middle leaves nothing half done', async () => {
    let left = Number.POSITIVE_INFINITY
    const newId = countingIds()
    const breaking = await createTestApp({
      deps: {
        newId() {
          left -= 1
          if (left < 0) throw new Error('The server breaks off')
          return newId().replace('-7000-', '-7002-')
        },
      },
    })
    const ada = await breaking.user({ role: 'admin' })
    const all: string[] = []
    for (let at = 0; at < 20; at += 1) all.push((await breaking.article()).id)
    await breaking.as(ada).get('/v1/articles')
    const before = await rows(breaking)
    const send = () =>
      breaking
        .as(ada)
        .post(
          '/v1/articles/bulk',
          { dryRun: false, ids: all, change: { wordMinimum: 5 } },
          { 'idempotency-key': 'k1' },
        )
    left = 15
    expect((await send()).status).toBe(500)
    expect(await rows(breaking)).toEqual(before)
    expect(await breaking.db.selectFrom('audit').select('id').execute()).toEqual([])
    left = Number.POSITIVE_INFINITY
    const again = await send()
    expect([again.headers.get('idempotency-replayed'), await again.json()]).toEqual([
      null,
      { ...NONE, articles: 20, changed: 20 },
    ])
  })
})

const CASES = randomRuns(300)

it(`a dry run changes nothing and says what the run does, in ${CASES} random cases`, async () => {
  const random = createRandom(20_261_203)
  const people = [writer, other, admin]
  for (let at = 0; at < 4; at += 1) people.push(await app.user({ name: `User ${at}` }))
  const clients = [client, otherClient]
  for (let at = 0; at < 3; at += 1) {
    clients.push(await app.client({ users: people.filter(() => random.chance(2)) }))
  }
  for (let at = 0; at < 9; at += 1) {
    const of = random.chance(4) ? null : random.one(clients)
    ids.push((await app.article({ client: of, articleText: words(random.below(12)) })).id)
  }
  const all = [...ids]
  const some = () => Array.from({ length: 1 + random.below(8) }, () => random.one(all))
  const change = (): Change =>
    random.one<() => Change>([
      () => ({ dueOn: random.one(['2026-12-03', '2026-12-04', null]) }),
      () => ({ wordMinimum: random.below(12) }),
      () => ({ clientId: random.chance(5) ? null : random.one(clients).id }),
    ])()
  const totals = { changed: 0, earlier: 0, longer: 0, losing: 0 }
  for (let at = 0; at < CASES; at += 1) {
    const [chosen, wanted] = [some(), change()]
    const [before, state] = [await content(), await stateOf(chosen, people)]
    const tried = await answered(wanted, { ids: chosen, dryRun: true })
    expect(await content()).toEqual(before)
    const run = await answered(wanted, { ids: chosen })
    expect([at, run]).toEqual([at, tried])
    expect([at, run]).toEqual([at, differenceOf(state, await stateOf(chosen, people), wanted)])
    totals.changed += run.changed
    totals.earlier += run.earlier
    totals.longer += run.longer
    totals.losing += run.losing.count
  }
  expect(Object.values(totals).every((total) => total > CASES / 10)).toBe(true)
}, 180_000)

/** What a bulk change may change, read from the tables: of each article, and how many of them each user reads. */
async function stateOf(chosen: readonly string[], people: readonly TestUser[]) {
  const articles = await app.db
    .selectFrom('articles')
    .leftJoin('article_plans', 'article_id', 'id')
    .select(['id', 'client_id', 'word_minimum', 'words', 'due_on'])
    .where('id', 'in', chosen)
    .orderBy('id')
    .execute()
  const members = await app.db.selectFrom('client_users').selectAll().execute()
  const reads = people
    .filter(({ role }) => role === 'user')
    .map(({ id, name }) => {
      const own = members.filter(({ user_id }) => user_id === id)
      const isRead = (of: string | null) => own.some(({ client_id }) => client_id === of)
      return { name, count: articles.filter(({ client_id }) => isRead(client_id)).length }
    })
  return { articles, reads }
}
type State = Awaited<ReturnType<typeof stateOf>>

function differenceOf(before: State, after: State, change: Change): BulkAnswer {
  const moved = after.articles.filter(
    (one, at) => JSON.stringify(one) !== JSON.stringify(before.articles[at]),
  )
  const had = new Map(before.articles.map((one) => [one.id, one.due_on]))
  const names = before.reads
    .filter(({ count }, at) => (after.reads[at]?.count ?? 0) < count)
    .map(({ name }) => name)
    .sort()
  const longer = after.articles.filter(
    ({ words, word_minimum }) => word_minimum > 0 && words > word_minimum,
  )
  return {
    articles: after.articles.length,
    changed: moved.length,
    earlier: 'dueOn' in change ? moved.filter(({ id }) => had.get(id) !== null).length : 0,
    longer: 'wordMinimum' in change ? longer.length : 0,
    losing: { count: names.length, names },
  }
}
