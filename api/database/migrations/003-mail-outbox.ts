import type { Database } from '../../deps.ts'
import { runStatements } from '../run-statements.ts'

const statements = [
  `create table mail_outbox (
    id text primary key,
    kind text not null check (kind in ('reset', 'password-changed', 'email-changed')),
    recipient text not null,
    created_at text not null,
    expires_at text not null,
    tries integer not null default 0,
    next_try_at text not null
  )`,
  'create index mail_outbox_by_next_try on mail_outbox (next_try_at)',
]

export async function mailOutbox(db: Database): Promise<void> {
  await runStatements(db, statements)
}
