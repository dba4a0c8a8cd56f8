import { startSession } from '../dist/api/accounts/sessions.js'
import { createArticle } from '../dist/api/articles/article-rows.js'
import { insertClient } from '../dist/api/clients/client-rows.js'
import { serve } from '../dist/api/server.js'
import { insertUser } from '../dist/api/users/user-rows.js'
import { CLIENTS, documentOf, idOf, keywordsOf, nameOf } from './api-data.mjs'

/** One node of bench/replica.mjs. The one with SEEDED makes the articles. Sends the token of an admin. */

const createdAt = '2026-03-02T09:00:00.000Z'
const admin = { id: idOf(1, 1), name: 'Rowan', email: 'rowan@contun.example', role: 'admin' }

await serve(
  () => process.env,
  async (deps) => {
    if (process.env.SEEDED) await deps.db.transaction().execute(seed)
    const session = await deps.db
      .transaction()
      .execute((inside) => startSession(deps, inside, admin))
    process.send({ token: session.access.token })
  },
)

async function seed(db) {
  await insertUser(db, { ...admin, passwordHash: '', createdAt })
  for (let at = 0; at < CLIENTS; at += 1) {
    const client = { id: idOf(2, at), name: `Client ${at}`, moonOwlClient: false, users: [] }
    await insertClient(db, { ...client, createdAt })
  }
  for (let at = 0; at < Number(process.env.ARTICLES); at += 1) {
    await createArticle(db, {
      id: idOf(3, at),
      name: nameOf(at),
      clientId: idOf(2, at % CLIENTS),
      wordMinimum: 500,
      keywordList: keywordsOf(at),
      articleText: documentOf(at),
      authorId: null,
      createdAt,
    })
  }
}
