import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { migrationsBefore, openEmptyDatabase } from '../../testing/test-database.ts'
import {
  findUndeliveredText,
  insertUndeliveredText,
  listUndeliveredTexts,
} from '../../undelivered/undelivered-text-rows.ts'
import { isPostgres } from '../engine.ts'
import { migrate } from './migrate.ts'

const sources = { now: '2026-03-02T09:00:00.000Z', newId: () => 'an id' }

const row = (id: string) => ({
  id,
  article_id: 'a1',
  article_name: 'Tides',
  user_id: 'u1',
  user_name: 'Imogen Hale',
  reason: 'deleted' as const,
  words: 3,
  created_at: '2026-03-01T08:00:00.000Z',
  done_at: null,
  done_by: null,
  article_text: `{"type":"doc","content":[{"type":"paragraph"}],"id":"${id}"}`,
})

it('keeps every undelivered text and what was done with it, also for nodes of the earlier release', async () => {
  const db = await openEmptyDatabase()
  await migrate(db, sources, migrationsBefore('018'))
  const insertAsEarlierRelease = (id: string) => {
    const entries = Object.entries(row(id))
    return sql`insert into stray_drafts (${sql.join(entries.map(([name]) => sql.ref(name)))})
      values (${sql.join(entries.map(([, value]) => value))})`.execute(db)
  }
  await insertAsEarlierRelease('t1')
  for (const [id, action] of [
    ['e1', 'stray.done'],
    ['e2', 'stray.reopened'],
    ['e3', 'client.changed'],
  ])
    await sql`insert into audit values (${id}, ${sources.now}, 'u1', ${action}, 't1', '{}')`.execute(
      db,
    )

  await migrate(db, sources)
  await insertUndeliveredText(db, row('t2'))
  const { done_by: _, ...stored } = row('t1')
  expect(await findUndeliveredText(db, 't1')).toEqual(stored)
  const audit = await db.selectFrom('audit').select('action').orderBy('id').execute()
  expect(audit.map(({ action }) => action)).toEqual([
    'undelivered-text.done',
    'undelivered-text.reopened',
    'client.changed',
  ])

  const all = ['t2', 't1']
  if (isPostgres(db)) {
    await insertAsEarlierRelease('t3')
    await sql`update stray_drafts set done_at = ${sources.now}, done_by = 'u1' where id = 't3'`.execute(
      db,
    )
    const { rows } = await sql<{ id: string }>`select id from stray_drafts order by id`.execute(db)
    expect(rows).toEqual([{ id: 't1' }, { id: 't2' }, { id: 't3' }])
    all.unshift('t3')
  }
  const listed = await listUndeliveredTexts(db, { done: undefined, page: 1, limit: 10 })
  expect(listed.texts.map(({ id }) => id)).toEqual(all)
  await db.destroy()
})
