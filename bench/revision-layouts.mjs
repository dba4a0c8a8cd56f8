import pg from 'pg'
import { openDatabase } from '../dist/api/database/open-database.js'
import { newId } from '../dist/api/server.js'
import { historyOf } from './revision-histories.mjs'

/** Databases of the product full of revisions, in the product's own table and in others, for bench/revisions.mjs. */

export const VERSIONS = 100
/** Articles that are written at the same time: their revisions lie side by side. */
export const TOGETHER = 1_000
const HISTORIES = 50
const TEXT_BYTES = 10_000
const PARTITIONS = 64
const MONTHS = 24
/** Share of the revisions that an archive would have: those older than two of 24 months. */
const ARCHIVED = 22 / 24

const WITHOUT_TEXT =
  'article_id, text_version, base_text_version, words, author_id, idem_key, reason, created_at'
const ALL = `${WITHOUT_TEXT}, article_text`
const COLUMNS = `
  article_id text collate "C" not null references articles (id),
  text_version integer not null,
  base_text_version integer,
  words integer not null,
  author_id text collate "C" references users (id) on delete set null,
  idem_key text collate "C",
  reason text collate "C" not null check (reason in ('created', 'autosave', 'merge', 'plain', 'restore')),
  created_at text collate "C" not null,
  article_text text collate "C" not null`

const partitioned = (by, key, partitions) => [
  'drop table article_revisions',
  `create table article_revisions (${COLUMNS}, primary key (${key})) partition by ${by}`,
  ...partitions.map(
    (values, at) =>
      `create table article_revisions_${at} partition of article_revisions for values ${values}`,
  ),
  'create index article_revisions_by_author on article_revisions (author_id)',
]

const monthAt = (at) => new Date(Date.UTC(2024, at, 1)).toISOString()
const INSERT = `insert into article_revisions (${ALL}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`
/** What most layouts have in common with the table as it is. */
const AS_IT_IS = {
  make: [],
  fill: (rows) => [`insert into article_revisions (${ALL}) select ${ALL} from (${rows()}) as rows`],
  insert: INSERT,
  prune: (versions) => [deleteFrom('article_revisions', versions)],
  written: ['article_revisions'],
  all: ['article_revisions'],
  marks: 'article_revisions',
  read: 'article_revisions',
}
const deleteFrom = (table, versions) =>
  `delete from ${table} where article_id = $1 and text_version in (${versions.join(', ')})`

/**
 * How the revisions may lie. `fill` has the statements that fill it from `rows(from, to)`, shares of all; `insert` and
 * `prune` are those of a save; `written` are the tables that a day of writing changes, `all` those with revisions; `read`
 * is the table or view with all of them, and `marks` the same where the text is not needed.
 */
export const LAYOUTS = {
  'as it is': AS_IT_IS,
  '64 by article': {
    ...AS_IT_IS,
    make: partitioned(
      'hash (article_id)',
      'article_id, text_version',
      Array.from(
        { length: PARTITIONS },
        (_, at) => `with (modulus ${PARTITIONS}, remainder ${at})`,
      ),
    ),
  },
  '24 by month': {
    ...AS_IT_IS,
    make: partitioned(
      'range (created_at)',
      // Without the time in it, PostgreSQL allows no key.
      'article_id, text_version, created_at',
      Array.from({ length: MONTHS }, (_, at) =>
        at === MONTHS - 1
          ? `from ('${monthAt(at)}') to (maxvalue)`
          : `from ('${monthAt(at)}') to ('${monthAt(at + 1)}')`,
      ),
    ),
  },
  archive: {
    ...AS_IT_IS,
    make: [
      'create table archived_revisions (like article_revisions including all)',
      `create view all_revisions as
        select * from article_revisions union all select * from archived_revisions`,
    ],
    fill: (rows) => [
      `insert into archived_revisions (${ALL}) select ${ALL} from (${rows(0, ARCHIVED)}) as rows`,
      `insert into article_revisions (${ALL}) select ${ALL} from (${rows(ARCHIVED, 1)}) as rows`,
    ],
    all: ['article_revisions', 'archived_revisions'],
    marks: 'all_revisions',
    read: 'all_revisions',
  },
  'texts apart': {
    ...AS_IT_IS,
    make: [
      'alter table article_revisions drop column article_text',
      `create table revision_texts (article_id text collate "C" not null,
        text_version integer not null, article_text text collate "C" not null, primary key (article_id, text_version))`,
      `create view all_revisions as select article_revisions.*, article_text
        from article_revisions join revision_texts using (article_id, text_version)`,
    ],
    fill: (rows) => [
      `insert into article_revisions (${WITHOUT_TEXT})
        select ${WITHOUT_TEXT} from (${rows()}) as rows`,
      `insert into revision_texts (article_id, text_version, article_text)
        select article_id, text_version, article_text from (${rows()}) as rows`,
    ],
    insert: `with added as (insert into revision_texts values ($1, $2, $9))
      insert into article_revisions (${WITHOUT_TEXT}) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    prune: (versions) => [
      deleteFrom('article_revisions', versions),
      deleteFrom('revision_texts', versions),
    ],
    written: ['article_revisions', 'revision_texts'],
    all: ['article_revisions', 'revision_texts'],
    read: 'all_revisions',
  },
}

export const histories = Array.from({ length: HISTORIES }, (_, seed) =>
  historyOf(seed + 1, VERSIONS, TEXT_BYTES),
)

/**
 * Makes a database in `server` with so many revisions, VERSIONS of each article in the order of their times, and returns
 * a connection to it, with how long the first vacuum took, which reads and marks every page. Texts are `{}` without
 * `hasTexts`.
 */
export async function makeDatabase(server, { name, layout, revisions, hasTexts }) {
  const first = await connect(server)
  await first.query(`create database ${name}`)
  await first.end()
  const url = server.replace(/[^/]+$/, name)
  const now = '2026-01-01T00:00:00.000Z'
  const log = { info: () => {}, warn: () => {}, error: console.error }
  const address = { engine: 'postgres', url, readUrl: null, connections: 2 }
  const product = await openDatabase(address, { log, now, newId, pause: async () => {} })
  await product.close()

  const db = await connect(url)
  await db.query('set synchronous_commit = off')
  await makeTexts(db)
  for (const statement of layout.make) await db.query(statement)
  await fillTexts(db, hasTexts)
  await fill(db, layout, revisions)
  const startedAt = performance.now()
  await db.query(`vacuum (analyze) ${layout.all.join(', ')}`)
  const vacuumed = performance.now() - startedAt
  await db.query('checkpoint')
  return { db, vacuumed }
}

async function connect(url) {
  const client = new pg.Client({ connectionString: url })
  // Otherwise the end of the server would hide the fault before it.
  client.on('error', () => {})
  await client.connect()
  return client
}

const makeTexts = (db) =>
  db.query(`create table texts (seed integer, version integer, words integer, article_text text)`)

async function fillTexts(db, hasTexts) {
  for (const [seed, history] of histories.entries()) {
    const texts = history.map(({ json }) => (hasTexts ? json : '{}'))
    const words = history.map((one) => one.words)
    await db.query(
      `insert into texts select $1, row_number() over (), words, text
        from unnest($2::integer[], $3::text[]) as one (words, text)`,
      [seed, words, texts],
    )
  }
  await db.query('analyze texts')
}

async function fill(db, layout, revisions) {
  const articles = revisions / VERSIONS
  const apart = apartOf(articles)
  // Without triggers and references: they would take longer than the rows.
  await db.query('set session_replication_role = replica')
  await db.query(`insert into users (id, name, name_folded, email, password_hash, role, created_at, updated_at)
    select ${idSql(1, 'n')}, 'Writer ' || n, 'writer ' || n, n || '@contun.example', '', 'user', '', ''
    from generate_series(0, 999) n`)
  await db.query(`insert into articles (id, name, name_folded, word_minimum, completed, version, text_version,
      words, created_at, updated_at, keyword_list, article_text)
    select ${idSql(3, 'n')}, 'Article ' || n, 'article ' || n, 500, 0, 100, 100, 500, '', '', '[]', '{}'
    from generate_series(0, ${articles - 1}) n
    where n % ${apart} = 0 or n >= ${articles - TOGETHER}`)
  await db.query(`insert into hand_ins (article_id, number, text_version, at)
    select id, number, number * 50, '' from articles, generate_series(1, 2) number`)
  const tables = layout.all.join(', ')
  const rows = (from = 0, to = 1) =>
    rowsSql(
      `select n / ${VERSIONS * TOGETHER} * ${TOGETHER} + n % ${TOGETHER} as a,
        n % ${VERSIONS * TOGETHER} / ${TOGETHER} + 1 as v, n::float8 / ${revisions} as moment
      from (select generate_series(${Math.round(revisions * from)}, ${Math.round(revisions * to) - 1}) as n) as numbers`,
    )
  // In a table that is empty since the same transaction, rows need no journal.
  await db.query(`begin; truncate ${tables}`)
  for (const statement of layout.fill(rows)) await db.query(statement)
  await db.query('commit')
  await db.query('set session_replication_role = origin')
}

/** Before the last articles, one in so many has a row. */
export const apartOf = (articles) => Math.max(1, Math.floor(articles / 20_000))

export const idSql = (kind, number) =>
  `'0195a000-0000-7000-8${String(kind).padStart(3, '0')}-' || lpad((${number})::text, 12, '0')`

/** Revisions of numbered articles `a` and versions `v`, at moments between 0 and 1 of two years. */
export const rowsSql = (numbers) => `
  select ${idSql(3, 'a')} as article_id, v as text_version, nullif(v - 1, 0) as base_text_version, words,
    ${idSql(1, '(a * 7 + v % 2) % 1000')} as author_id, md5(a || ' ' || v)::uuid::text as idem_key,
    case v when 1 then 'created' else 'autosave' end as reason,
    to_char(timestamp '2024-01-01' + moment * interval '731 days', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      as created_at, article_text
  from (${numbers}) as numbers
  join texts on seed = a % ${HISTORIES} and version = (v - 1) % ${VERSIONS} + 1`

/** Bytes of heap, texts (TOAST with its index) and indexes, of all tables with revisions. */
export async function bytesOf(db) {
  const { rows } = await db.query(`
    select sum(pg_relation_size(oid))::float8 as heap,
      sum(pg_total_relation_size(reltoastrelid))::float8 as texts,
      sum(pg_indexes_size(oid))::float8 as indexes
    from pg_class
    where relkind = 'r' and relname ~ '^(article_revisions|archived_revisions|revision_texts)'`)
  return rows[0]
}
