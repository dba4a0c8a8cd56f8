import { sql } from 'kysely'
import type { Database } from '../deps.ts'
import { isPostgres } from './engine.ts'

/**
 * Makes or changes tables on either engine. Text is compared by its bytes on both, whatever language the
 * database was made for: pages are cut by that order, and times and ids are compared in it.
 */
export async function runStatements(db: Database, statements: readonly string[]): Promise<void> {
  const isCollated = isPostgres(db)
  for (const statement of statements) {
    const text = isCollated ? statement.replace(/ text\b/g, ' text collate "C"') : statement
    await sql.raw(text).execute(db)
  }
}
