import type { Database } from '../../deps.ts'
import { runStatements } from '../run-statements.ts'

/** Texts are stored in one form and compared directly: a hash of each would make every save slower for no benefit. */
export async function textsCompared(db: Database): Promise<void> {
  await runStatements(db, [
    'alter table articles drop column text_hash',
    'alter table deleted_articles drop column text_hash',
  ])
}
