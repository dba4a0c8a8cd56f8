import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openMemoryDatabase } from '../sqlite/sqlite.ts'
import { firstTables } from './001-first-tables.ts'
import { agencyLists } from './002-agency-lists.ts'
import { migrate } from './migrate.ts'

const sources = { now: '2026-03-02T09:00:00.000Z', newId: () => 'an id' }

it('gives the articles that are there the names of their clients, and keeps them as they are', async () => {
  const db = openMemoryDatabase()
  const first = { '001-first-tables': firstTables }
  await migrate(db, sources, first)
  await sql`insert into clients values
    ('live', 'Live', 'live', 0, '', '', null),
    ('gone', 'Gone', 'gone', 0, '', '', '2026-01-01')`.execute(db)
  for (const [id, client] of [
    ['1', 'live'],
    ['2', 'gone'],
    ['3', null],
  ]) {
    await sql`insert into articles values
      (${id}, 'A', 'a', ${client}, 5, 1, 2, 3, 'hash', null, 4, 'c', 'u', '[]', '{}')`.execute(db)
  }
  await migrate(db, sources, { ...first, '002-agency-lists': agencyLists })
  const rows = await db.selectFrom('articles').selectAll().orderBy('id').execute()
  expect(rows.map((row) => row.client_name_folded)).toEqual(['live', '', ''])
  expect(rows[0]).toMatchObject({ name: 'A', version: 2, text_version: 3, article_text: '{}' })
})
