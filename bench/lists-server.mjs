import { createArticle } from '../dist/api/articles/article-rows.js'
import { insertClient } from '../dist/api/clients/client-rows.js'
import { newId, serve } from '../dist/api/server.js'

/** The real server, its database filled before the first request. */

const ARTICLES = 100_000
const CLIENTS = 2_000
const WORDS = ['garden', 'path', 'lamp', 'hedge', 'fern', 'gravel', 'birch', 'pond', 'rose', 'wall']

await serve(process.env, async ({ db, clock }) => {
  const now = clock.now()
  await db.transaction().execute(async (transaction) => {
    const clientIds = []
    for (let index = 0; index < CLIENTS; index += 1) {
      const id = newId()
      clientIds.push(id)
      await insertClient(transaction, {
        id,
        name: `${WORDS[index % 10]} company ${index}`,
        moonOwlClient: index % 10 === 0,
        users: [],
        createdAt: new Date(now).toISOString(),
      })
    }
    for (let index = 0; index < ARTICLES; index += 1) {
      await createArticle(transaction, {
        id: newId(),
        name: `A garden article nr ${Math.floor(index / 10)} about the ${WORDS[(index * 7) % 10]}`,
        clientId: clientIds[(index * 31) % CLIENTS],
        wordMinimum: (index * 100) % 2_000,
        completed: index % 3 === 0,
        keywordList: [],
        articleText: text(index),
        authorId: null,
        createdAt: new Date(now - (ARTICLES - index) * 60_000).toISOString(),
      })
    }
  })
})

/** About 150 words. */
function text(index) {
  const sentence = `Number ${index} says what a ${WORDS[index % 10]} wants from the gardener. `
  return {
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', text: sentence.repeat(15) }] }],
  }
}
