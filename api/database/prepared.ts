import type { Compilable, CompiledQuery, DatabaseConnection, QueryExecutor } from 'kysely'
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
 * It goes to the connection itself, because the way through Kysely takes longer than most queries.
 */
export function prepared<Given extends object, Row = unknown>(
  build: (db: Database, given: Given) => Compilable<Row>,
): Prepared<Given, Row> {
  const known = new WeakMap<object, Built<Row>>()
  return async (db, given) => {
    const executor = db.getExecutor()
    const { query, values } = known.get(executor.adapter) ?? builtFor(db)
    const parameters = values.map((value) =>
      value instanceof Slot ? given[value.name as keyof Given] : value,
    )
    const connection = connections.get(executor) ?? (await connectionOf(executor))
    const { rows } = await connection.executeQuery<Row>({ ...query, parameters })
    return rows
  }

  function builtFor(db: Database): Built<Row> {
    const query = build(db, slots as Given).compile()
    const built = { query, values: query.parameters }
    known.set(db.getExecutor().adapter, built)
    return built
  }
}

const connections = new WeakMap<QueryExecutor, DatabaseConnection>()

/**
 * That of a transaction is its own until the end. Outside of one those of both engines are only a way to where the next
 * query is run, so the one that was lent once stays good.
 */
async function connectionOf(executor: QueryExecutor): Promise<DatabaseConnection> {
  const connection = await executor.provideConnection(async (lent) => lent)
  connections.set(executor, connection)
  return connection
}
