import type { Database } from '../../deps.ts'
import { runStatements } from '../run-statements.ts'

const OF_USER = 'user_id text not null references users (id) on delete cascade'

const statements = [
  `create table authenticator_apps (
    user_id text primary key references users (id) on delete cascade,
    secret text not null,
    last_step integer not null,
    created_at text not null,
    confirmed_at text
  )`,
  `create table passkeys (
    id text primary key,
    ${OF_USER},
    public_key text not null,
    counter text not null,
    transports text not null,
    name text not null,
    created_at text not null,
    used_at text
  )`,
  'create index passkeys_of_user on passkeys (user_id)',
  `create table recovery_codes (
    ${OF_USER},
    digest text not null,
    primary key (user_id, digest)
  )`,
  `create table remembered_devices (
    digest text primary key,
    ${OF_USER},
    expires_at text not null
  )`,
  'create index remembered_devices_of_user on remembered_devices (user_id)',
  `create table second_step_tickets (
    digest text primary key,
    ${OF_USER},
    purpose text not null check (purpose in ('log-in', 'change', 'add-passkey')),
    challenge text,
    tries integer not null default 0,
    expires_at text not null
  )`,
  'create index second_step_tickets_of_user on second_step_tickets (user_id)',
  `create table mails (
    id text primary key,
    kind text not null check (kind in ('reset', 'invitation', 'password-changed', 'email-changed',
      'second-step-added', 'second-step-removed', 'recovery-codes-made', 'recovery-code-used')),
    recipient text not null,
    created_at text not null,
    expires_at text not null,
    tries integer not null default 0,
    next_try_at text not null,
    refused_at text,
    sender_id text
  )`,
  `insert into mails (id, kind, recipient, created_at, expires_at, tries, next_try_at, refused_at, sender_id)
    select id, kind, recipient, created_at, expires_at, tries, next_try_at, refused_at, sender_id from mail_outbox`,
  'drop table mail_outbox',
  'alter table mails rename to mail_outbox',
  'create index mail_outbox_by_next_try on mail_outbox (next_try_at)',
]

/** Two-step login, and the mails that report its changes. */
export async function secondStep(db: Database): Promise<void> {
  await runStatements(db, statements)
}
