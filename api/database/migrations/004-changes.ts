import type { Database } from '../../deps.ts'
import { runStatements } from '../run-statements.ts'

/** The latest changes, one row each; a null article means all articles. */
export async function changes(db: Database): Promise<void> {
  await runStatements(db, ['create table changes (seq integer primary key, article_id text)'])
}
