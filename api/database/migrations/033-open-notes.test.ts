import { expect, it } from 'vitest'
import { migrationsBefore } from '../../testing/test-database.ts'
import Sqlite from '../sqlite/better-sqlite3.ts'
import { kyselyOver } from '../sqlite/sqlite.ts'
import { migrate } from './migrate.ts'

const sources = { now: '2026-03-02T09:00:00.000Z', newId: () => 'an id' }

it('counts the open notes that are there, and keeps the number', async () => {
  const db = kyselyOver(new Sqlite(':memory:'))
  await migrate(db, sources, migrationsBefore('033'))
  let count = 0
  const add = (kind: 'note' | 'answer' | 'done' | 'open', about: string | null = null) => {
    count += 1
    return db
      .insertInto('article_notes')
      .values({
        id: `n${count}`,
        article_id: 'oats',
        kind,
        body: 'So.',
        author_id: 'imogen',
        author_name: 'Imogen Hale',
        hand_in: 0,
        created_at: '2026-03-02',
        ref: about === null ? `ref${count}` : null,
        about,
        anchor: kind === 'note' ? '{}' : null,
        suggestion: null,
      })
      .execute()
  }
  const open = async () =>
    (await db.selectFrom('article_marks').select('open_notes').execute())[0]?.open_notes

  await add('note')
  await add('note')
  await add('answer')
  await add('done', 'ref1')
  await migrate(db, sources)
  expect(await open()).toBe(1)

  await add('done', 'ref1')
  expect(await open()).toBe(1)
  await add('open', 'ref1')
  expect(await open()).toBe(2)
  await add('note')
  expect(await open()).toBe(3)
})
