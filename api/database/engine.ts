import { PostgresIntrospector } from 'kysely'
import type { Database } from '../deps.ts'

/** For the few statements that differ between SQLite and PostgreSQL. Works inside transactions too. */
export const isPostgres = (db: Database): boolean =>
  db.introspection instanceof PostgresIntrospector
