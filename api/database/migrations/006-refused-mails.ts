import type { Database } from '../../deps.ts'
import { runStatements } from '../run-statements.ts'

/** When the mail server refused the mail permanently. */
export async function refusedMails(db: Database): Promise<void> {
  await runStatements(db, ['alter table mail_outbox add column refused_at text'])
}
