import { createHash } from 'node:crypto'
import type { CompiledQuery } from 'kysely'
import type { Database } from '../deps.ts'
import { isPostgres } from './engine.ts'

/** A query builder, or raw SQL. */
type Built<Row> = { compile(db: Database): CompiledQuery<Row> }
type Prepared<Given, Row> = (db: Database, given: Given) => Promise<Row[]>

/** Replaces a value while the query is compiled. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A query that is compiled once for each engine and then executed with other values: building one costs more than
 * running it. `build` gets placeholders for the values, so the shape of the query must not depend on them. Every call
 * must pass the same names.
 */
export function prepared<Given extends object, Row = unknown>(
  build: (db: Database, given: Given) => Built<Row>,
): Prepared<Given, Row> {
  return preparedAs(build, {})
}

/** A compiled query that PostgreSQL plans once for each connection, under this name. */
export type NamedQuery<Row = unknown> = CompiledQuery<Row> & { name?: string }

/**
 * The same for a query by keys, whose plan does not depend on the values: over PostgreSQL planning it costs much more
 * than running it. It must name its columns, so that a newer release may add some while this one runs.
 */
export function preparedByKey<Given extends object, Row = unknown>(
  build: (db: Database, given: Given) => Built<Row>,
): Prepared<Given, Row> {
  return preparedAs(build, { isNamed: true })
}

function preparedAs<Given extends object, Row>(
  build: (db: Database, given: Given) => Built<Row>,
  { isNamed = false }: { isNamed?: boolean },
): Prepared<Given, Row> {
  const compiled: { sqlite?: CompiledQuery<Row>; postgres?: NamedQuery<Row> } = {}
  return async (db, given) => {
    const engine = isPostgres(db) ? 'postgres' : 'sqlite'
    compiled[engine] ??= named(build(db, placeholdersFor(given)).compile(db), isNamed)
    const query = compiled[engine]
    const parameters = query.parameters.map((value) =>
      value instanceof Placeholder ? given[value.name as keyof Given] : value,
    )
    const { rows } = await db.executeQuery<Row>({ ...query, parameters })
    return rows
  }
}

const named = <Row>(query: CompiledQuery<Row>, isNamed: boolean): NamedQuery<Row> =>
  isNamed ? { ...query, name: createHash('sha256').update(query.sql).digest('base64url') } : query

const placeholdersFor = <Given extends object>(given: Given): Given =>
  Object.fromEntries(Object.keys(given).map((name) => [name, new Placeholder(name)])) as Given
