import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { migrationsBefore } from '../../testing/test-database.ts'
import Sqlite from '../sqlite/better-sqlite3.ts'
import { kyselyOver } from '../sqlite/sqlite.ts'
import { foldedLog } from './027-folded-log.ts'
import { migrate } from './migrate.ts'

const sources = { now: '2026-03-02T09:00:00.000Z', newId: () => 'an id' }

it('folds the entries of each earlier list into its newest one', async () => {
  const db = kyselyOver(new Sqlite(':memory:'))
  const before = migrationsBefore('027')
  await migrate(db, sources, before)
  const entry = (id: string, list?: string) =>
    sql`insert into audit (id, at, actor_id, action, subject_id, detail)
      values (${id}, '', 'ada', 'article.created', 'a',
        ${JSON.stringify(list ? { list: { id: list, source: 'x.csv' } } : {})})`.execute(db)
  for (const [id, list] of [['1'], ['2', 'x'], ['3', 'y'], ['4', 'x'], ['5', 'x'], ['6']] as const)
    await entry(id, list)
  await migrate(db, sources, { ...before, '027-folded-log': foldedLog })
  const { rows } = await sql<{ id: string; folded_into: string | null }>`
    select id, folded_into from audit order by id`.execute(db)
  expect(rows.map(({ id, folded_into }) => `${id} ${folded_into}`)).toEqual([
    '1 null',
    '2 5',
    '3 null',
    '4 5',
    '5 null',
    '6 null',
  ])
})
