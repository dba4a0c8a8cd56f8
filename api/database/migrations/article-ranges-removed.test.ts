import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { listArticles } from '../../articles/article-pages.ts'
import { createArticle } from '../../articles/article-rows.ts'
import type { Database } from '../../deps.ts'
import { migrationsBefore, openEmptyDatabase } from '../../testing/test-database.ts'
import { migrate } from './migrate.ts'

const sources = { now: '2026-03-02T09:00:00.000Z', newId: () => 'an id' }

const add = (db: Database, id: string) =>
  createArticle(db, {
    id,
    name: `Name ${id}`,
    clientId: null,
    wordMinimum: 0,
    articleText: { type: 'doc', content: [{ type: 'paragraph' }] },
    keywordList: [],
    createdAt: sources.now,
    authorId: null,
  })

/** As a release of that time did. */
const addBefore = (db: Database, id: string) =>
  sql`insert into articles (id, name, name_folded, word_minimum, completed, version, text_version, words,
      created_at, updated_at, keyword_list, article_text, client_name_folded, has_entities)
    values (${id}, ${`Name ${id}`}, ${`name ${id}`}, 0, 0, 1, 1, 0, ${sources.now}, ${sources.now}, '[]', '{}', '', 0)`.execute(
    db,
  )

it('an installation with article ranges keeps its articles, and adds, changes, removes and counts them without', async () => {
  const db = await openEmptyDatabase()
  await migrate(db, sources, migrationsBefore('017'))
  for (const id of ['1', '2', '3']) await addBefore(db, id)
  await sql`select * from article_ranges`.execute(db)

  await migrate(db, sources)
  await expect(sql`select * from article_ranges`.execute(db)).rejects.toThrow('article_ranges')
  await add(db, '4')
  await db.updateTable('articles').set({ name_folded: 'a', updated_at: '2027' }).execute()
  await db.updateTable('articles').set({ client_name_folded: 'c', created_at: '2027' }).execute()
  await db.deleteFrom('article_revisions').where('article_id', '=', '2').execute()
  await db.deleteFrom('articles').where('id', '=', '2').execute()
  const { articles, total } = await listArticles(db, {
    name: '',
    clientId: [],
    sortBy: [{ field: 'id', direction: 'asc' }],
    limit: 10,
    page: 1,
  })
  expect(articles.map(({ id }) => id)).toEqual(['1', '3', '4'])
  expect(total).toBe(3)
  await db.destroy()
})
