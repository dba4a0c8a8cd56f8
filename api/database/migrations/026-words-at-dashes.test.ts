import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { doc, paragraph, text } from '../../../domain/testing/nodes.ts'
import { createStandingCount } from '../../progress/count-standing.ts'
import { createTestApp } from '../../testing/test-app.ts'
import { wordsAtDashes } from './026-words-at-dashes.ts'

it('counts the words of articles with dashes again', { tags: ['@Q34'] }, async () => {
  const app = await createTestApp()
  const writer = await app.user()
  const client = await app.client({ users: [writer] })
  const article = async (words: string) =>
    (await app.article({ client, articleText: doc(paragraph(text(words))) })).id
  const ids = [await article('light—and air'), await article('light ― and air'), await article('a')]
  await createStandingCount(app.deps)()
  // The first as an earlier release counted it; the third shows which texts are read.
  await sql`update articles set words = 2 where id = ${ids[0]}`.execute(app.db)
  await sql`update article_standing set words = 2 where article_id = ${ids[0]}`.execute(app.db)
  await sql`update articles set words = 9 where id = ${ids[2]}`.execute(app.db)
  const versions = async () => {
    const rows = await app.db
      .selectFrom('articles')
      .select(['id', 'version', 'updated_at'])
      .execute()
    return new Map(rows.map(({ id, ...state }) => [id, state]))
  }
  const before = await versions()

  const migrated = { now: '2026-11-28T09:00:00.000Z', newId: () => 'an id' }
  await app.db.transaction().execute((db) => wordsAtDashes(db, migrated))
  await createStandingCount(app.deps)()

  const counted = await app.db
    .selectFrom('articles')
    .innerJoin('article_standing as standing', 'standing.article_id', 'articles.id')
    .select(['articles.id', 'articles.words', 'standing.words as counted', 'must_total'])
    .orderBy('articles.id')
    .execute()
  // The third text has no dash, so its wrong count remains.
  expect(counted.map(({ words, counted }) => [words, counted])).toEqual([
    [3, 3],
    [3, 3],
    [9, 1],
  ])
  expect(await versions()).toEqual(before)
})
