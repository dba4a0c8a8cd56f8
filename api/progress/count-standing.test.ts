import { sql } from 'kysely'
import { describe, expect, inject, it } from 'vitest'
import { scorecardGroups } from '../../domain/keywords/keyword.ts'
import { createScorecard, documentTree } from '../../domain/keywords/keyword-use.ts'
import type { ArticleDocument, DocumentNode } from '../../domain/text/document.ts'
import type { Keyword } from '../../domain/wire/articles.ts'
import { runCount } from '../../scripts/test-depth.ts'
import { deleteArticle, restoreArticle } from '../articles/deleted-article-rows.ts'
import Sqlite from '../database/sqlite/better-sqlite3.ts'
import { kyselyOver } from '../database/sqlite/sqlite.ts'
import { seedDemo } from '../demo/seed.ts'
import type { Database } from '../deps.ts'
import { countChange } from '../events/change-rows.ts'
import { giveWay } from '../process/give-way.ts'
import { createRandom, type Random } from '../testing/fuzz-requests.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { createStandingCount } from './count-standing.ts'
import { countArticle, writeStandings } from './standing-rows.ts'
import { endTurn, readCountingState, setSweep, takeTurn } from './standing-turn.ts'

const WORDS = ['oat', 'oats', 'rye', 'Oat', 'café', 'cafe', 'a', 'garden path', 'лампа', '花园']
const CATEGORIES = ['Must Use', 'Must Use', 'Need to Use', 'Use When You Can', 'Other']
const TURN_MS = 30_000
/** PostgreSQL takes longer for each. */
const depthOf = (name: Parameters<typeof runCount>[0]) =>
  Math.ceil(runCount(name) / (inject('postgres') ? 5 : 1))
const ARTICLES = depthOf('STANDING_ARTICLES')
const HISTORIES = depthOf('STANDING_HISTORIES')

const paragraph = (text: string): DocumentNode =>
  text === '' ? { type: 'paragraph' } : { type: 'paragraph', content: [{ type: 'text', text }] }
const article = (...texts: string[]): ArticleDocument => ({
  type: 'doc',
  content: texts.map(paragraph) as ArticleDocument['content'],
})

const textAtRandom = (random: Random): ArticleDocument =>
  article(
    ...Array.from({ length: 1 + random.below(4) }, () =>
      Array.from({ length: random.below(9) }, () => random.one(WORDS))
        .join(random.one([' ', '-', ', ']))
        .trim(),
    ),
  )
const keywordsAtRandom = (random: Random): Keyword[] =>
  Array.from({ length: random.below(6) }, () => ({
    keyword: random.one(WORDS),
    source: 'E',
    score: 4,
    category: random.one(CATEGORIES),
  }))

/** All of them, without when they were counted, by id. */
const standings = (db: Database) =>
  db
    .selectFrom('article_standing')
    .select(['article_id', 'version', 'plan_counter', 'must_used', 'must_total', 'words'])
    .select(['name_folded', 'client_id', 'state', 'due_on', 'due_last', 'last_words_at', 'risk'])
    .orderBy('article_id')
    .execute()

const sweepAll = (db: Database) => setSweep(db, { since: '2026-03-02T09:00:00.000Z', after: '' })

describe('the standing of an article', () => {
  /** The scorecard as a page has it: the text grows block by block. */
  function scorecardOf(text: ArticleDocument | object, list: readonly Keyword[]) {
    const groups = scorecardGroups(list)
    const scorecard = createScorecard(
      groups.flatMap(({ keywords }) => keywords),
      documentTree,
    )
    const blocks = 'content' in text ? ((text.content ?? []) as DocumentNode[]) : []
    for (let count = 0; count <= blocks.length; count += 1)
      scorecard.update({ type: 'doc', content: blocks.slice(0, count) })
    const must = groups[0]?.keywords ?? []
    return {
      words: scorecard.words,
      must_used: must.filter((_, index) => scorecard.isUsed(index)).length,
      must_total: must.length,
    }
  }

  async function expectScorecards({ db, deps }: TestApp) {
    await createStandingCount(deps)()
    const rows = await db
      .selectFrom('article_standing')
      .innerJoin('articles', 'articles.id', 'article_id')
      .select(['article_id', 'article_standing.words', 'articles.words as saved'])
      .select(['must_used', 'must_total', 'keyword_list', 'article_text'])
      .execute()
    for (const { article_id, keyword_list, article_text, saved, ...counted } of rows) {
      const expected = scorecardOf(JSON.parse(article_text), JSON.parse(keyword_list))
      expect([article_id, counted]).toEqual([article_id, expected])
      expect([article_id, saved]).toEqual([article_id, expected.words])
    }
    return rows
  }

  it('is what the scorecard says of every article of the demo', async () => {
    const app = await createTestApp()
    await seedDemo(app.deps)
    const rows = await expectScorecards(app)
    expect(rows.filter(({ must_used }) => (must_used ?? 0) > 0).length).toBeGreaterThan(3)
  })

  it(`is what the scorecard says of ${ARTICLES} random articles`, async () => {
    const random = createRandom(20_261_127)
    const app = await createTestApp()
    for (let count = ARTICLES; count > 0; count -= 1) {
      await app.article({
        articleText: random.chance(20) ? {} : textAtRandom(random),
        keywordList: keywordsAtRandom(random),
      })
    }
    await sweepAll(app.db)
    const rows = await expectScorecards(app)
    expect(
      rows.some(({ must_used, must_total }) => must_used && must_used < (must_total ?? 0)),
    ).toBe(true)
  })
})

describe('after any history', () => {
  type World = Awaited<ReturnType<typeof createWorld>>
  async function createWorld(random: Random) {
    const app = await createTestApp()
    const admin = await app.user({ role: 'admin' })
    const clients = [await app.client(), await app.client({ name: 'Inn' })]
    const ids: string[] = []
    for (let count = 0; count < 4; count += 1) ids.push((await app.article()).id)
    const settings = (id: string, changes: object) =>
      app.as(admin).patch(`/v1/articles/admin/${id}`, changes)
    const save = (id: string, changes: object) => app.as(admin).patch(`/v1/articles/${id}`, changes)
    const inside = (work: (db: Database) => Promise<unknown>) => app.db.transaction().execute(work)
    const acts: ((id: string) => Promise<unknown>)[] = [
      async () => ids.push((await app.article({ articleText: textAtRandom(random) })).id),
      (id) => save(id, { articleText: textAtRandom(random) }),
      (id) => save(id, { articleText: textAtRandom(random) }),
      (id) => save(id, { completed: true }),
      (id) => save(id, { completed: false }),
      (id) => settings(id, { keywordList: keywordsAtRandom(random) }),
      (id) => settings(id, { wordMinimum: random.below(20) }),
      (id) => settings(id, { clientId: random.one([null, ...clients.map((client) => client.id)]) }),
      (id) => settings(id, { name: random.one(['Oats', 'Rye', 'Öl']) }),
      (id) => inside((db) => plan(db, id, random.one([null, '2026-03-01', '2026-03-05']))),
      (id) => inside((db) => plan(db, id, random.one([null, '2026-03-01', '2026-03-05']))),
      (id) => inside((db) => deleteArticle(db, id, { now: app.clock.now(), deletedBy: admin.id })),
      (id) => inside((db) => restoreArticle(db, id, app.clock.now())),
    ]
    return { app, ids, act: () => random.one(acts)(random.one(ids)) }
  }

  async function plan(db: Database, id: string, dueOn: string | null) {
    await sql`insert into article_plans values (${id}, '', ${dueOn}, 1, '', '', '')
      on conflict (article_id) do update
      set due_on = excluded.due_on, counter = article_plans.counter + 1`.execute(db)
    await countChange(db, id)
  }

  /** A run of a node that keeps running, stops in the middle, or is killed there. */
  async function run({ app }: World, random: Random): Promise<void> {
    const ends = random.one(['never', 'never', 'stops', 'dies'])
    const { clock } = app
    const mayDie = () => {
      if (ends === 'dies' && random.chance(4)) throw new Error('killed')
      return clock.now()
    }
    const isDraining = () => ends === 'stops' && random.chance(2)
    const node = { ...app.deps, clock: { ...clock, now: mayDie }, isDraining }
    await createStandingCount(node)().catch((fault: unknown) => {
      if (String(fault) !== 'Error: killed') throw fault
      clock.advance(TURN_MS)
    })
  }

  it(`of ${HISTORIES}, every standing is what a count from nothing finds, and so are the sums`, async () => {
    for (let seed = 1; seed <= HISTORIES; seed += 1) {
      const random = createRandom(seed)
      const world = await createWorld(random)
      const { db, deps, clock } = world.app
      for (let step = 0; step < 60; step += 1) {
        if (random.chance(40)) await db.deleteFrom('changes').execute()
        clock.advance(1_000)
        // Some runs meet changes that are made at the same time.
        const running = random.chance(3) ? run(world, random) : undefined
        if (random.chance(2)) await running
        await world.act()
        await running
      }
      clock.advance(2 * TURN_MS)
      const count = createStandingCount(deps)
      await count()
      await count()
      const found = await standings(db)
      const sums = await sumsOf(db)
      await db.updateTable('article_standing').set({ version: 0, words: -1, risk: '' }).execute()
      await sweepAll(db)
      await count()
      expect([seed, found]).toEqual([seed, await standings(db)])
      expect([seed, sums]).toEqual([seed, await countedAgain(db)])
      const { changed, counted, sweep } = await readCountingState(db)
      expect([seed, counted, sweep]).toEqual([seed, changed, null])
      await world.app.giveBack()
    }
  }, 600_000)

  const inOrder = (rows: { articles: number | string }[]) =>
    rows.map((row) => JSON.stringify({ ...row, articles: Number(row.articles) })).sort()

  const sumsOf = async (db: Database) =>
    inOrder(
      await db
        .selectFrom('standing_counts')
        .select(['client_id', 'state', 'due_on', 'articles'])
        .execute(),
    )

  async function countedAgain(db: Database) {
    const { rows } = await sql<{ articles: number | string }>`
      select '' as client_id, state, due_on, count(*) as articles
        from article_standing group by state, due_on
      union all
      select coalesce(client_id, '-'), state, due_on, count(*)
        from article_standing group by coalesce(client_id, '-'), state, due_on`.execute(db)
    return inOrder(rows)
  }
})

describe('a run', () => {
  async function filled(articles: number) {
    const app = await createTestApp()
    for (let count = 0; count < articles; count += 1) await app.article({ name: `Oats ${count}` })
    const uncounted = async () =>
      (
        await app.db
          .selectFrom('article_standing')
          .select('version')
          .where('version', '=', 0)
          .execute()
      ).length
    return { app, uncounted }
  }

  it('ends after a second, and the next one continues from there', async () => {
    const { app, uncounted } = await filled(90)
    let time = 0
    const clock = { now: app.clock.now, monotonic: () => (time += 300) }
    const count = createStandingCount({ ...app.deps, clock })
    const left: number[] = []
    while ((await uncounted()) > 0) {
      await count()
      left.push(await uncounted())
    }
    expect(left).toEqual([30, 0])
  })

  it('serves requests between one article and the next', async () => {
    const { app } = await filled(30)
    let turns = 0
    let isOver = false
    const takeTurns = () => {
      turns += 1
      if (!isOver) setImmediate(takeTurns)
    }
    setImmediate(takeTurns)
    await createStandingCount(app.deps)()
    isOver = true
    expect(turns).toBeGreaterThanOrEqual(30)
  })

  it('compares all articles when changes were forgotten that were not counted yet', async () => {
    const { app, uncounted } = await filled(30)
    await app.db.transaction().execute(async (db) => {
      for (let change = 0; change < 1_300; change += 1) await countChange(db, null)
    })
    const count = createStandingCount(app.deps)
    await count()
    expect(await uncounted()).toBe(0)
    expect(await readCountingState(app.db)).toMatchObject({ sweep: null })
  })

  it('writes no count of what changed or went in the meantime', async () => {
    const { app } = await filled(3)
    const { db } = app
    const ids = (await standings(db)).map(({ article_id }) => article_id)
    const [saved = '', deleted = '', same = ''] = ids
    const counted = await Promise.all(ids.map((id) => countArticle(db, id, '2026-03-02')))
    const admin = await app.user({ role: 'admin' })
    await app.as(admin).patch(`/v1/articles/${saved}`, { articleText: article('One.') })
    await app.as(admin).delete(`/v1/articles/${deleted}`)
    await db.transaction().execute((inside) =>
      writeStandings(
        inside,
        counted.filter((row) => row !== undefined),
      ),
    )
    expect((await standings(db)).map(({ article_id, version }) => [article_id, version])).toEqual([
      [saved, 0],
      [same, 1],
    ])
  })

  it('keeps a comparison of all articles that another node begins at the same time', async () => {
    const { app } = await filled(90)
    const { db } = app
    const sweep = async () => (await readCountingState(db)).sweep
    const running = createStandingCount(app.deps)()
    while ((await sweep())?.after === '') await giveWay()
    const later = { since: '2026-03-02T09:00:30.000Z', after: '' }
    await setSweep(db, later)
    await running
    expect(await sweep()).toEqual(later)
  })

  it('is of one node at a time, and of the next one when that died', async () => {
    const { app } = await filled(0)
    const now = app.clock.now()
    expect(await takeTurn(app.db, now)).toBe(true)
    expect(await takeTurn(app.db, now + TURN_MS - 1)).toBe(false)
    expect(await takeTurn(app.db, now + TURN_MS)).toBe(true)
    // A clock that was an hour ahead.
    expect(await takeTurn(app.db, now + 120 * TURN_MS)).toBe(true)
    expect(await takeTurn(app.db, now)).toBe(true)
    await endTurn(app.db)
    expect(await takeTurn(app.db, now)).toBe(true)
  })
})

it.skipIf(inject('postgres'))('a save has no statement for it', async () => {
  const statements: string[] = []
  const sqlite = new Sqlite(':memory:', { verbose: (text) => void statements.push(String(text)) })
  const app = await createTestApp({ db: kyselyOver(sqlite) })
  const writer = await app.user()
  const client = await app.client({ users: [writer] })
  const { id } = await app.article({ client })
  const save = (words: string, headers = {}) =>
    app.as(writer).patch(`/v1/articles/${id}`, { articleText: article(words) }, headers)
  await save('One.')
  const before = await standings(app.db)
  statements.length = 0
  expect((await save('One two.', { 'idempotency-key': 'k1', 'if-match': '*' })).status).toBe(200)
  expect(statements.some((text) => /update "articles"/.test(text))).toBe(true)
  expect(statements.filter((text) => /standing/.test(text))).toEqual([])
  // Statements of triggers are not listed.
  expect(await standings(app.db)).toEqual(before)
})
