import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { migrationsBefore, openEmptyDatabase } from '../../testing/test-database.ts'
import { migrate } from './migrate.ts'

const sources = { now: '2026-03-02T09:00:00.000Z', newId: () => 'an id' }

it('keeps the mails that wait, and takes those about two-step login', async () => {
  const db = await openEmptyDatabase()
  await migrate(db, sources, migrationsBefore('029'))
  await sql`insert into mail_outbox values
    ('m1', 'invitation', 'ada@reeds.example', 'c', 'e', 3, 'n', 'r', 'u1')`.execute(db)
  await migrate(db, sources)
  const waiting = { id: 'm1', kind: 'invitation', recipient: 'ada@reeds.example', created_at: 'c' }
  const state = { expires_at: 'e', tries: 3, next_try_at: 'n', refused_at: 'r', sender_id: 'u1' }
  const later = { user_id: null, article_id: null, news: null }
  const added = { ...waiting, ...state, ...later, id: 'm2', kind: 'second-step-added' } as const
  await db.insertInto('mail_outbox').values(added).execute()
  const kept = await db.selectFrom('mail_outbox').selectAll().orderBy('id').execute()
  expect(kept).toEqual([{ ...waiting, ...state, ...later }, added])
  await db.destroy()
})
