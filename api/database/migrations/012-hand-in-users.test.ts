import { sql } from 'kysely'
import { expect, it } from 'vitest'
import Sqlite from '../sqlite/better-sqlite3.ts'
import { kyselyOver } from '../sqlite/sqlite.ts'
import { firstTables } from './001-first-tables.ts'
import { agencyLists } from './002-agency-lists.ts'
import { handIns } from './010-hand-ins.ts'
import { handInUsers } from './012-hand-in-users.ts'
import { migrate } from './migrate.ts'

const sources = { now: '2026-03-02T09:00:00.000Z', newId: () => 'an id' }
const before = {
  '001-first-tables': firstTables,
  '002-agency-lists': agencyLists,
  '010-hand-ins': handIns,
}

it('knows which user completed an article before completions were recorded by name', {
  tags: ['@CO-15'],
}, async () => {
  const db = kyselyOver(new Sqlite(':memory:'))
  await migrate(db, sources, before)
  for (const [number, at] of [
    [1, '09:05'],
    [2, '09:40'],
  ] as const) {
    await sql`insert into hand_ins values ('a', ${number}, ${number}, ${at})`.execute(db)
  }
  const audit = [
    ['1', '09:05', 'imogen', 'article.completed', 'a'],
    ['2', '09:05', 'rowan', 'article.reopened', 'a'],
    ['3', '09:40', 'rowan', 'article.completed', 'b'],
  ] as const
  for (const [id, at, actor, action, subject] of audit) {
    await sql`insert into audit values (${id}, ${at}, ${actor}, ${action}, ${subject}, '{}')`.execute(
      db,
    )
  }
  await migrate(db, sources, { ...before, '012-hand-in-users': handInUsers })
  const rows = await db.selectFrom('hand_ins').select(['number', 'user_id']).execute()
  expect(rows).toEqual([
    { number: 1, user_id: 'imogen' },
    { number: 2, user_id: null },
  ])
})
