import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, expect, inject, it, onTestFinished } from 'vitest'
import { ensurePepper } from '../accounts/pepper.ts'
import { readConfig } from '../config.ts'
import { openDatabase, openFile } from '../database/open-database.ts'
import { seedDemo } from '../demo/seed.ts'
import type { Database } from '../deps.ts'
import { readState } from '../events/change-rows.ts'
import { createStandingCount } from '../progress/count-standing.ts'
import { createTestApp, TEST_START, type TestApp } from '../testing/test-app.ts'
import { quietSources } from '../testing/test-clock.ts'
import { newPostgresDatabase } from '../testing/test-database.ts'
import { runMove } from './move-command.ts'

const sources = {
  ...quietSources,
  now: new Date(TEST_START).toISOString(),
  newId: () => 'an id',
  pepper: null,
  addressOf: (url: string) => readConfig({ DATABASE_URL: url }).database,
}
const move = (from: string, to: string) => runMove(sources, ['--from', from, '--to', to])
const digestOf = (said: string) => /SHA-256 of all rows: ([\da-f]{64})$/.exec(said)?.[1]

let folder: string
let file: string
let postgres: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'contun-move-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  file = `sqlite:${join(folder, 'contun.sqlite')}`
  const server = inject('postgres')
  if (server === undefined) throw new Error('These tests are of the project postgres')
  postgres = await newPostgresDatabase(server, '')
})

/** Writes the demo agency into the file, with more rows of each kind than fit into one batch. */
async function fillFile(): Promise<void> {
  const { db, close } = await openFile(join(folder, 'contun.sqlite'), sources)
  const app = await createTestApp({ db })
  await seedDemo(app.deps)
  await createStandingCount(app.deps)()
  const writer = await app.user({ name: 'Zoë “Ink” Łąka', role: 'admin' })
  while ((await db.selectFrom('articles').select('id').execute()).length < 230) await app.article()
  const { id } = await app.article({ name: '100 % émigré\u2028' })
  await save(app, writer, id)
  await app.as(writer).delete(`/v1/articles/${(await app.article()).id}`)
  await app.as(null).post('/v1/auth/forgot-password', { email: writer.email })
  await app.settled()
  await close()
}

const save = async (app: TestApp, writer: Parameters<TestApp['as']>[0], id: string) => {
  const articleText = {
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Naïve 🦉 words.' }] }],
  }
  const answer = await app
    .as(writer)
    .patch(`/v1/articles/${id}`, { articleText }, { 'idempotency-key': 'k1' })
  expect(answer.status).toBe(200)
}

async function at<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const { db, close } = await openDatabase(sources.addressOf(url), sources)
  try {
    return await work(db)
  } finally {
    await close()
  }
}

it('the demo moves to PostgreSQL and back into a new file, and reads the same at each place', async () => {
  await fillFile()
  const there = await move(file, postgres)
  expect(there).toMatch(/^Everything was copied/)
  expect(there).toContain('articles 231')
  expect(there).toContain('article_plans 13')
  const again = `sqlite:${join(folder, 'again.sqlite')}`
  const back = await move(postgres, again)
  expect(digestOf(there)).toBeDefined()
  expect(digestOf(back)).toBe(digestOf(there))
  const all = await Promise.all(
    [file, postgres, again].map((url) =>
      at(url, async (db) => ({
        articles: await db
          .selectFrom('article_counts')
          .select(['client_id', 'completed', 'has_entities'])
          .select(({ fn }) => fn.sum<number>('articles').as('articles'))
          .groupBy(['client_id', 'completed', 'has_entities'])
          .having(({ fn }) => fn.sum('articles'), '>', 0)
          .orderBy('client_id')
          .orderBy('completed')
          .orderBy('has_entities')
          .execute(),
        standings: await db
          .selectFrom('standing_counts')
          .selectAll()
          .orderBy('client_id')
          .orderBy('state')
          .orderBy('due_on')
          .execute(),
      })),
    ),
  )
  expect(all[0]?.standings.length).toBeGreaterThan(3)
  expect(all[1]).toEqual(all[0])
  expect(all[2]).toEqual(all[0])
})

it('maintains counts after it: every new article is counted, also where a count was stored with a fraction', async () => {
  await fillFile()
  await at(file, (db) => sql`update meta set value = '240.0' where key = 'change_seq'`.execute(db))
  await move(file, postgres)
  const counted = await at(postgres, async (db) => {
    await createTestApp({ db }).then((app) => app.article())
    const total = db
      .selectFrom('article_counts')
      .select(({ fn }) => fn.sum<number>('articles').as('articles'))
      .where('client_id', '=', '')
    return [await total.execute(), (await readState(db)).seq]
  })
  expect(counted).toEqual([[{ articles: 232 }], 241])
})

it('can be run again, and leaves a target with other data as it is', async () => {
  await fillFile()
  const first = await move(file, postgres)
  const second = await move(file, postgres)
  expect(second).toMatch(/^The target has the same data already/)
  expect(digestOf(second)).toBe(digestOf(first))
  await at(file, (db) => sql`update users set name = 'Another'`.execute(db))
  await expect(move(file, postgres)).rejects.toThrow('The target has other data already')
  const names = await at(postgres, (db) => db.selectFrom('users').select('name').execute())
  expect(names.map(({ name }) => name)).not.toContain('Another')
})

it('is refused with another pepper than that of the passwords, and leaves the target empty', async () => {
  await fillFile()
  const right = Buffer.from('a pepper of at least 32 characters')
  await at(file, (db) => ensurePepper(db, right))
  const other = { ...sources, pepper: Buffer.from('another pepper of 32 characters!') }
  const words = ['--from', file, '--to', postgres]
  await expect(runMove(other, words)).rejects.toThrow('PASSWORD_PEPPER is not the one')
  expect(await at(postgres, (db) => db.selectFrom('users').selectAll().execute())).toEqual([])
  await runMove({ ...sources, pepper: right }, words)
  const wrong = at(postgres, (db) => ensurePepper(db, other.pepper))
  await expect(wrong).rejects.toThrow('PASSWORD_PEPPER is not the one')
})

it('that breaks off leaves the target empty, and the next one copies everything', async () => {
  await fillFile()
  await at(file, (db) => sql`update audit set detail = ${'a\u0000b'}`.execute(db))
  await expect(move(file, postgres)).rejects.toThrow('invalid byte sequence')
  expect(await at(postgres, (db) => db.selectFrom('users').selectAll().execute())).toEqual([])
  await at(file, (db) => sql`update audit set detail = '{}'`.execute(db))
  expect(await move(file, postgres)).toMatch(/^Everything was copied/)
})

it('prints what it needs when an argument is missing, and creates no database', async () => {
  await expect(runMove(sources, ['--from', file])).rejects.toThrow('npm run move -- --from')
  await expect(move(file, postgres)).rejects.toThrow('There is no database at')
})
