import { sql } from 'kysely'
import { expect, it } from 'vitest'
import Sqlite from '../sqlite/better-sqlite3.ts'
import { kyselyOver } from '../sqlite/sqlite.ts'
import { firstTables } from './001-first-tables.ts'
import { agencyLists } from './002-agency-lists.ts'
import { articleNames } from './007-article-names.ts'
import { articleRanges } from './008-article-ranges.ts'
import { articleStates } from './013-article-states.ts'
import { migrate } from './migrate.ts'

const sources = { now: '2026-03-02T09:00:00.000Z', newId: () => 'an id' }
const before = {
  '001-first-tables': firstTables,
  '002-agency-lists': agencyLists,
  '007-article-names': articleNames,
  '008-article-ranges': articleRanges,
}

it('counts the articles that are there by client and state, and follows them from then on', async () => {
  const db = kyselyOver(new Sqlite(':memory:'))
  await migrate(db, sources, before)
  await sql`insert into clients values ('mill', 'Mill', 'mill', 0, '', '', null)`.execute(db)
  const rows = [
    ['1', 'mill', 1, '[{}]'],
    ['2', 'mill', 0, '[]'],
    ['3', null, 0, '[]'],
  ] as const
  for (const [id, client, completed, keywords] of rows) {
    await sql`insert into articles values (${id}, 'A', 'a', ${client}, 5, ${completed}, 2, 3, 'hash', null, 4, 'c',
      'u', ${keywords}, '{}', '')`.execute(db)
  }
  await migrate(db, sources, { ...before, '013-article-states': articleStates })
  const counts = async () => {
    const { rows: kept } = await sql<{ count: string }>`
      select client_id || ' ' || completed || has_entities || ' ' || articles as count
      from article_counts where articles > 0 order by 1`.execute(db)
    return kept.map(({ count }) => count)
  }
  expect(await counts()).toEqual([' 00 2', ' 11 1', '- 00 1', 'mill 00 1', 'mill 11 1'])

  await sql`update articles set completed = 1 where id = '3'`.execute(db)
  await sql`update articles set has_entities = 1, client_id = null where id = '2'`.execute(db)
  await sql`delete from articles where id = '1'`.execute(db)
  expect(await counts()).toEqual([' 01 1', ' 10 1', '- 01 1', '- 10 1'])
})

it('keeps what a deleted article had', async () => {
  const db = kyselyOver(new Sqlite(':memory:'))
  await migrate(db, sources, before)
  for (const [id, keywords] of [
    ['1', '[{}]'],
    ['2', '[]'],
  ]) {
    await sql`insert into deleted_articles values (${id}, 'A', 'a', null, 5, 0, 2, 3, 'hash', null, 4, 'c',
      'u', ${keywords}, '{}', '', 'd', null)`.execute(db)
  }
  await migrate(db, sources, { ...before, '013-article-states': articleStates })
  const kept = await db.selectFrom('deleted_articles').select(['id', 'has_entities']).execute()
  expect(kept).toEqual([
    { id: '1', has_entities: 1 },
    { id: '2', has_entities: 0 },
  ])
})
