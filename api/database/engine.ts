import { PostgresIntrospector } from 'kysely'
import type { Database } from '../deps.ts'

/** Each transaction is a database object of its own: asked once, its queries do not build an introspector each. */
const known = new WeakMap<Database, boolean>()

/** For the few statements that differ between SQLite and PostgreSQL. Works inside transactions too. */
export function isPostgres(db: Database): boolean {
  const answer = known.get(db) ?? db.introspection instanceof PostgresIntrospector
  known.set(db, answer)
  return answer
}
