import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { pepperFault } from '../accounts/pepper.ts'
import type { DatabaseAddress } from '../database/database-address.ts'
import { isPostgres } from '../database/engine.ts'
import { readMeta } from '../database/meta-rows.ts'
import type { MigrationSources } from '../database/migrations/migrate.ts'
import { type DatabaseSources, openDatabase } from '../database/open-database.ts'
import { tidyChanges } from '../database/postgres/postgres-changes.ts'
import { runStatements } from '../database/run-statements.ts'
import { isSqliteThere } from '../database/sqlite/sqlite.ts'
import type { Tables } from '../database/tables.ts'
import type { Database } from '../deps.ts'
import { CommandError } from './command-error.ts'

export type MoveDeps = DatabaseSources &
  MigrationSources & {
    /** Parses an address. Throws where it is invalid. */
    addressOf(url: string): DatabaseAddress
    /** The configured pepper; null when there is none. */
    pepper: Uint8Array | null
  }

const USAGE = [
  'npm run move -- --from sqlite:FILE --to postgres://USER:PASSWORD@HOST/DATABASE',
  'npm run move -- --from postgres://… --to sqlite:FILE',
  'Copies everything. Stop the servers first. The target must be empty, or have the same data already.',
].join('\n')

/** Maintained by triggers. */
type Counts = 'article_counts' | 'standing_counts' | 'article_marks'

/** The tables with their keys, in an order that satisfies foreign keys. */
const KEYS: Record<Exclude<keyof Tables, Counts>, string[]> = {
  users: ['id'],
  clients: ['id'],
  client_users: ['client_id', 'user_id'],
  articles: ['id'],
  article_revisions: ['article_id', 'text_version'],
  idempotency: ['user_id', 'key'],
  sessions: ['id'],
  reset_tokens: ['digest'],
  authenticator_apps: ['user_id'],
  passkeys: ['id'],
  recovery_codes: ['user_id', 'digest'],
  remembered_devices: ['digest'],
  second_step_tickets: ['digest'],
  mail_outbox: ['id'],
  article_mails: ['user_id', 'article_id'],
  morning_mails: ['user_id', 'day'],
  mail_choices: ['user_id'],
  followed_clients: ['user_id', 'client_id'],
  mail_bounces: ['address'],
  invitations: ['mail_id'],
  changes: ['seq'],
  deleted_articles: ['id'],
  deleted_revisions: ['article_id', 'text_version'],
  receipt_keys: ['number'],
  hand_ins: ['article_id', 'number'],
  program_tokens: ['id'],
  program_token_clients: ['token_id', 'client_id'],
  article_notes: ['id'],
  article_news: ['article_id', 'kind', 'name'],
  article_plans: ['article_id'],
  brief_templates: ['id'],
  article_standing: ['article_id'],
  visits: ['user_id'],
  undelivered_texts: ['id'],
  audit: ['id'],
  // Last: inserting other rows changes it.
  meta: ['key'],
}
/** Few enough for their texts to fit into memory, whatever their size. */
const BATCH = 100

type Row = Record<string, unknown>
/** `rows` without those of `meta`, which every database has. */
type Content = { digest: string; rows: number; counts: string[] }

/**
 * Copies all data from one database to another, of either engine, and returns what to print. Either everything is
 * copied and verified, or nothing.
 */
export async function runMove(deps: MoveDeps, words: readonly string[]): Promise<string> {
  const { from, to } = sidesFrom(deps, words)
  if (from.engine === 'sqlite' && !isSqliteThere(from.file)) {
    throw new CommandError(`There is no database at ${from.file}`)
  }
  const source = await openDatabase(from, deps)
  try {
    await refuseOtherPepper(source.db, deps.pepper)
    const target = await openDatabase(to, deps)
    try {
      return await alone(source.db, (reading) =>
        alone(target.db, (writing) => move(reading, writing)),
      )
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** With another pepper, no password of the copy would work. */
async function refuseOtherPepper(source: Database, pepper: Uint8Array | null): Promise<void> {
  const fault = pepper && pepperFault(await readMeta(source, 'pepper_fingerprint'), pepper)
  if (fault !== null) throw new CommandError(fault)
}

function sidesFrom({ addressOf }: MoveDeps, words: readonly string[]) {
  const [a, from, b, to, ...rest] = words
  const isGiven = a === '--from' && b === '--to' && rest.length === 0
  if (!isGiven || from === undefined || to === undefined) throw new CommandError(USAGE)
  return { from: addressOf(from), to: addressOf(to) }
}

/** Runs `work` in a transaction without time limits, so that nothing else writes. */
function alone<T>(db: Database, work: (inside: Database) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (inside) => {
    if (isPostgres(inside)) {
      await sql`set local statement_timeout = 0`.execute(inside)
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(inside)
      await tidyChanges(inside)
    }
    return work(inside)
  })
}

async function move(source: Database, target: Database): Promise<string> {
  const before = await contentOf(target)
  if (before.rows > 0) {
    const present = await contentOf(source)
    if (present.digest !== before.digest) {
      throw new CommandError('The target has other data already. Nothing was changed')
    }
    return report('The target has the same data already:', present)
  }
  // Rows that every database has, and rows that triggers of the target insert with others.
  const isFilledAlready = new Set(['meta', 'article_standing', 'article_news'])
  const content = await countedInTheEnd(target, () =>
    contentOf(source, async (table, rows) => {
      if (isFilledAlready.delete(table)) await sql`delete from ${sql.table(table)}`.execute(target)
      if (rows.length > 0) await insert(target, table, rows)
    }),
  )
  const after = await contentOf(target)
  if (after.digest !== content.digest) {
    throw new CommandError('The copy reads differently. Nothing was changed')
  }
  return report('Everything was copied, and reads the same:', content)
}

/**
 * PostgreSQL keeps each version of a row until the transaction ends, so updating one count with each article would take
 * longer with every article. The counts are computed once, after all rows are inserted.
 */
async function countedInTheEnd<T>(target: Database, fill: () => Promise<T>): Promise<T> {
  if (!isPostgres(target)) return fill()
  const watched = ['articles', 'article_standing']
  await runStatements(
    target,
    watched.map((table) => `alter table ${table} disable trigger user`),
  )
  const filled = await fill()
  await runStatements(target, [
    ...countAgain('article_counts', 'articles', 'completed, has_entities'),
    ...countAgain('standing_counts', 'article_standing', 'state, due_on'),
    ...watched.map((table) => `alter table ${table} enable trigger user`),
  ])
  return filled
}

/** Counts the rows of a table in each state: of all clients ('') and of each, with '-' for no client. */
const countAgain = (counts: Counts, table: keyof Tables, state: string): string[] => [
  `delete from ${counts}`,
  ...["''", "coalesce(client_id, '-')"].map(
    (client) => `insert into ${counts}
      select ${client}, ${state}, count(*) from ${table} group by 1, ${state}`,
  ),
]

const report = (line: string, { digest, counts }: Content): string =>
  [line, counts.join(', '), `SHA-256 of all rows: ${digest}`].join('\n')

/** Reads every row in key order, in batches: at least one for each table, which may be empty. */
async function contentOf(
  db: Database,
  meet: (table: string, rows: Row[]) => Promise<void> = async () => {},
): Promise<Content> {
  const hash = createHash('sha256')
  const counts: string[] = []
  let total = 0
  for (const [table, key] of Object.entries(KEYS)) {
    let count = 0
    for await (const rows of batches(db, table, key)) {
      for (const row of rows) hash.update(`${table} ${canonical(row)}\n`)
      await meet(table, rows)
      count += rows.length
    }
    counts.push(`${table} ${count}`)
    if (table !== 'meta') total += count
  }
  return { digest: hash.digest('hex'), rows: total, counts }
}

async function* batches(db: Database, table: string, key: string[]): AsyncGenerator<Row[]> {
  const columns = sql.join(key.map((name) => sql.ref(name)))
  let last: Row | undefined
  for (;;) {
    const after = last
      ? sql`where (${columns}) > (${sql.join(key.map((name) => last?.[name]))})`
      : sql``
    const { rows } = await sql<Row>`select * from ${sql.table(table)} ${after}
      order by ${columns} limit ${BATCH}`.execute(db)
    if (rows.length > 0 || last === undefined) yield rows
    if (rows.length < BATCH) return
    last = rows.at(-1)
  }
}

/** Equal for equal values, whatever the column order of the engine. */
const canonical = (row: Row): string =>
  JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))

async function insert(db: Database, table: string, rows: Row[]): Promise<void> {
  const names = Object.keys(rows[0] ?? {})
  const values = rows.map((row) => sql`(${sql.join(names.map((name) => row[name]))})`)
  await sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
    values ${sql.join(values)}`.execute(db)
}
