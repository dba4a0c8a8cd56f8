import PouchDB from 'pouchdb/dist/pouchdb.js'
import { createRxDatabase } from 'rxdb/plugins/core'
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie'
import { openOwn, product } from './own-save.ts'

/** One save of an article in four ways. Each function answers the milliseconds until the text is on disk. */

const ID = 'article-1'
let raw
let rx
let pouch

export async function open(document) {
  raw = await openRaw()
  await openOwn(ID, document)
  const database = await createRxDatabase({ name: 'rx', storage: getRxStorageDexie() })
  const properties = { id: { type: 'string', maxLength: 40 }, document: { type: 'object' } }
  const schema = { version: 0, primaryKey: 'id', type: 'object', properties, required: ['id'] }
  rx = (await database.addCollections({ articles: { schema } })).articles
  pouch = new PouchDB('pouch')
  await pouch.put({ _id: ID, document })
}

/** The limit: article and queue row in one strict transaction. */
export async function indexedDb(document) {
  const startedAt = performance.now()
  const transaction = raw.transaction(['articles', 'queue'], 'readwrite', { durability: 'strict' })
  transaction.objectStore('articles').put({ id: ID, document, editedAt: Date.now() })
  transaction.objectStore('queue').put({ id: ID, state: 'pending', nextAt: Date.now() + 1_000 })
  await new Promise((settle, fail) => {
    transaction.oncomplete = settle
    transaction.onerror = fail
  })
  return performance.now() - startedAt
}

export { product }

export async function rxdb(document) {
  const startedAt = performance.now()
  await rx.upsert({ id: ID, document })
  return performance.now() - startedAt
}

export async function pouchDb(document) {
  const startedAt = performance.now()
  const { _rev } = await pouch.get(ID)
  await pouch.put({ _id: ID, _rev, document })
  return performance.now() - startedAt
}

function openRaw() {
  return new Promise((settle) => {
    const request = indexedDB.open('raw', 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore('articles', { keyPath: 'id' })
      request.result.createObjectStore('queue', { keyPath: 'id' })
    }
    request.onsuccess = () => settle(request.result)
  })
}
