import { PostgresAdapter } from 'kysely'
import type { Database } from '../deps.ts'

/** For the few statements that are not the same in SQLite and in PostgreSQL. */
export const isPostgres = (db: Database): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter
