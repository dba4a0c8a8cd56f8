import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { migrationsBefore } from '../../testing/test-database.ts'
import Sqlite from '../sqlite/better-sqlite3.ts'
import { kyselyOver } from '../sqlite/sqlite.ts'
import { articleStanding } from './023-article-standing.ts'
import { migrate } from './migrate.ts'

const sources = { now: '2026-03-02T09:00:00.000Z', newId: () => 'an id' }
const article = (id: string, words: number, minimum: number, completed: 0 | 1, client = 'null') =>
  sql.raw(`insert into articles (id, name, name_folded, client_id, word_minimum, completed, version, text_version, words,
    created_at, updated_at, keyword_list, article_text, client_name_folded, has_entities)
    values ('${id}', 'A', 'a', ${client}, ${minimum}, ${completed}, 3, 1, ${words}, '', '2026-03-01', '[]', '{}', '', 0)`)

it('begins the standing of the articles that are there, and measures the hand-ins', async () => {
  const db = kyselyOver(new Sqlite(':memory:'))
  const before = migrationsBefore('023')
  await migrate(db, sources, before)
  await sql`update meta set value = '7' where key = 'change_seq'`.execute(db)
  await sql`insert into clients values ('mill', 'Mill', 'mill', 0, '', '', null)`.execute(db)
  for (const insert of [
    article('1', 0, 5, 0),
    article('2', 5, 5, 0, "'mill'"),
    article('3', 6, 5, 0),
    article('4', 0, 5, 1, "'mill'"),
  ])
    await insert.execute(db)
  const receipt = JSON.stringify({ words: 6, wordMinimum: 5 })
  for (const [number, kept] of [
    [1, null],
    [2, receipt],
  ] as const)
    await sql`insert into hand_ins (article_id, number, text_version, at, receipt)
      values ('4', ${number}, 1, '', ${kept})`.execute(db)

  await migrate(db, sources, { ...before, '023-article-standing': articleStanding })
  const standings = await db
    .selectFrom('article_standing')
    .select(['article_id', 'version', 'must_total', 'state', 'client_id', 'counted_at'])
    .execute()
  const uncounted = { version: 0, must_total: null, counted_at: '2026-03-01' }
  expect(standings).toEqual([
    { ...uncounted, article_id: '1', state: 'not-begun', client_id: null },
    { ...uncounted, article_id: '2', state: 'being-written', client_id: 'mill' },
    { ...uncounted, article_id: '3', state: 'long-enough', client_id: null },
    { ...uncounted, article_id: '4', state: 'complete', client_id: 'mill' },
  ])
  const counts = await db.selectFrom('standing_counts').selectAll().execute()
  expect(counts.map(({ client_id, state, articles }) => [client_id, state, articles])).toEqual([
    ['', 'being-written', 1],
    ['', 'complete', 1],
    ['', 'long-enough', 1],
    ['', 'not-begun', 1],
    ['-', 'long-enough', 1],
    ['-', 'not-begun', 1],
    ['mill', 'being-written', 1],
    ['mill', 'complete', 1],
  ])
  const handIns = await db.selectFrom('hand_ins').select(['words', 'word_minimum']).execute()
  expect(handIns).toEqual([
    { words: null, word_minimum: null },
    { words: 6, word_minimum: 5 },
  ])
  const meta = await db.selectFrom('meta').selectAll().where('key', 'like', 'standing%').execute()
  expect(Object.fromEntries(meta.map(({ key, value }) => [key, value]))).toEqual({
    standing_seq: '7',
    standing_turn: '',
    standing_sweep: '{"since":"2026-03-02T09:00:00.000Z","after":""}',
  })

  await sql`delete from articles where id in ('2', '3')`.execute(db)
  const left = await db.selectFrom('standing_counts').select(['client_id', 'state']).execute()
  expect(left.map(({ client_id, state }) => `${client_id} ${state}`)).toEqual([
    ' complete',
    ' not-begun',
    '- not-begun',
    'mill complete',
  ])
})
