import type { Database } from '../../deps.ts'
import { isPostgres } from '../engine.ts'
import { runStatements } from '../run-statements.ts'

const AT_SQLITE = [
  'drop index stray_drafts_by_state',
  'create index undelivered_texts_by_state on undelivered_texts (done_at, id)',
]
/** Nodes of the earlier release read and write through the view until they are replaced. */
const AT_POSTGRES = [
  'alter index stray_drafts_by_state rename to undelivered_texts_by_state',
  'alter index stray_drafts_pkey rename to undelivered_texts_pkey',
  'create view stray_drafts as select * from undelivered_texts',
]

/** Renames the table of 005, and in the audit log what was done with its rows. */
export async function undeliveredTexts(db: Database): Promise<void> {
  await runStatements(db, [
    'alter table stray_drafts rename to undelivered_texts',
    ...(isPostgres(db) ? AT_POSTGRES : AT_SQLITE),
    "update audit set action = 'undelivered-text.' || substr(action, 7) where action like 'stray.%'",
  ])
}
