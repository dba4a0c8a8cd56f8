import { join } from 'node:path'
import express from 'express'
import expressPouchdb from 'express-pouchdb'
import PouchDB from 'pouchdb'
import memoryAdapter from 'pouchdb-adapter-memory'
import Database from '../dist/api/database/sqlite/better-sqlite3.js'

/**
 * The servers that PouchDB and RxDB replicate to. PouchDB keeps its documents in memory, which costs it nothing;
 * RxDB's are written to SQLite as durably as the product's.
 */

const app = express()
app.get('/', (_, answer) => answer.type('html').send('<!doctype html><title>Bench</title>'))

PouchDB.plugin(memoryAdapter)
app.use(
  '/db',
  expressPouchdb(PouchDB.defaults({ adapter: 'memory' }), {
    mode: 'minimumForPouchDB',
    inMemoryConfig: true,
    logPath: join(process.env.DATA_DIR, 'log.txt'),
  }),
)

const database = new Database(join(process.env.DATA_DIR, 'rxdb.sqlite'))
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.exec('create table articles (id text primary key, updatedAt integer, body text)')
database.exec('create index by_change on articles (updatedAt, id)')
const read = database.prepare('select body from articles where id = ?')
const write = database.prepare('replace into articles values (@id, @updatedAt, @body)')
const changed = database.prepare(
  'select body from articles where updatedAt > @at or (updatedAt = @at and id > @id) order by updatedAt, id limit @limit',
)

app.use('/rxdb', express.json({ limit: '50mb' }))

/** Returns the server's documents where they differ from the state that the client assumed. */
const push = database.transaction((changes) =>
  changes.flatMap(({ newDocumentState, assumedMasterState }) => {
    const { id, updatedAt } = newDocumentState
    const known = read.get(id)
    const current = known && JSON.parse(known.body)
    if (current && current.updatedAt !== assumedMasterState?.updatedAt) return [current]
    write.run({ id, updatedAt, body: JSON.stringify(newDocumentState) })
    return []
  }),
)
app.post('/rxdb/push', (request, answer) => answer.json(push(request.body)))
app.post('/rxdb/pull', (request, answer) => {
  const { checkpoint, batchSize } = request.body
  const { updatedAt: at = 0, id = '' } = checkpoint ?? {}
  const documents = changed.all({ at, id, limit: batchSize }).map(({ body }) => JSON.parse(body))
  const last = documents.at(-1)
  answer.json({
    documents,
    checkpoint: last ? { id: last.id, updatedAt: last.updatedAt } : (checkpoint ?? null),
  })
})

const server = app.listen(0, () =>
  process.stdout.write(`Peers are ready at http://localhost:${server.address().port}\n`),
)
