import { sql } from 'kysely'
import type { Database } from '../../deps.ts'

/** When the mail server said for good that it will not take the mail. */
export async function refusedMails(db: Database): Promise<void> {
  await sql`alter table mail_outbox add column refused_at text`.execute(db)
}
