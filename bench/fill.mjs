import { createArticle } from '../dist/api/articles/article-rows.js'
import { insertClient } from '../dist/api/clients/client-rows.js'
import { openFile } from '../dist/api/database/open-database.js'
import Sqlite from '../dist/api/database/sqlite/better-sqlite3.js'
import { newId } from '../dist/api/server.js'
import { documentOf, idOf, nameOf } from './api-data.mjs'

/**
 * Large databases, made from a few real articles by plain statements: creating as many by requests would take too long.
 */

const ARTICLES = 1_000
const CLIENTS = 50
const createdAt = '2026-03-02T09:00:00.000Z'

/** Makes the file, with 1,000 articles of about `bytes` bytes of text, each with its revision. */
export async function makeFile(file, bytes = 10_000) {
  const { db, close } = await openFile(file, { now: createdAt, newId })
  await db.transaction().execute(async (transaction) => {
    for (let seed = 0; seed < CLIENTS; seed += 1) {
      const client = { id: idOf(2, seed), name: `Client ${seed}`, moonOwlClient: false, users: [] }
      await insertClient(transaction, { ...client, createdAt })
    }
    for (let seed = 0; seed < ARTICLES; seed += 1) {
      const { content, ...document } = documentOf(seed)
      const paragraphs = Math.max(1, Math.round((bytes * content.length) / 10_000))
      await createArticle(transaction, {
        id: idOf(3, seed),
        name: nameOf(seed),
        clientId: idOf(2, seed % CLIENTS),
        wordMinimum: 500,
        keywordList: [],
        articleText: { ...document, content: content.slice(0, paragraphs) },
        authorId: null,
        createdAt,
      })
    }
  })
  await close()
}

/** Adds the given number of copies of each article and of its revisions, with new ids. */
export function copyArticles(file, copies) {
  const id = (name) => `substr(${name}, 1, 24) || printf('%05d', n) || substr(${name}, 30)`
  multiply(file, copies, [
    ['articles', { id: id('id') }],
    ['article_revisions', { article_id: id('article_id') }],
  ])
}

/** Adds the given number of revisions to each article. */
export function addRevisions(file, revisions) {
  multiply(file, revisions, [['article_revisions', { text_version: 'text_version + n' }]])
  const sqlite = new Sqlite(file)
  sqlite.exec(`update articles set text_version = 1 + ${revisions}, version = 1 + ${revisions}`)
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  sqlite.close()
}

function multiply(file, copies, tables) {
  const sqlite = new Sqlite(file)
  sqlite.pragma('synchronous = OFF')
  sqlite.pragma('foreign_keys = ON')
  sqlite.transaction(() => {
    for (const [table, changed] of tables) {
      const columns = sqlite.pragma(`table_info(${table})`).map(({ name }) => name)
      sqlite
        .prepare(
          `with recursive times (n) as (select 1 union all select n + 1 from times where n < ?)
          insert into ${table} (${columns.join(', ')})
          select ${columns.map((name) => changed[name] ?? name).join(', ')} from ${table}, times`,
        )
        .run(copies)
    }
  })()
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  sqlite.close()
}
