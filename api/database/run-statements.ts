import { sql } from 'kysely'
import type { Database } from '../deps.ts'
import { isPostgres } from './engine.ts'

/**
 * Creates or changes tables on either engine. Text is compared bytewise on both, whatever the locale of the database:
 * pages are cut by that order, and times and ids are compared in it.
 */
export async function runStatements(db: Database, statements: readonly string[]): Promise<void> {
  const isCollated = isPostgres(db)
  for (const statement of statements) {
    const text = isCollated ? statement.replace(/ text\b/g, ' text collate "C"') : statement
    await sql.raw(text).execute(db)
  }
}
