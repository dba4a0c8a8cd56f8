import type { Database } from '../../deps.ts'
import { runStatements } from '../run-statements.ts'

const statements = [
  `create table mails (
    id text primary key,
    kind text not null check (kind in ('reset', 'invitation', 'password-changed', 'email-changed')),
    recipient text not null,
    created_at text not null,
    expires_at text not null,
    tries integer not null default 0,
    next_try_at text not null,
    refused_at text,
    sender_id text
  )`,
  `insert into mails (id, kind, recipient, created_at, expires_at, tries, next_try_at, refused_at)
    select id, kind, recipient, created_at, expires_at, tries, next_try_at, refused_at from mail_outbox`,
  'drop table mail_outbox',
  'alter table mails rename to mail_outbox',
  'create index mail_outbox_by_next_try on mail_outbox (next_try_at)',
]

/** Adds invitation mails, and the admin who sent them. */
export async function invitations(db: Database): Promise<void> {
  await runStatements(db, statements)
}
