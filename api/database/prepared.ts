import type { Compilable, CompiledQuery } from 'kysely'
import type { Database } from '../deps.ts'
import { isPostgres } from './engine.ts'

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
  build: (db: Database, given: Given) => Compilable<Row>,
): Prepared<Given, Row> {
  const compiled: { sqlite?: CompiledQuery<Row>; postgres?: CompiledQuery<Row> } = {}
  return async (db, given) => {
    const engine = isPostgres(db) ? 'postgres' : 'sqlite'
    compiled[engine] ??= build(db, placeholdersFor(given)).compile()
    const query = compiled[engine]
    const parameters = query.parameters.map((value) =>
      value instanceof Placeholder ? given[value.name as keyof Given] : value,
    )
    const { rows } = await db.executeQuery<Row>({ ...query, parameters })
    return rows
  }
}

const placeholdersFor = <Given extends object>(given: Given): Given =>
  Object.fromEntries(Object.keys(given).map((name) => [name, new Placeholder(name)])) as Given
