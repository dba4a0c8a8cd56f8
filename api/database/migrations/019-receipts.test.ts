import { sql } from 'kysely'
import { expect, it } from 'vitest'
import Sqlite from '../sqlite/better-sqlite3.ts'
import { kyselyOver } from '../sqlite/sqlite.ts'
import { firstTables } from './001-first-tables.ts'
import { agencyLists } from './002-agency-lists.ts'
import { handIns } from './010-hand-ins.ts'
import { handInUsers } from './012-hand-in-users.ts'
import { receipts } from './019-receipts.ts'
import { migrate } from './migrate.ts'

const sources = { now: '2026-03-02T09:00:00.000Z', newId: () => 'an id' }
const before = {
  '001-first-tables': firstTables,
  '002-agency-lists': agencyLists,
  '010-hand-ins': handIns,
  '012-hand-in-users': handInUsers,
}

it('names who handed in and who reopened before receipts were kept', async () => {
  const db = kyselyOver(new Sqlite(':memory:'))
  await migrate(db, sources, before)
  await sql`insert into users (id, name, name_folded, email, password_hash, role, is_email_verified, created_at, updated_at)
    values ('imogen', 'Imogen Hale', 'imogen hale', 'i@x.example', '', 'user', 0, '', '')`.execute(
    db,
  )
  const rows = [
    ['a', 1, '09:05', 'imogen'],
    ['a', 2, '09:40', 'gone'],
    ['a', 3, '10:00', 'imogen'],
  ] as const
  for (const [article, number, at, user] of rows) {
    await sql`insert into hand_ins (article_id, number, text_version, at, user_id)
      values (${article}, ${number}, ${number}, ${at}, ${user})`.execute(db)
  }
  const audit = [
    ['1', '09:20', 'imogen', 'article.reopened'],
    ['2', '09:50', 'gone', 'article.reopened'],
  ] as const
  for (const [id, at, actor, action] of audit) {
    await sql`insert into audit values (${id}, ${at}, ${actor}, ${action}, 'a', '{}')`.execute(db)
  }
  await migrate(db, sources, { ...before, '019-receipts': receipts })
  const columns = ['number', 'user_name', 'reopened_at', 'reopened_by', 'reopener_name'] as const
  expect(await db.selectFrom('hand_ins').select(columns).orderBy('number').execute()).toEqual([
    {
      number: 1,
      user_name: 'Imogen Hale',
      reopened_at: '09:20',
      reopened_by: 'imogen',
      reopener_name: 'Imogen Hale',
    },
    {
      number: 2,
      user_name: null,
      reopened_at: '09:50',
      reopened_by: 'gone',
      reopener_name: null,
    },
    {
      number: 3,
      user_name: 'Imogen Hale',
      reopened_at: null,
      reopened_by: null,
      reopener_name: null,
    },
  ])
  expect(await db.selectFrom('hand_ins').select('receipt').distinct().execute()).toEqual([
    { receipt: null },
  ])
})
