import { pathToFileURL } from 'node:url'
import { documentOf, idOf, keywordsOf, nameOf } from './api-data.mjs'

/**
 * One node of bench/writers.mjs, of the build in CHECKOUT. The first one, with SEEDED, makes the writers and the
 * articles. Sends the writers' tokens.
 */

const { CHECKOUT, SEEDED, WRITERS, ARTICLES } = process.env
const built = (file) => import(pathToFileURL(`${CHECKOUT}/dist/api/${file}`).href)
const { serve } = await built('server.js')
const { startSession } = await built('accounts/sessions.js')
const { createArticle } = await built('articles/article-rows.js')
const { insertClient } = await built('clients/client-rows.js')
const { insertUser } = await built('users/user-rows.js')

const createdAt = '2026-03-02T09:00:00.000Z'
const writers = Array.from({ length: Number(WRITERS) }, (_, at) => ({
  id: idOf(1, at),
  name: `Writer ${at}`,
  email: `writer-${at}@contun.example`,
  role: 'user',
}))

await serve(
  () => process.env,
  async (deps) => {
    await deps.db.transaction().execute(async (db) => {
      if (SEEDED) await seed(db)
      const tokens = []
      for (const writer of writers) tokens.push((await startSession(deps, db, writer)).access.token)
      process.send({ tokens })
    })
  },
)

async function seed(db) {
  for (const writer of writers) await insertUser(db, { ...writer, passwordHash: '', createdAt })
  const users = writers.map(({ id }) => id)
  const client = { id: idOf(2, 1), name: 'Gardens', moonOwlClient: false, users, createdAt }
  await insertClient(db, client)
  for (let at = 0; at < Number(ARTICLES); at += 1) {
    await createArticle(db, {
      id: idOf(3, at),
      name: nameOf(at),
      clientId: client.id,
      wordMinimum: 500,
      keywordList: keywordsOf(at),
      articleText: documentOf(at),
      authorId: null,
      createdAt,
    })
  }
}
