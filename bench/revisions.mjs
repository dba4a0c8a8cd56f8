import { loadavg } from 'node:os'
import { startPostgres } from '../scripts/embedded-postgres.mjs'
import { bytesOf, LAYOUTS, makeDatabase, VERSIONS } from './revision-layouts.mjs'
import { archiveSome, DAY_ARTICLES, DAY_SAVES, measure, TIMES } from './revision-measures.mjs'
import { median, ratio } from './rig.mjs'
import { writeSection } from './write-section.mjs'

/**
 * What the table of revisions needs on PostgreSQL as it grows, and what other layouts of it would. Run `npx tsc -b`
 * first, then one of
 *
 * - `node bench/revisions.mjs layouts`: layouts of ROWS revisions, next to the table as it is;
 * - `node bench/revisions.mjs sizes`: the table as it is with so many revisions (ROWS, several with commas);
 * - `node bench/revisions.mjs rows`: the same without texts, so that more of them fit on the disk.
 *
 * All databases of one run are measured in turn. Each revision with its text takes 5 KB of disk. It writes its section of
 * docs/benchmarks.md when SECTION is set.
 */

const KIND = process.argv[2]
const ROUNDS = Number(process.env.ROUNDS ?? 5)
const DEFAULTS = { layouts: '1000000', sizes: '250000,1000000,4000000', rows: '1000000,32000000' }
const ROWS = (process.env.ROWS ?? DEFAULTS[KIND]).split(',').map(Number)
const ONLY = process.env.ONLY?.split(',') ?? Object.keys(LAYOUTS)

const places = []

function placesOf(kind) {
  if (kind === 'layouts') {
    return ONLY.map((title) => ({
      title,
      layout: LAYOUTS[title],
      revisions: ROWS[0],
      hasTexts: true,
    }))
  }
  const title = (revisions) => `${revisions / 1e6} million`
  return ROWS.map((revisions) => ({
    title: title(revisions),
    layout: LAYOUTS['as it is'],
    revisions,
    hasTexts: kind === 'sizes',
  }))
}

async function fillPlace(place) {
  const name = `revisions_${places.length}`
  const startedAt = performance.now()
  const { db, vacuumed } = await makeDatabase(`${postgres.url}/postgres`, { name, ...place })
  const bytes = await bytesOf(db)
  const seconds = (performance.now() - startedAt) / 1_000
  console.log(place.title, 'filled in', seconds.toFixed(0), 's', JSON.stringify(bytes))
  const figures = new Map([['first vacuum, of every page', [vacuumed]]])
  return { ...place, db, bytes, figures, version: 10_000 }
}

const MS = (value) => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`
const BYTES = (value) => `${value.toFixed(0)} B`
const UNITS = {
  'journal of one insert': BYTES,
  'vacuum after a day': MS,
  'pages that it visits': (value) => value.toFixed(0),
  'copy and hash in the order of keys': (value) => `${value.toFixed(0)} µs a row`,
  dump: (value) => `${value.toFixed(1)} µs a row`,
}

function report() {
  const [base] = places
  const cells = places.map(({ bytes, revisions }) =>
    ['heap', 'texts', 'indexes'].map((part) => bytes[part] / revisions),
  )
  const rows = ['rows without their texts', 'texts', 'indexes'].map((name, part) =>
    row(
      `bytes of a revision: ${name}`,
      cells.map((one) => BYTES(one[part])),
    ),
  )
  for (const name of base.figures.keys()) {
    const unit = UNITS[name] ?? MS
    const shown = places.map((place, at) => {
      const value = unit(median(place.figures.get(name)))
      if (at === 0) return value
      return `${value} (${ratio(place.figures.get(name), base.figures.get(name)).toFixed(1)}x)`
    })
    rows.push(row(name, shown))
  }
  const table = [
    row(
      '',
      places.map(({ title }) => title),
    ),
    `|${'---|'.repeat(places.length + 1)}`,
    ...rows,
  ]
  console.log(table.join('\n'))
  if (process.env.SECTION)
    writeSection(TITLES[KIND], [...INTRODUCTIONS[KIND](), '', ...table, ...(ENDS[KIND]?.() ?? [])])
}

const row = (name, cells) => `| ${[name, ...cells].join(' | ')} |`

const TITLES = {
  layouts: 'Revisions in other layouts',
  sizes: 'Revisions, as they grow in number',
  rows: 'Revisions without their texts, as they grow in number',
}

const day = () =>
  `A day is ${DAY_SAVES.toLocaleString('en')} saves in ${DAY_ARTICLES} articles, three in four pruned; its vacuum cleans the indexes too. ${ROUNDS} rounds of ${TIMES} statements, in turn; load ${loadavg()[0].toFixed(1)} on two cores.`

const INTRODUCTIONS = {
  layouts: () => [
    `${ROWS[0].toLocaleString('en')} revisions on PostgreSQL 18, ${VERSIONS} of each article, whose text grows to 10 KB of English: the table as it is and in`,
    'other layouts (`node bench/revisions.mjs layouts`). In brackets: of the first column in the same rounds.',
    day(),
  ],
  sizes: () => [
    'The table of revisions as it is, on PostgreSQL 18, with texts as above (`node bench/revisions.mjs sizes`). In brackets:',
    'of the first column in the same rounds.',
    day(),
  ],
  rows: () => [
    'The same with empty texts: rows and indexes alone (`node bench/revisions.mjs rows`). In brackets: of the first column.',
    day(),
  ],
}

const ENDS = {
  layouts: () => {
    const archiving = places.find((place) => place.archiving)?.archiving
    if (!archiving) return []
    const { rows, ms, slow, bytes } = archiving
    return [
      '',
      `Moving ${rows.toFixed(0)} revisions to the archive in one statement takes ${MS(ms)} (95th percentile ${MS(slow)}) and ${BYTES(bytes)} of journal each.`,
    ]
  },
}

// No housekeeping but the one that is measured; without a journal of full rows, tables fill faster.
const postgres = await startPostgres(['autovacuum=off', 'wal_level=minimal', 'max_wal_senders=0'])
try {
  for (const place of placesOf(KIND)) places.push(await fillPlace(place))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const place of places) await measure(place, round)
  }
  for (const place of places) if (place.layout === LAYOUTS.archive) await archiveSome(place)
  report()
} finally {
  for (const { db } of places) await db.end()
  await postgres.remove()
}
