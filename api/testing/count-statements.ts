import pg from 'pg'
import Sqlite from '../database/sqlite/better-sqlite3.ts'
import type { Cost } from './statement-budget.ts'

/** What reaches the engines, in this process. It is seen at their drivers, so that no way to them is missed. */

type Part = { text: string; rows: number }[]
/** Each collects transactions, and single statements outside of transactions. */
const watches = new Set<Part[]>()
/** The open transaction of each connection. */
const open = new Map<pg.Client, Part>()
/** Connections that have an 'end' listener, which removes their transaction. */
const known = new WeakSet<pg.Client>()
const BEGIN = /^begin\b/
const END = /^(commit|rollback)\b/

/** `client`: the connection of PostgreSQL; null over SQLite. */
function note(text: string, rows: number, client: pg.Client | null = null): void {
  const part = (client && open.get(client)) ?? []
  if (part.push({ text, rows }) === 1) for (const parts of watches) parts.push(part)
  if (client && BEGIN.test(text)) {
    if (!known.has(client)) client.once('end', () => open.delete(client))
    known.add(client)
    open.set(client, part)
  }
  if (client && END.test(text)) open.delete(client)
}

async function untilNoneIsOpen(): Promise<void> {
  while (open.size > 0) await new Promise((resolve) => setImmediate(resolve))
}

const OF_SQLITE = Object.getPrototypeOf(new Sqlite(':memory:').prepare('select 1')) as Record<
  'all' | 'run',
  (this: { source: string }, ...values: unknown[]) => unknown[] & { changes: number }
>
const { all, run } = OF_SQLITE
OF_SQLITE.all = function (...values) {
  const rows = all.apply(this, values)
  note(this.source, rows.length)
  return rows
}
OF_SQLITE.run = function (...values) {
  const done = run.apply(this, values)
  note(this.source, done.changes)
  return done
}

type Result = { rowCount: number | null } | { rowCount: number | null }[]
type Query = (this: pg.Client, given: string | { text: string }, ...rest: unknown[]) => unknown
const OF_POSTGRES = pg.Client.prototype as unknown as { query: Query }
const { query } = OF_POSTGRES
OF_POSTGRES.query = function (given, ...rest) {
  const text = typeof given === 'string' ? given : given.text
  const done = (result: Result | undefined) => {
    const isOpen = result !== undefined || !BEGIN.test(text)
    note(text, [result ?? []].flat().at(-1)?.rowCount ?? 0, isOpen ? this : null)
  }
  const last = rest.at(-1)
  if (typeof last !== 'function') {
    const answer = query.call(this, given, ...rest)
    if (answer instanceof Promise) void answer.then(done, () => done(undefined))
    return answer
  }
  const callback = (fault: unknown, result: Result | undefined) => {
    done(result)
    last(fault, result)
  }
  return query.call(this, given, ...rest.slice(0, -1), callback)
}

/** Tells other nodes of changes after a commit, with others of the same moment: it belongs to no request. */
const OF_NO_REQUEST = /pg_notify/
/** The first statement of the tidying that follows every hundredth change, in a transaction that no request waits for. */
const TIDYING = /^update meta set value = value/
const TABLE = /\b(from|join|into|update)\s+(?!(set|skip)\b)["a-z]/gi
const SUBQUERY = /\(\s*select\b/gi

/**
 * What `work` costs. Tables and subqueries are those of the statements: plans depend on what a database has counted of its
 * rows.
 */
export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const parts: Part[] = []
  // Maintenance after an earlier change may still be running.
  await untilNoneIsOpen()
  watches.add(parts)
  try {
    await work()
    await untilNoneIsOpen()
  } finally {
    watches.delete(parts)
  }
  const statements = parts
    .filter((part) => !part.some(({ text }) => TIDYING.test(text)))
    .flat()
    .filter(({ text }) => !OF_NO_REQUEST.test(text))
  const count = (part: RegExp) =>
    statements.reduce((sum, { text }) => sum + (text.match(part)?.length ?? 0), 0)
  const rows = statements.reduce((sum, statement) => sum + statement.rows, 0)
  return [statements.length, rows, count(TABLE), count(SUBQUERY)]
}
