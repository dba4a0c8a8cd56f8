import { createHash } from 'node:crypto'
import { idOf } from './api-data.mjs'
import { createRandom } from './prose.mjs'
import { apartOf, histories, LAYOUTS, rowsSql, VERSIONS } from './revision-layouts.mjs'
import { median, quantile } from './rig.mjs'

/** What bench/revisions.mjs measures in each database. */

/** Statements of each kind in one round. */
export const TIMES = Number(process.env.TIMES ?? 40)
/** A day of writing: saves of these articles, of which pruning deletes three in four. */
export const DAY_ARTICLES = 300
export const DAY_SAVES = DAY_ARTICLES * VERSIONS
const KEPT = 4
const COPIED_BATCHES = 20
const BATCH = 100
const DUMPED = 100_000

const random = createRandom(1)
const oneOf = (list) => list[Math.floor(random() * list.length)]

/** Adds a figure of one round. */
function add({ title, figures }, name, value) {
  figures.set(name, [...(figures.get(name) ?? []), value])
  console.log(title, name, value.toPrecision(4))
}

export async function measure(place, round) {
  for (const [name, statements] of Object.entries(STATEMENTS)) {
    const times = []
    for (let time = 0; time < TIMES; time += 1) {
      const sent = statements(place)
      times.push(
        await timed(async () => {
          for (const one of sent) await place.db.query(one)
        }),
      )
    }
    add(place, name, median(times))
  }
  await aDay(place, round)
  await copySome(place)
}

async function timed(work) {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const articles = ({ revisions }) => revisions / VERSIONS
/** An article that is written today. */
const today = (place) => articles(place) - 1 - Math.floor(random() * DAY_ARTICLES)
/** Any article that has a row of its own. */
function anyArticle(place) {
  const apart = apartOf(articles(place))
  return Math.floor((random() * articles(place)) / apart) * apart
}
const anyVersion = () => 1 + Math.floor(random() * VERSIONS)

function insertInto(place, article) {
  place.version += 1
  const { json, words } = oneOf(oneOf(histories))
  const text = place.hasTexts ? json : '{}'
  const key = idOf(9, place.version)
  const [author, at] = [idOf(1, article % 1_000), '2026-01-01T00:00:00.000Z']
  const values = [idOf(3, article), place.version, place.version - 1, words, author, key]
  return {
    name: 'insert',
    text: place.layout.insert,
    values: [...values, 'autosave', at, text],
  }
}

const listed = (read, more) => `select text_version, words, reason, revision.created_at, idem_key,
    users.id as author_id, users.name as author_name, (
      select max(hand_ins.number) from hand_ins where hand_ins.article_id = revision.article_id
        and hand_ins.text_version = revision.text_version) as hand_in ${more}
  from ${read} as revision left join users on users.id = revision.author_id
  where revision.article_id = $1`

/** Statements as the product sends them: those of a save and of opened articles under a name, others planned each time. */
const STATEMENTS = {
  'insert, in an article of today': (place) => [insertInto(place, today(place))],
  'insert, in any article': (place) => [insertInto(place, anyArticle(place))],
  'read the key of one version': (place) => [
    {
      name: 'key',
      text: `select idem_key, created_at from ${place.layout.marks}
        where article_id = $1 and text_version = $2`,
      values: [idOf(3, anyArticle(place)), anyVersion()],
    },
  ],
  'list ten versions of an article, and count all': (place) => {
    const values = [idOf(3, anyArticle(place))]
    const { marks } = place.layout
    return [
      { text: `${listed(marks, '')} order by text_version desc limit 10 offset 0`, values },
      { text: `select count(*) from ${marks} where article_id = $1`, values },
    ]
  },
  'read one version with its text': (place) => [
    {
      text: `${listed(place.layout.read, ', revision.article_text')} and text_version = $2`,
      values: [idOf(3, anyArticle(place)), anyVersion()],
    },
  ],
  'ten articles with the authors of their texts': (place) => [
    {
      text: `select articles.name, text.created_at, text.reason, author.name as author_name
        from articles left join ${place.layout.marks} as text on text.article_id = articles.id
          and text.text_version = articles.text_version
        left join users as author on author.id = text.author_id where articles.id = any ($1)`,
      values: [Array.from({ length: 10 }, () => idOf(3, anyArticle(place)))],
    },
  ],
  'pruning reads the marks of an article': (place) => [
    {
      text: `select text_version, base_text_version, words, author_id, reason, created_at
        from ${place.layout.marks} where article_id = $1`,
      values: [idOf(3, anyArticle(place))],
    },
  ],
}

/** A day of saves, its pruning, and the vacuum after it. */
async function aDay(place, round) {
  const { db, layout } = place
  const first = articles(place) - DAY_ARTICLES
  const from = VERSIONS * (round + 1)
  // Versions one after another, each in all articles.
  const numbers = `select ${first} + n % ${DAY_ARTICLES} as a, ${from + 1} + n / ${DAY_ARTICLES} as v,
    1.0 as moment from (select generate_series(0, ${DAY_SAVES - 1}) as n) as numbers`
  const before = await journal(db)
  for (const statement of layout.fill(() => rowsSql(numbers)).slice(-2)) {
    if (!statement.includes('archived_revisions')) await db.query(statement)
  }
  add(place, 'journal of one insert', ((await journal(db)) - before) / DAY_SAVES)

  const versions = Array.from({ length: VERSIONS }, (_, at) => from + 1 + at)
  const pruned = versions.filter((version) => version % KEPT !== 0)
  const times = []
  for (let article = first; article < articles(place); article += 1) {
    times.push(
      await timed(async () => {
        for (const text of layout.prune(pruned))
          await db.query({ text, values: [idOf(3, article)] })
      }),
    )
  }
  add(place, 'prune 75 versions of an article', median(times))
  await vacuum(place)
}

/** Position of the journal, in bytes. */
async function journal(db) {
  const { rows } = await db.query(
    "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as at",
  )
  return rows[0].at
}

/** As autovacuum does it, without its pauses, and with the indexes however few rows are dead. */
async function vacuum(place) {
  let pages = 0
  const read = ({ message, detail }) => {
    const all = `${message} ${detail ?? ''}`
    for (const [, hits, reads] of all.matchAll(
      /buffer usage: (\d+) hits, (\d+) (?:reads|misses)/g,
    )) {
      pages += Number(hits) + Number(reads)
    }
  }
  place.db.on('notice', read)
  const ms = await timed(() =>
    place.db.query(`vacuum (verbose, index_cleanup on) ${place.layout.written.join(', ')}`),
  )
  place.db.off('notice', read)
  add(place, 'vacuum after a day', ms)
  add(place, 'pages that it visits', pages)
}

/** The two ways to read everything, table by table: in the order of keys, as `npm run move` does, and as a dump does. */
async function copySome(place) {
  const tables = place.layout.all.slice(place.layout === LAYOUTS.archive ? 1 : 0)
  let copying = 0
  let dumping = 0
  for (const table of tables) {
    copying += await copyByKey(place, table)
    dumping += await timed(() =>
      place.db.query(`copy (select * from ${table} limit ${DUMPED}) to '/dev/null'`),
    )
  }
  add(place, 'copy and hash in the order of keys', (copying * 1_000) / (COPIED_BATCHES * BATCH))
  add(place, 'dump', (dumping * 1_000) / DUMPED)
}

/** Starts anywhere in the first nine tenths, so that enough rows follow. */
function copyByKey(place, table) {
  const hash = createHash('sha256')
  let last = [idOf(3, Math.floor(anyArticle(place) * 0.9)), 0]
  return timed(async () => {
    for (let batch = 0; batch < COPIED_BATCHES; batch += 1) {
      const { rows } = await place.db.query(
        `select * from ${table} where (article_id, text_version) > ($1, $2)
          order by article_id, text_version limit ${BATCH}`,
        last,
      )
      for (const row of rows) hash.update(JSON.stringify(Object.entries(row).sort()))
      const end = rows.at(-1)
      last = [end.article_id, end.text_version]
    }
  })
}

/** Moves revisions of ten articles at a time into the archive. */
export async function archiveSome(place) {
  const { db } = place
  const { rows } = await db.query(
    'select distinct article_id from article_revisions order by 1 limit 400',
  )
  const ids = rows.map((row) => row.article_id)
  const before = await journal(db)
  let moved = 0
  const times = []
  for (let at = 0; at < ids.length; at += 10) {
    times.push(
      await timed(async () => {
        const { rowCount } = await db.query(
          `with moved as (delete from article_revisions where article_id = any ($1) returning *)
          insert into archived_revisions select * from moved`,
          [ids.slice(at, at + 10)],
        )
        moved += rowCount
      }),
    )
  }
  const bytes = ((await journal(db)) - before) / moved
  place.archiving = {
    ms: median(times),
    slow: quantile(times, 0.95),
    bytes,
    rows: moved / times.length,
  }
  console.log('archiving', JSON.stringify(place.archiving))
}
