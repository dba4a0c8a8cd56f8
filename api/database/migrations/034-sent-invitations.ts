import type { Database } from '../../deps.ts'
import { runStatements } from '../run-statements.ts'

const statements = [
  `create table invitations (
    mail_id text primary key,
    user_id text not null references users (id) on delete cascade,
    sender_id text,
    digest text,
    created_at text not null,
    expires_at text not null,
    replaced_at text
  )`,
  'create index invitations_of_user on invitations (user_id)',
  'create index invitations_by_digest on invitations (digest)',
]

/** The invitations of users who have not logged in yet. Mails of an earlier release have none. */
export async function sentInvitations(db: Database): Promise<void> {
  await runStatements(db, statements)
}
