import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import type { Database } from '../../deps.ts'
import Sqlite from '../sqlite/better-sqlite3.ts'
import { kyselyOver } from '../sqlite/sqlite.ts'
import { firstTables } from './001-first-tables.ts'
import { agencyLists } from './002-agency-lists.ts'
import { articleNames } from './007-article-names.ts'
import { migrate } from './migrate.ts'

const sources = { now: '2026-03-02T09:00:00.000Z', newId: () => 'an id' }
const before = { '001-first-tables': firstTables, '002-agency-lists': agencyLists }

let sqlite: Sqlite.Database
let db: Database

beforeEach(async () => {
  sqlite = new Sqlite(':memory:')
  db = kyselyOver(sqlite)
  await migrate(db, sources, before)
  await sql`insert into clients values
    ('mill', 'Mill', 'mill', 0, '', '', null), ('inn', 'Inn', 'inn', 0, '', '', null)`.execute(db)
  await add('1', 'Oat bread', 'mill')
  await add('2', 'Rye bread', 'mill')
  await add('3', 'Old beer', null)
  await migrate(db, sources, { ...before, '007-article-names': articleNames })
})

const add = (id: string, name: string, client: string | null) =>
  sql`insert into articles values (${id}, ${name}, ${name.toLowerCase()}, ${client}, 5, 1, 2, 3, 'hash', null, 4, 'c',
    'u', '[]', '{}', '')`.execute(db)

const found = (part: string) =>
  sqlite
    .prepare(
      `select id from articles where rowid in (select rowid from article_names where article_names match ?) order by id`,
    )
    .pluck()
    .all(`"${part}"`)
const counts = () =>
  Object.fromEntries(
    sqlite.prepare('select client_id, articles from article_counts').raw().all() as [
      string,
      number,
    ][],
  )
const changes = () => sqlite.prepare("select value from meta where key = 'names_seq'").pluck().get()

it('finds and counts the articles that are there', () => {
  expect(found('bread')).toEqual(['1', '2'])
  expect(found('eer')).toEqual(['3'])
  expect(counts()).toEqual({ '': 3, mill: 2 })
  expect(changes()).toBe('0')
})

it.each([
  ['adds', () => add('4', 'Sourbread', 'inn'), ['1', '2', '4'], { '': 4, mill: 2, inn: 1 }],
  [
    'removes',
    () => sql`delete from articles where id = '1'`.execute(db),
    ['2'],
    { '': 2, mill: 1 },
  ],
  [
    'renames',
    () => sql`update articles set name_folded = 'oats' where id = '1'`.execute(db),
    ['2'],
    { '': 3, mill: 2 },
  ],
  [
    'moves',
    () => sql`update articles set client_id = 'inn' where id = '1'`.execute(db),
    ['1', '2'],
    { '': 3, mill: 1, inn: 1 },
  ],
  [
    'takes a client away from',
    () => sql`update articles set client_id = null where id = '1'`.execute(db),
    ['1', '2'],
    { '': 3, mill: 1 },
  ],
])('is updated when a user %s an article', async (_, change, names, counted) => {
  await change()
  expect(found('bread')).toEqual(names)
  expect(counts()).toEqual(counted)
  expect(changes()).toBe('1')
})

it('lets a save of a text go by', async () => {
  await sql`update articles set article_text = '{"a":1}', name_folded = name_folded where id = '1'`.execute(
    db,
  )
  expect(changes()).toBe('0')
})

it('finds the same articles after the file was rewritten', async () => {
  await sql`delete from articles where id = '2'`.execute(db)
  await add('5', 'Barley bread', 'inn')
  sqlite.exec('vacuum')
  expect(found('bread')).toEqual(['1', '5'])
  expect(found('barley')).toEqual(['5'])
})
