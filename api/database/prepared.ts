import type { Compilable, CompiledQuery } from 'kysely'
import type { Database } from '../deps.ts'

type Prepared<Given, Row> = (db: Database, given: Given) => Promise<Row[]>
type Built<Row> = { query: CompiledQuery<Row>; values: readonly unknown[] }

/** Stands in a query for a value that is known only when it is run. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) })

/**
 * A query that is built once for each database and then run with other values, because building one costs more
 * than running it. What `build` is given stands for values only: the shape of the query must not depend on it.
 */
export function prepared<Given extends object, Row = unknown>(
  build: (db: Database, given: Given) => Compilable<Row>,
): Prepared<Given, Row> {
  const known = new WeakMap<object, Built<Row>>()
  return async (db, given) => {
    const { adapter } = db.getExecutor()
    const built = known.get(adapter) ?? builtBy(() => build(db, slots as Given))
    known.set(adapter, built)
    const parameters = built.values.map((value) =>
      value instanceof Slot ? given[value.name as keyof Given] : value,
    )
    const { rows } = await db.executeQuery<Row>({ ...built.query, parameters })
    return rows
  }
}

function builtBy<Row>(build: () => Compilable<Row>): Built<Row> {
  const query = build().compile()
  return { query, values: query.parameters }
}
