import { PostgresAdapter, sql } from 'kysely'
import type { Database } from '../deps.ts'

/**
 * Makes or changes tables on either engine. Text is compared by its bytes on both, whatever language the
 * database was made for: pages are cut by that order, and times and ids are compared in it.
 */
export async function runStatements(db: Database, statements: readonly string[]): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  for (const statement of statements) {
    const text = isPostgres ? statement.replace(/ text\b/g, ' text collate "C"') : statement
    await sql.raw(text).execute(db)
  }
}
