import { startSession } from '../dist/api/accounts/sessions.js'
import { createArticle } from '../dist/api/articles/article-rows.js'
import { insertClient } from '../dist/api/clients/client-rows.js'
import { serve } from '../dist/api/server.js'
import { insertUser } from '../dist/api/users/user-rows.js'
import { idOf, nameOf } from './api-data.mjs'

/**
 * The real server with users of one client and its articles. Sends a token for each user, and replies to each message
 * with the processor time that it has used, in microseconds.
 */

const { USERS, ARTICLES } = process.env
const createdAt = '2026-03-02T09:00:00.000Z'
const users = Array.from({ length: Number(USERS) }, (_, at) => ({
  id: idOf(1, at),
  name: `Writer ${at}`,
  email: `writer-${at}@contun.example`,
  role: 'user',
}))

await serve(
  () => process.env,
  async (deps) => {
    await deps.db.transaction().execute(async (db) => {
      // Otherwise the server makes its first admin, whose password a busy machine has no time for.
      const admin = { id: idOf(4, 1), name: 'Admin', email: 'admin@contun.example', role: 'admin' }
      for (const user of [admin, ...users])
        await insertUser(db, { ...user, passwordHash: '', createdAt })
      const members = users.map(({ id }) => id)
      const client = { id: idOf(2, 1), name: 'Gardens', moonOwlClient: false, createdAt }
      await insertClient(db, { ...client, users: members })
      for (let at = 0; at < Number(ARTICLES); at += 1)
        await createArticle(db, {
          id: idOf(3, at),
          name: nameOf(at),
          clientId: client.id,
          wordMinimum: 500,
          keywordList: [],
          articleText: {},
          authorId: null,
          createdAt,
        })
      const tokens = []
      for (const user of users) tokens.push((await startSession(deps, db, user)).access.token)
      process.send({ tokens })
    })
  },
)

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send({ used: user + system })
})
