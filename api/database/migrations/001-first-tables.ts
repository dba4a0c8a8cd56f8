import { sql } from 'kysely'
import type { Database } from '../../deps.ts'
import { runStatements } from '../run-statements.ts'
import type { MigrationSources } from './migrate.ts'

const statements = [
  `create table users (
    id text primary key,
    name text not null,
    name_folded text not null,
    email text not null unique,
    password_hash text not null,
    role text not null check (role in ('admin', 'user')),
    is_email_verified integer not null default 0 check (is_email_verified in (0, 1)),
    created_at text not null,
    updated_at text not null
  )`,
  'create index users_by_name on users (name_folded)',

  `create table clients (
    id text primary key,
    name text not null,
    name_folded text not null,
    moonowl integer not null default 0 check (moonowl in (0, 1)),
    created_at text not null,
    updated_at text not null,
    deleted_at text
  )`,
  'create index clients_by_name on clients (name_folded)',

  `create table client_users (
    client_id text not null references clients (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    primary key (client_id, user_id)
  )`,
  'create index client_users_by_user on client_users (user_id)',

  // The text is the last column: rows are read from the front, and lists stop before it.
  `create table articles (
    id text primary key,
    name text not null,
    name_folded text not null,
    client_id text references clients (id),
    word_minimum integer not null check (word_minimum >= 0),
    completed integer not null default 0 check (completed in (0, 1)),
    version integer not null,
    text_version integer not null,
    text_hash text not null,
    text_updated_by text references users (id) on delete set null,
    words integer not null,
    created_at text not null,
    updated_at text not null,
    keyword_list text not null,
    article_text text not null
  )`,
  'create index articles_by_client on articles (client_id, updated_at)',
  'create index articles_by_name on articles (name_folded)',
  'create index articles_by_update on articles (updated_at)',
  'create index articles_by_text_author on articles (text_updated_by)',

  // No cascade from articles: a text is never deleted as a side effect.
  `create table article_revisions (
    article_id text not null references articles (id),
    text_version integer not null,
    base_text_version integer,
    words integer not null,
    author_id text references users (id) on delete set null,
    idem_key text,
    reason text not null check (reason in ('created', 'autosave', 'merge', 'plain', 'restore')),
    created_at text not null,
    article_text text not null,
    primary key (article_id, text_version)
  )`,
  'create index article_revisions_by_author on article_revisions (author_id)',

  `create table idempotency (
    user_id text not null references users (id) on delete cascade,
    key text not null,
    request_hash text not null,
    status integer not null,
    response text not null,
    created_at text not null,
    expires_at text not null,
    primary key (user_id, key)
  )`,
  'create index idempotency_by_expiry on idempotency (expires_at)',

  `create table sessions (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    role text not null check (role in ('admin', 'user')),
    counter integer not null,
    seen_counter integer not null,
    created_at text not null,
    rotated_at text not null,
    expires_at text not null
  )`,
  'create index sessions_by_user on sessions (user_id)',
  'create index sessions_by_expiry on sessions (expires_at)',

  `create table reset_tokens (
    digest text primary key,
    user_id text not null references users (id) on delete cascade,
    created_at text not null,
    expires_at text not null
  )`,
  'create index reset_tokens_by_user on reset_tokens (user_id)',

  'create table meta (key text primary key, value text not null)',
]

export async function firstTables(db: Database, { newId }: MigrationSources): Promise<void> {
  await runStatements(db, statements)
  await sql`insert into meta (key, value) values ('server_epoch', ${newId()}), ('change_seq', '0')`.execute(
    db,
  )
}
