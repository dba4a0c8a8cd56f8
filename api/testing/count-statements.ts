import pg from 'pg'
import Sqlite from '../database/sqlite/better-sqlite3.ts'
import type { Cost } from './statement-budget.ts'

/** What reaches the engines, in this process. It is seen at their drivers, so that no way to them is missed. */

type Statement = { text: string; rows: number }
type Watch = (statement: Statement) => void
const watches = new Set<Watch>()
const note = (text: string, rows: number) => {
  for (const watch of watches) watch({ text, rows })
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
  const done = (result: Result | undefined) =>
    note(text, [result ?? []].flat().at(-1)?.rowCount ?? 0)
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
const TABLE = /\b(from|join|into|update)\s+(?!(set|skip)\b)["a-z]/gi
const SUBQUERY = /\(\s*select\b/gi

/**
 * What `work` costs. Tables and subqueries are those of the statements: plans depend on what a database has counted of its
 * rows.
 */
export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const cost: Cost = [0, 0, 0, 0]
  const watch: Watch = ({ text, rows }) => {
    if (OF_NO_REQUEST.test(text)) return
    const count = (part: RegExp) => text.match(part)?.length ?? 0
    for (const [at, more] of [1, rows, count(TABLE), count(SUBQUERY)].entries()) {
      cost[at] = (cost[at] ?? 0) + more
    }
  }
  watches.add(watch)
  try {
    await work()
  } finally {
    watches.delete(watch)
  }
  return cost
}
