import { createArticle } from '../dist/api/articles/article-rows.js'
import { insertClient } from '../dist/api/clients/client-rows.js'
import { serve } from '../dist/api/server.js'
import { insertUser } from '../dist/api/users/user-rows.js'
import { ARTICLES, CLIENTS, documentOf, idOf, keywordsOf, nameOf } from './api-data.mjs'

/** The real server with everything it does for a request. Replies to each message with its CPU time. */

const createdAt = '2026-03-02T09:00:00.000Z'

await serve(
  () => process.env,
  async ({ db, passwords }) => {
    const passwordHash = await passwords.hash(process.env.ADMIN_PASSWORD)
    await db.transaction().execute(async (transaction) => {
      const writer = { id: idOf(1, 1), name: 'Imogen Hale', email: 'imogen@contun.example' }
      await insertUser(transaction, { ...writer, passwordHash, role: 'user', createdAt })
      for (let seed = 0; seed < CLIENTS; seed += 1) {
        const client = { id: idOf(2, seed), name: `Client ${seed}`, moonOwlClient: false }
        await insertClient(transaction, { ...client, users: [writer.id], createdAt })
      }
      for (let seed = 0; seed < ARTICLES; seed += 1) {
        await createArticle(transaction, {
          id: idOf(3, seed),
          name: nameOf(seed),
          clientId: idOf(2, seed % CLIENTS),
          wordMinimum: 500,
          keywordList: keywordsOf(seed),
          articleText: documentOf(seed),
          authorId: writer.id,
          createdAt,
        })
      }
    })
  },
)

process.on('message', () => process.send(process.cpuUsage()))
