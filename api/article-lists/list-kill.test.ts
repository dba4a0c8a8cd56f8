import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { beforeAll, expect, it } from 'vitest'
import { type ArticleListAnswer, articleListBody } from '../../domain/wire/article-lists.ts'
import { sha256 } from '../articles/stored-text.ts'
import type { Database } from '../deps.ts'
import {
  compileModules,
  MODULES,
  OPEN_DATABASE,
  processDatabase,
} from '../testing/process-database.ts'
import { createTestApp } from '../testing/test-app.ts'
import { TEST_START } from '../testing/test-clock.ts'

/** The process dies while it runs a list, or after it, before its answer is sent; over the engine of this test run. */

const PATH = '/v1/articles/list'
const KEY = 'run-1'

const list = {
  articles: [
    { name: 'Oats', client: 'Fathom', wordMinimum: 900, dueOn: '2026-12-03' },
    { name: 'Rye', client: 'Fathom', brief: 'Short.' },
    {
      name: 'Spelt',
      keywordList: [{ keyword: 'spelt', source: 'E', score: '4', category: 'Must Use' }],
    },
  ],
  clients: [{ name: 'Fathom', use: 'create' as const }],
}
/** A client with its log entry, two articles with theirs and those of their plans, and the entry of a changed one. */
const IDS = 2 + 2 * 3 + 1 + 1

/** Runs the list and dies at the id with the number DIES_AT, or before it says what it did. */
const RUN = `
  const { runList } = await import('${MODULES}/article-lists/run-list.js')
  ${OPEN_DATABASE}
  const { DIES_AT, REQUEST } = process.env
  const die = () => process.kill(process.pid, 'SIGKILL')
  const { hash, ...request } = JSON.parse(REQUEST)
  let ids = 0
  const newId = () => {
    ids += 1
    if (ids === Number(DIES_AT)) die()
    return '0195b000-0000-7000-8000-' + String(ids).padStart(12, '0')
  }
  const deps = { db, newId, clock: { now: () => ${TEST_START} } }
  await runList(deps, { ...request, body: { ok: true, changes: request.body, hash: () => hash } })
  die()
`

beforeAll(compileModules, 300_000)

async function contentOf(db: Database) {
  const rows = await db
    .selectFrom('articles')
    .leftJoin('clients', 'clients.id', 'articles.client_id')
    .leftJoin('article_plans', 'article_plans.article_id', 'articles.id')
    .select(['articles.name', 'clients.name as client', 'word_minimum', 'keyword_list', 'version'])
    .select(['brief', 'due_on', 'counter'])
    .orderBy('articles.name')
    .execute()
  const log = await db.selectFrom('audit').select(['action', 'subject_name']).execute()
  return JSON.stringify([rows, log])
}

it.each(Array.from({ length: IDS + 1 }, (_, at) => at + 1))(
  'a kill -9 at id %i leaves all or nothing, and the same request again does it once',
  async (diesAt) => {
    const { env, open } = await processDatabase()
    const first = await open()
    const app = await createTestApp({ db: first.db })
    const admin = await app.user({ role: 'admin' })
    const { id } = await app.article({ name: 'Spelt' })
    const { session } = await signedIn(app, admin)
    const dry = await app.as(admin).post(PATH, { ...list, dryRun: true })
    const { plan } = (await dry.json()) as ArticleListAnswer
    const before = await contentOf(first.db)
    await app.settled()
    await first.close()

    const body = articleListBody.parse({ ...list, dryRun: false, plan })
    const viewer = { id: admin.id, role: 'admin', name: admin.name, sessionId: session }
    const hash = sha256(JSON.stringify(['POST', PATH, body]))
    const request = JSON.stringify({ viewer, body, idempotencyKey: KEY, hash })
    const child = spawn(process.execPath, ['--input-type=module', '-e', RUN], {
      env: { ...env, DIES_AT: String(diesAt), REQUEST: request },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])

    const second = await open()
    const after = await contentOf(second.db)
    const isDone = diesAt > IDS
    expect(after === before).toBe(!isDone)
    const again = await createTestApp({ db: second.db, deps: { newId: randomUUID } })
    const answer = await again.as(admin).post(PATH, body, { 'idempotency-key': KEY })
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([
      200,
      isDone ? 'true' : null,
    ])
    const { articles } = (await answer.json()) as ArticleListAnswer
    expect(articles.map(({ state, name }) => `${state} ${name}`)).toEqual([
      'new Oats',
      'new Rye',
      'changed Spelt',
    ])
    expect(articles[2]?.id).toBe(id)
    const names = await second.db.selectFrom('articles').select('name').orderBy('name').execute()
    expect(names.map(({ name }) => name)).toEqual(['Oats', 'Rye', 'Spelt'])
    await again.settled()
    await second.close()
  },
)

async function signedIn(
  app: Awaited<ReturnType<typeof createTestApp>>,
  admin: Parameters<typeof app.signIn>[0],
) {
  await app.signIn(admin)
  const row = await app.db.selectFrom('sessions').select('id').executeTakeFirstOrThrow()
  return { session: row.id }
}
