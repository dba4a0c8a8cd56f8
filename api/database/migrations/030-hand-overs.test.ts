import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { migrationsBefore } from '../../testing/test-database.ts'
import Sqlite from '../sqlite/better-sqlite3.ts'
import { kyselyOver } from '../sqlite/sqlite.ts'
import { handOvers } from './030-hand-overs.ts'
import { migrate } from './migrate.ts'

const sources = { now: '2026-03-02T09:00:00.000Z', newId: () => 'an id' }

it('gives earlier hand-ins positions in the order of their times, and later ones the next', async () => {
  const db = kyselyOver(new Sqlite(':memory:'))
  const before = migrationsBefore('030')
  await migrate(db, sources, before)
  const handIn = (article: string, at: string) =>
    sql`insert into hand_ins (article_id, number, text_version, at)
      values (${article}, 1, 1, ${`2026-03-02T09:${at}.000Z`})`.execute(db)
  for (const [article, at] of [
    ['d', '02:00'],
    ['b', '01:00'],
    ['a', '00:00'],
    ['c', '01:00'],
  ] as const)
    await handIn(article, at)
  await migrate(db, sources, { ...before, '030-hand-overs': handOvers })
  await handIn('e', '02:00')
  await handIn('f', '01:00')
  await handIn('g', '03:00')
  const start = Date.parse('2026-03-02T09:00:00.000Z')
  const rows = await db
    .selectFrom('hand_ins')
    .select(['article_id', 'position'])
    .orderBy('position')
    .execute()
  expect(rows.map(({ article_id, position }) => [article_id, position - start])).toEqual([
    ['a', 0],
    ['b', 60_000],
    ['c', 60_001],
    ['d', 120_000],
    ['e', 120_001],
    ['f', 120_002],
    ['g', 180_000],
  ])
})
