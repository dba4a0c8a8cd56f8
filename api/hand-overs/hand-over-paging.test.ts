import { expect, inject, it, onTestFinished } from 'vitest'
import { doc, paragraph, text } from '../../domain/testing/nodes.ts'
import type { HandOver, HandOvers } from '../../domain/wire/hand-overs.ts'
import { runCount } from '../../scripts/test-depth.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { newPostgresDatabase, openForTest } from '../testing/test-database.ts'

/** Completions at the same time, spread over all nodes. */
const WRITERS = 8
/** All hand-ins, and how many of them are made during the paging. */
const COUNT = runCount('HAND_OVERS')
const LIVE = Math.ceil(COUNT / 20)

/** Two nodes over PostgreSQL, one over SQLite. */
async function startNodes(): Promise<[TestApp, ...TestApp[]]> {
  const postgres = inject('postgres')
  if (!postgres) return [await createTestApp()]
  const url = await newPostgresDatabase(postgres)
  const open = () => {
    const { db, close } = openForTest(url)
    onTestFinished(close)
    return db
  }
  const first = await createTestApp({ db: open() })
  return [first, await createTestApp({ db: open(), deps: { newId: first.deps.newId } })]
}

it('gives each hand-in once and in order to a program that pages while articles are completed and reopened', async () => {
  const nodes = await startNodes()
  const [app] = nodes
  const admin = await app.user({ role: 'admin' })
  const client = await app.client()
  const articles: string[] = []
  for (let at = 0; at < WRITERS; at += 1) articles.push((await app.article({ client })).id)
  for (const node of nodes) await node.signIn(admin)
  const body = { name: 'Website', clientIds: [client.id], days: 1 }
  const { token } = await (await app.as(admin).post('/v1/program-tokens', body)).json()
  await insertHandIns(app, { articleId: articles[0] ?? '', clientId: client.id })

  let isOver = false
  let made = 0
  async function write(writer: number): Promise<void> {
    const node = nodes[writer % nodes.length] ?? app
    const patch = async (change: object) => {
      const answer = await node.as(admin).patch(`/v1/articles/${articles[writer]}`, change)
      expect(answer.status).toBe(200)
    }
    while (made < LIVE) {
      made += 1
      const articleText = doc(paragraph(text(`Text ${made} of ${writer}.`)))
      await patch({ articleText, completed: true })
      await patch({ completed: false })
    }
  }

  /** Pages from the beginning until all writers are done, then to the end. */
  async function readAll(node: TestApp, limit: number): Promise<HandOver[]> {
    const seen: HandOver[] = []
    for (let since = 0; ; ) {
      const wasOver = isOver
      const answer = await node
        .as(null)
        .get(`/v1/hand-overs?limit=${limit}&since=${since}`, { authorization: `Bearer ${token}` })
      const { results, next, more }: HandOvers = await answer.json()
      seen.push(...results.map((row) => ({ ...row, receipt: null })))
      since = next
      if (wasOver && !more) return seen
    }
  }

  const writing = Promise.all(articles.map((_, writer) => write(writer))).finally(() => {
    isOver = true
  })
  const readers = await Promise.all(
    nodes.flatMap((node) => [readAll(node, 100), readAll(node, 25)]),
  )
  await writing

  const stored = await app.db
    .selectFrom('hand_ins')
    .select(['position', 'article_id', 'number'])
    .orderBy('position')
    .execute()
  expect(stored).toHaveLength(COUNT)
  const all = stored.map(({ position, article_id, number }) => [position, article_id, number])
  for (const seen of readers)
    expect(seen.map((one) => [one.position, one.articleId, one.number])).toEqual(all)
}, 3_600_000)

/** Those that are there before, of articles that are deleted long since, apart from one. */
async function insertHandIns(
  app: TestApp,
  { articleId, clientId }: { articleId: string; clientId: string },
): Promise<void> {
  const rows = Array.from({ length: COUNT - LIVE }, (_, at) => ({
    article_id: at === 0 ? articleId : `gone-${at}`,
    number: 1,
    text_version: 1,
    at: '2026-03-01T09:00:00.000Z',
    user_id: null,
    client_id: clientId,
  }))
  while (rows.length > 0)
    await app.db.insertInto('hand_ins').values(rows.splice(0, 1_000)).execute()
}
