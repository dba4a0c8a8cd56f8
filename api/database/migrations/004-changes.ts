import type { Database } from '../../deps.ts'
import { runStatements } from '../run-statements.ts'

/** The latest changes, one row each; an article that is null stands for all of them. */
export async function changes(db: Database): Promise<void> {
  await runStatements(db, ['create table changes (seq integer primary key, article_id text)'])
}
