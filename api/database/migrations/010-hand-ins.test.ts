import { sql } from 'kysely'
import { expect, it } from 'vitest'
import Sqlite from '../sqlite/better-sqlite3.ts'
import { kyselyOver } from '../sqlite/sqlite.ts'
import { firstTables } from './001-first-tables.ts'
import { agencyLists } from './002-agency-lists.ts'
import { handIns } from './010-hand-ins.ts'
import { migrate } from './migrate.ts'

const sources = { now: '2026-03-02T09:00:00.000Z', newId: () => 'an id' }
const before = { '001-first-tables': firstTables, '002-agency-lists': agencyLists }

it('knows what was handed in before completions named their version', {
  tags: ['@fault-70'],
}, async () => {
  const db = kyselyOver(new Sqlite(':memory:'))
  await migrate(db, sources, before)
  await sql`insert into articles values
    ('a', 'A', 'a', null, 5, 0, 9, 3, 'hash', null, 4, 'c', 'u', '[]', '{}', '')`.execute(db)
  const saves = [
    [1, '09:00'],
    [2, '09:05'],
    [3, '09:30'],
  ] as const
  for (const [version, time] of saves) {
    await sql`insert into article_revisions values
      ('a', ${version}, null, 1, null, null, 'autosave', ${time}, '{}')`.execute(db)
  }
  const audit = [
    ['1', '09:05', 'article.completed', 'a'],
    ['2', '09:06', 'article.reopened', 'a'],
    ['3', '09:40', 'article.completed', 'a'],
    ['4', '08:00', 'article.completed', 'a'],
    ['5', '09:00', 'article.completed', 'gone'],
  ] as const
  for (const [id, at, action, subject] of audit) {
    await sql`insert into audit values (${id}, ${at}, null, ${action}, ${subject}, '{}')`.execute(
      db,
    )
  }
  await migrate(db, sources, { ...before, '010-hand-ins': handIns })
  expect(await db.selectFrom('hand_ins').selectAll().orderBy('number').execute()).toEqual([
    { article_id: 'a', number: 1, text_version: 2, at: '09:05' },
    { article_id: 'a', number: 2, text_version: 3, at: '09:40' },
  ])
})
