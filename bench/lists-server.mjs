import { listArticles } from '../dist/api/articles/article-pages.js'
import { insertClient } from '../dist/api/clients/client-rows.js'
import Sqlite from '../dist/api/database/sqlite/better-sqlite3.js'
import { newId, serve } from '../dist/api/server.js'
import { articleState, riskKey } from '../dist/domain/article-state.js'
import { addDays, dayIn } from '../dist/domain/calendar/due-date.js'
import { articleListQuery } from '../dist/domain/wire/list-query.js'

/**
 * The real server, its database filled before the first request: by plain statements, because creating a million
 * articles by requests would take too long.
 */

const ARTICLES = Number(process.env.ARTICLES ?? 1_000_000)
const CLIENTS = 2_000
const WORDS = ['garden', 'path', 'lamp', 'hedge', 'fern', 'gravel', 'birch', 'pond', 'rose', 'wall']

await serve(
  () => process.env,
  async ({ db, clock, config }) => {
    const now = clock.now()
    const clientIds = []
    await db.transaction().execute(async (transaction) => {
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
    })
    fill(config.database.file, now, clientIds)
    answerBothWays(config.database.file, db)
  },
)

/**
 * On a connection of its own, while the server does not write. Indexes and counts are built faster after all rows are
 * there.
 */
function fill(file, now, clientIds) {
  const sqlite = new Sqlite(file)
  sqlite.pragma('synchronous = OFF')
  sqlite.pragma('cache_size = -400000')
  const keepers = sqlite
    .prepare(
      `select type, name, sql from sqlite_master
        where tbl_name in ('articles', 'article_standing') and type in ('index', 'trigger') and sql is not null`,
    )
    .all()
  sqlite.transaction(() => {
    for (const { type, name } of keepers) sqlite.exec(`drop ${type} ${name}`)
    addArticles(sqlite, now, clientIds)
    addStandings(sqlite, now)
    sqlite.exec(`insert into article_names (rowid, name_folded) select rowid, name_folded from articles;
      insert into article_counts
        select '', completed, has_entities, count(*) from articles group by completed, has_entities;
      insert into article_counts
        select client_id, completed, has_entities, count(*) from articles
        group by client_id, completed, has_entities;
      insert into standing_counts
        select '', state, due_on, count(*) from article_standing group by state, due_on;
      insert into standing_counts
        select client_id, state, due_on, count(*) from article_standing group by client_id, state, due_on;
      update meta set value = '' where key = 'standing_sweep';`)
    for (const { sql } of keepers) sqlite.exec(sql)
  })()
  sqlite.close()
}

function addArticles(sqlite, now, clientIds) {
  const add =
    sqlite.prepare(`insert into articles (id, name, name_folded, client_id, word_minimum, completed, version,
    text_version, words, created_at, updated_at, keyword_list, article_text, client_name_folded)
    values (?, ?, ?, ?, ?, ?, 1, 1, ?, ?, ?, '[]', ?, ?)`)
  for (let index = 0; index < ARTICLES; index += 1) {
    const name = `A garden article nr ${Math.floor(index / 10)} about the ${WORDS[(index * 7) % 10]}`
    const client = (index * 31) % CLIENTS
    const state = [(index * 100) % 2_000, index % 3 === 0 ? 1 : 0, (index * 37) % 2_500]
    const createdAt = new Date(now - (ARTICLES - index) * 60_000).toISOString()
    // The order of the last changes is not that of the articles.
    const updatedAt = new Date(now - ((index * 7_919) % ARTICLES) * 60_000).toISOString()
    const clientName = `${WORDS[client % 10]} company ${client}`
    const names = [name, name.toLowerCase(), clientIds[client]]
    add.run(newId(), ...names, ...state, createdAt, updatedAt, text(index), clientName)
  }
}

/**
 * As the job would count them, but for entities, which these articles have not. Every second one has a date, within half
 * a year before and after today.
 */
function addStandings(sqlite, now) {
  const today = dayIn('UTC', now)
  const addPlan = sqlite.prepare(
    `insert into article_plans values (?, '', ?, 1, '', '', '2026-01-01T00:00:00.000Z')`,
  )
  const add =
    sqlite.prepare(`insert into article_standing (article_id, version, plan_counter, must_used, must_total,
    words, name_folded, client_id, state, due_on, due_last, last_words_at, risk, counted_at)
    values (?, 1, ?, 0, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const rows = sqlite.prepare(
    'select id, name_folded, client_id, word_minimum, completed, words, updated_at from articles',
  )
  for (const [index, row] of rows.all().entries()) {
    const dueOn = index % 2 === 0 ? addDays(today, ((index * 13) % 360) - 180) : null
    if (dueOn !== null) addPlan.run(row.id, dueOn)
    const facts = {
      ...{ words: row.words, wordMinimum: row.word_minimum, completed: row.completed === 1 },
      ...{ dueOn, lastWordsAt: row.updated_at, handedInAt: row.updated_at },
    }
    const state = articleState({ ...facts, wasHandedIn: index % 50 === 0 })
    add.run(
      ...[row.id, dueOn === null ? 0 : 1, row.words, row.name_folded, row.client_id, state],
      ...[dueOn ?? '', dueOn ?? '9999-12-31', row.updated_at, riskKey(facts), row.updated_at],
    )
  }
}

/** About 30 words. */
function text(index) {
  const sentence = `Number ${index} says what a ${WORDS[index % 10]} wants from the gardener. `
  const content = [{ type: 'text', text: sentence.repeat(3) }]
  return JSON.stringify({ type: 'doc', content: [{ type: 'paragraph', content }] })
}

/** Lists as a plain implementation would query them. */
const WAYS = {
  like: `select (select count(*) from articles where name_folded like @like) as total, id from articles
    where name_folded like @like order by id limit 10`,
  offset: `select id, name, client_id, word_minimum, completed, created_at, updated_at from articles
    order by updated_at desc, id desc limit 10 offset @offset`,
}

/** Replies to each message with the milliseconds of the plain query and of ours, both without HTTP. */
function answerBothWays(file, db) {
  const sqlite = new Sqlite(file, { readonly: true })
  process.on('message', async ({ way, values, path }) => {
    const statement = sqlite.prepare(WAYS[way])
    const plain = await timeOf(() => statement.all(values))
    const { name, sortBy, page } = Object.fromEntries(new URL(path, 'http://list').searchParams)
    const listing = articleListQuery.parse({ name, sortBy, page, limit: '10' })
    process.send({ plain, ours: await timeOf(() => listArticles(db, listing)) })
  })
}

async function timeOf(list) {
  const startedAt = performance.now()
  await list()
  return performance.now() - startedAt
}
