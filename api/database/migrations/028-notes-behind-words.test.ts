import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { doc, paragraph, text } from '../../../domain/testing/nodes.ts'
import { createStandingCount } from '../../progress/count-standing.ts'
import { createTestApp } from '../../testing/test-app.ts'
import { notesBehindWords } from './028-notes-behind-words.ts'

it('counts the entities of articles with superscripts again', { tags: ['@SC-18'] }, async () => {
  const app = await createTestApp()
  const client = await app.client({ users: [await app.user()] })
  const keywordList = [{ keyword: 'soil', source: 'E', score: 4, category: 'Must Use' }] as const
  for (const words of ['soil¹', 'a']) {
    const articleText = doc(paragraph(text(words)))
    await app.article({ name: words, client, articleText, keywordList: [...keywordList] })
  }
  await createStandingCount(app.deps)()
  // As an earlier release counted the first; the second shows which texts are read.
  await sql`update article_standing set must_used = 0, words = 7`.execute(app.db)

  const migrated = { now: '2026-11-28T09:00:00.000Z', newId: () => 'an id' }
  await app.db.transaction().execute((db) => notesBehindWords(db, migrated))
  await createStandingCount(app.deps)()

  const counted = await app.db
    .selectFrom('articles')
    .innerJoin('article_standing as standing', 'standing.article_id', 'articles.id')
    .select(['standing.words', 'must_used'])
    .orderBy('articles.name', 'desc')
    .execute()
  expect(counted).toEqual([
    { words: 1, must_used: 1 },
    { words: 7, must_used: 0 },
  ])
})
