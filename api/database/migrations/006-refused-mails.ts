import type { Database } from '../../deps.ts'
import { runStatements } from '../run-statements.ts'

/** When the mail server said for good that it will not take the mail. */
export async function refusedMails(db: Database): Promise<void> {
  await runStatements(db, ['alter table mail_outbox add column refused_at text'])
}
