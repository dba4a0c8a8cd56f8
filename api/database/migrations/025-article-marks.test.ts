import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { migrationsBefore } from '../../testing/test-database.ts'
import Sqlite from '../sqlite/better-sqlite3.ts'
import { kyselyOver } from '../sqlite/sqlite.ts'
import { articleMarks } from './025-article-marks.ts'
import { migrate } from './migrate.ts'

const sources = { now: '2026-03-02T09:00:00.000Z', newId: () => 'an id' }

it('reads the marks of every article from its hand-ins, notes and plan, and keeps them', async () => {
  const db = kyselyOver(new Sqlite(':memory:'))
  const before = migrationsBefore('025')
  await migrate(db, sources, before)
  const handIn = (article: string, number: number, at: string, user: string | null) =>
    sql`insert into hand_ins (article_id, number, text_version, at, user_id)
      values (${article}, ${number}, 1, ${at}, ${user})`.execute(db)
  const note = (article: string, id: string) =>
    sql`insert into article_notes (id, article_id, kind, body, author_id, author_name, created_at)
      values (${id}, ${article}, 'answer', 'So.', 'imogen', 'Imogen', '')`.execute(db)
  const plan = (article: string, counter: number, dueOn: string | null) =>
    sql`insert into article_plans values (${article}, '', ${dueOn}, ${counter}, 'ada', 'Ada', '')
      on conflict (article_id) do update set counter = excluded.counter, due_on = excluded.due_on`.execute(
      db,
    )
  const marks = async () => {
    const rows = await db.selectFrom('article_marks').selectAll().orderBy('article_id').execute()
    return rows.map((row) => Object.values(row))
  }

  await handIn('both', 1, '2026-03-01', null)
  await handIn('both', 2, '2026-03-02', 'imogen')
  await note('both', 'n1')
  await note('both', 'n2')
  await plan('planned', 3, '2026-12-03')
  await migrate(db, sources, { ...before, '025-article-marks': articleMarks })
  expect(await marks()).toEqual([
    ['both', 2, '2026-03-02', 'imogen', 2, 0, null],
    ['planned', 0, null, null, 0, 3, '2026-12-03'],
  ])

  // As a node of an earlier release writes.
  await handIn('both', 3, '2026-03-03', 'rosa')
  await note('both', 'n3')
  await plan('planned', 4, null)
  await note('new', 'n4')
  expect(await marks()).toEqual([
    ['both', 3, '2026-03-03', 'rosa', 3, 0, null],
    ['new', 0, null, null, 1, 0, null],
    ['planned', 0, null, null, 0, 4, null],
  ])

  // As an operator removes rows.
  await sql`delete from hand_ins where number = 3`.execute(db)
  await sql`delete from article_notes where id in ('n1', 'n4')`.execute(db)
  await sql`delete from article_plans`.execute(db)
  expect(await marks()).toEqual([
    ['both', 2, '2026-03-02', 'imogen', 2, 0, null],
    ['new', 0, null, null, 0, 0, null],
    ['planned', 0, null, null, 0, 0, null],
  ])
  await sql`delete from hand_ins`.execute(db)
  expect((await marks())[0]).toEqual(['both', 0, null, null, 2, 0, null])
})
