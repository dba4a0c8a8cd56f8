import { createRxDatabase } from 'rxdb/plugins/core'
import { replicateRxCollection } from 'rxdb/plugins/replication'
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie'

/** RxDB on Dexie with the push and pull handlers of its guide to replication over HTTP. */

const BATCH = 100
let articles

export async function fill(all) {
  const database = await createRxDatabase({ name: 'articles', storage: getRxStorageDexie() })
  const schema = {
    version: 0,
    primaryKey: 'id',
    type: 'object',
    properties: {
      id: { type: 'string', maxLength: 40 },
      document: { type: 'object' },
      updatedAt: { type: 'number' },
    },
    required: ['id', 'document', 'updatedAt'],
  }
  articles = (await database.addCollections({ articles: { schema } })).articles
  await articles.bulkInsert(
    all.map(({ id, document }) => ({ id, document, updatedAt: Date.now() })),
  )
  await drain()
}

export async function edit(words) {
  for (const article of await articles.find().exec()) {
    const document = edited(article.toMutableJSON().document, words)
    await article.incrementalPatch({ document, updatedAt: Date.now() })
  }
}

export async function drain() {
  const replication = replicateRxCollection({
    collection: articles,
    replicationIdentifier: 'bench-http',
    live: false,
    push: {
      batchSize: BATCH,
      handler: (changes) => post('/rxdb/push', changes),
    },
    pull: {
      batchSize: BATCH,
      handler: (checkpoint, batchSize) => post('/rxdb/pull', { checkpoint, batchSize }),
    },
  })
  replication.error$.subscribe((error) => console.error(error))
  await replication.awaitInSync()
  await replication.cancel()
}

async function post(path, body) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return answer.json()
}

function edited(document, words) {
  const added = { type: 'paragraph', content: [{ type: 'text', text: words }] }
  return { ...document, content: [...document.content.slice(0, -1), added] }
}
