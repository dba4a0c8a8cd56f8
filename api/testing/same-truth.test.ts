import { describe, expect, it } from 'vitest'
import { standingOf } from '../../domain/standing.ts'
import { doc, paragraph, text } from '../../domain/testing/nodes.ts'
import type { ArticleDocument } from '../../domain/text/document.ts'
import type { Article, Keyword, Revision } from '../../domain/wire/articles.ts'
import type { HandIn, Receipt } from '../../domain/wire/hand-ins.ts'
import type { LogEntry } from '../../domain/wire/log.ts'
import type { MonthRow, ProgressRow } from '../../domain/wire/progress.ts'
import { runCount } from '../../scripts/test-depth.ts'
import { createPruning } from '../articles/prune-revisions.ts'
import { createStandingCount } from '../progress/count-standing.ts'
import { createRandom, type Random } from './fuzz-requests.ts'
import { createTestApp, type TestUser } from './test-app.ts'

/**
 * What was handed in is said in five places: the receipt, the sheet of the month, the log, the versions and the progress.
 * Random histories of two writers and an admin, in which all five must say the same.
 */

const HISTORIES = runCount('HAND_IN_HISTORIES')
const STEPS = 60
const WORDS = ['garden', 'path', 'lamp', 'soft', 'dusk', 'moth', 'stone', 'beech']
const CATEGORIES = ['Must Use', 'Need to Use', 'Use When You Can'] as const
const MINUTE_MS = 60_000

const textAtRandom = (random: Random): ArticleDocument =>
  doc(
    ...Array.from({ length: 1 + random.below(3) }, () =>
      paragraph(
        text(Array.from({ length: 1 + random.below(9) }, () => random.one(WORDS)).join(' ')),
      ),
    ),
  )

const keywordsAtRandom = (random: Random): Keyword[] =>
  WORDS.slice(0, random.below(WORDS.length)).map((keyword) => ({
    keyword,
    source: 'E',
    score: 4,
    category: random.one(CATEGORIES),
  }))

async function createWorld(random: Random) {
  const app = await createTestApp()
  const admin = await app.user({ name: 'Clara Whitlock', role: 'admin' })
  const writers = [
    await app.user({ name: 'Imogen Hale' }),
    await app.user({ name: 'Tobias Wren' }),
  ] as const
  const client = await app.client({ name: 'Larkspur Gardens', users: [...writers] })
  const { id } = await app.article({ name: 'Lighting', client })
  const path = `/v1/articles/${id}`
  const prune = createPruning(app.deps)
  const count = createStandingCount(app.deps)
  const read = async <T>(person: TestUser, address: string): Promise<T> =>
    (await app.as(person).get(address)).json()
  const list = async <T>(person: TestUser, address: string): Promise<T[]> =>
    (await read<{ results: T[] }>(person, address)).results
  const article = () => read<Article>(admin, path)
  const revisions = () => list<Revision>(writers[0], `${path}/revisions?limit=500`)

  const steps = [
    () => app.as(random.one([...writers])).patch(path, { articleText: textAtRandom(random) }),
    () => app.as(random.one([...writers])).patch(path, { articleText: textAtRandom(random) }),
    () => app.as(random.one([...writers])).patch(path, { completed: true }),
    () =>
      app
        .as(random.one([...writers]))
        .patch(path, { articleText: textAtRandom(random), completed: true }),
    () => app.as(admin).patch(path, { completed: false }),
    () => app.as(admin).patch(path, { completed: false }),
    () =>
      app.as(admin).patch(`/v1/articles/admin/${id}`, { keywordList: keywordsAtRandom(random) }),
    () => app.as(admin).patch(`/v1/articles/admin/${id}`, { wordMinimum: random.below(20) }),
    () => app.as(admin).patch(`/v1/articles/admin/${id}`, { name: random.one(WORDS) }),
    async () => {
      const { textVersion } = random.one(await revisions())
      return app.as(random.one([...writers])).post(`${path}/revisions/${textVersion}/restore`)
    },
    prune,
  ]

  async function step() {
    app.clock.advance(1 + random.below(random.one([20, 40 * 60]) * 1_000))
    if (random.chance(3)) app.clock.advance(11 * MINUTE_MS)
    for (const person of [admin, ...writers]) await app.signIn(person)
    await random.one(steps)()
  }

  return { admin, writers, path, step, count, article, revisions, list }
}

type World = Awaited<ReturnType<typeof createWorld>>
type KnownReceipt = Extract<Receipt, { format: 'contun-receipt-3' }>

function receiptOf({ receipt }: HandIn): KnownReceipt {
  if (receipt?.format !== 'contun-receipt-3') throw new Error('There is no receipt')
  return receipt
}

/** Right after a completion: the receipt says what the article is. */
async function expectOfArticle({ count, article, admin, list, revisions }: World, handIn: HandIn) {
  await count()
  const now = await article()
  const { words, wordMinimum, groups, ...receipt } = receiptOf(handIn)
  const standing = standingOf(now.articleText ?? {}, now.keywordList)
  expect({ words, groups }).toEqual({ words: standing.words, groups: standing.groups })
  expect([receipt.article.name, wordMinimum]).toEqual([now.name, now.wordMinimum])
  expect(receipt.at).toBe(now.updatedAt)
  const [row] = await list<ProgressRow>(admin, '/v1/progress')
  const [must] = groups
  expect(row).toMatchObject({
    words,
    wordMinimum,
    mustUse: { used: must?.used, total: must?.total },
    state: 'complete',
    countedAt: null,
  })
  const [newest] = await revisions()
  expect(newest?.textVersion).toBe(receipt.textVersion)
}

/** Also of earlier hand-ins, whatever was changed since. */
async function expectTheSameEverywhere({ admin, path, list, revisions }: World) {
  const handIns = (await list<HandIn>(admin, `${path}/hand-ins?limit=50`)).toReversed()
  const sheet = await list<MonthRow>(admin, '/v1/hand-ins?month=2026-03&limit=100')
  const log = (await list<LogEntry>(admin, `${path}/log?limit=100`)).toReversed()
  const completed = log.filter(({ action }) => action === 'article.completed')
  const versions = (await revisions()).toReversed()
  const receipts = handIns.map(receiptOf)
  expect(
    sheet.map(({ number, at, writer, article, words, wordMinimum, fingerprint }) => [
      number,
      at,
      writer,
      article,
      words,
      wordMinimum,
      fingerprint,
    ]),
  ).toEqual(
    receipts.map(({ number, at, by, article, words, wordMinimum, textHash }) => [
      number,
      at,
      by?.name,
      article.name,
      words,
      wordMinimum,
      textHash,
    ]),
  )
  expect(
    completed.map(({ handIn, at, by, textVersion }) => [handIn, at, by?.name, textVersion]),
  ).toEqual(receipts.map(({ number, at, by, textVersion }) => [number, at, by?.name, textVersion]))
  for (const [index, receipt] of receipts.entries()) {
    const { textVersion, words, authors, authorsSince } = receipt
    const latest = receipts.findLast((other) => other.textVersion === textVersion)?.number
    const version = versions.find((one) => one.textVersion === textVersion)
    expect([version?.words, version?.handIn]).toEqual([words, latest])
    const namesAfter = (since: number) =>
      new Set(
        versions
          .filter((one) => one.textVersion > since && one.textVersion <= textVersion)
          .flatMap(({ author }) => author?.name ?? []),
      )
    const before = receipts[index - 1]?.textVersion
    expect(authorsSince && new Set(authorsSince)).toEqual(
      before === undefined ? null : namesAfter(before),
    )
    expect([...namesAfter(0)]).toEqual(expect.arrayContaining(authors))
    expect(authors.length > 0).toBe(words > 0)
  }
}

describe('receipt, month sheet, log, versions and progress', { tags: ['@HI-01', '@VL-08'] }, () => {
  it.each(Array.from({ length: HISTORIES }, (_, seed) => seed))(
    'say the same of every hand-in, history %i',
    async (seed) => {
      const world = await createWorld(createRandom(seed))
      let seen = 0
      for (let step = 0; step < STEPS; step += 1) {
        await world.step()
        const [newest] = await world.list<HandIn>(world.admin, `${world.path}/hand-ins?limit=1`)
        if (newest === undefined || newest.number === seen) continue
        seen = newest.number
        await expectOfArticle(world, newest)
      }
      await expectTheSameEverywhere(world)
    },
  )
})
