import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import Sqlite from '../dist/api/database/sqlite/better-sqlite3.js'
import { ARTICLES, CLIENTS, documentOf, idOf, keywordsOf, nameOf } from './api-data.mjs'

/**
 * The least that a server of this kind can do: no sign-in, no roles, no checks, no history; three routes over prepared
 * statements. A save is on the disk before its response; the saves of one turn of the event loop are committed
 * together. With WHOLE_ROWS the rows of its list have their keyword lists, as the wire format of the product requires.
 */

const db = new Sqlite(join(process.env.DATA_DIR, 'limit.sqlite'))
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.exec(`create table clients (id text primary key, name text not null);
  create table articles (id text primary key, name text not null, client_id text not null, word_minimum integer not null,
    completed integer not null, version integer not null, created_at text not null, updated_at text not null,
    keyword_list text not null, article_text text not null);`)
const now = '2026-03-02T09:00:00.000Z'
db.transaction(() => {
  const addClient = db.prepare('insert into clients values (?, ?)')
  const add = db.prepare('insert into articles values (?, ?, ?, 500, 0, 1, ?, ?, ?, ?)')
  for (let seed = 0; seed < CLIENTS; seed += 1) addClient.run(idOf(2, seed), `Client ${seed}`)
  for (let seed = 0; seed < ARTICLES; seed += 1) {
    const client = idOf(2, seed % CLIENTS)
    const [keywords, text] = [keywordsOf(seed), documentOf(seed)].map((it) => JSON.stringify(it))
    add.run(idOf(3, seed), nameOf(seed), client, now, now, keywords, text)
  }
})()

const isWhole = process.env.WHOLE_ROWS === '1'
const page =
  db.prepare(`select a.id, a.name, a.client_id, c.name as client_name, a.word_minimum, a.completed, a.version,
  a.created_at, a.updated_at${isWhole ? ', a.keyword_list' : ''} from articles a join clients c on c.id = a.client_id order by a.id limit ? offset ?`)
const count = db.prepare('select count(*) as total from articles')
const one = db.prepare(
  'select a.*, c.name as client_name from articles a join clients c on c.id = a.client_id where a.id = ?',
)
const write = db.prepare(
  'update articles set article_text = ?, version = version + 1, updated_at = ? where id = ? returning version, updated_at',
)

const app = new Hono()
app.get('/v1/articles', (c) => {
  const number = Number(c.req.query('page') ?? 1)
  const limit = Number(c.req.query('limit') ?? 10)
  const { total } = count.get()
  const rows = page.all(limit, (number - 1) * limit)
  const results = isWhole ? rows.map(withKeywords) : rows
  return c.json({
    results,
    page: number,
    limit,
    totalPages: Math.ceil(total / limit),
    totalResults: total,
  })
})
app.get('/v1/articles/:id', (c) => {
  const { article_text, ...row } = one.get(c.req.param('id'))
  return c.json({ ...withKeywords(row), articleText: JSON.parse(article_text) })
})
app.patch('/v1/articles/:id', async (c) => {
  const { articleText } = await c.req.json()
  const row = await written(c.req.param('id'), JSON.stringify(articleText))
  return c.json({ id: c.req.param('id'), ...row, articleText })
})

function withKeywords({ keyword_list, ...row }) {
  return { ...row, keywordList: JSON.parse(keyword_list) }
}

let waiting = []
function written(id, text) {
  return new Promise((settle) => {
    if (waiting.length === 0) setImmediate(commit)
    waiting.push({ id, text, settle })
  })
}
function commit() {
  const group = waiting
  waiting = []
  const at = new Date().toISOString()
  db.exec('begin immediate')
  const rows = group.map(({ id, text }) => write.get(text, at, id))
  db.exec('commit')
  for (const [index, { settle }] of group.entries()) settle(rows[index])
}

process.on('message', () => process.send(process.cpuUsage()))
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  console.log(`ready at http://127.0.0.1:${port}`),
)
