import type { Database } from '../../deps.ts'
import { runStatements } from '../run-statements.ts'

const articleColumns = `
    id text primary key,
    name text not null,
    name_folded text not null,
    client_id text references clients (id),
    word_minimum integer not null,
    completed integer not null,
    version integer not null,
    text_version integer not null,
    text_hash text not null,
    text_updated_by text references users (id) on delete set null,
    words integer not null,
    created_at text not null,
    updated_at text not null,
    keyword_list text not null,
    article_text text not null,
    client_name_folded text not null`

const statements = [
  `alter table articles add column client_name_folded text not null default ''`,
  `update articles set client_name_folded = coalesce(
    (select clients.name_folded from clients
      where clients.id = articles.client_id and clients.deleted_at is null), '')
    where client_id is not null`,

  // Every order of the list has an index that also holds what the list is filtered by, so that a page is
  // found without reading a row. Where few clients are asked for, the one by client serves every order.
  'drop index articles_by_name',
  'drop index articles_by_update',
  'drop index articles_by_client',
  'create index articles_by_id on articles (id, client_id, name_folded)',
  'create index articles_by_name on articles (name_folded, id, client_id)',
  'create index articles_by_client_name on articles (client_name_folded, id, client_id, name_folded)',
  'create index articles_by_completion on articles (completed, id, client_id, name_folded)',
  'create index articles_by_creation on articles (created_at, id, client_id, name_folded)',
  'create index articles_by_minimum on articles (word_minimum, id, client_id, name_folded)',
  'create index articles_by_update on articles (updated_at, id, client_id, name_folded)',
  `create index articles_by_client on articles (client_id, updated_at, id,
    name_folded, client_name_folded, completed, created_at, word_minimum)`,

  'drop index clients_by_name',
  'create index clients_by_name on clients (name_folded, id, deleted_at, moonowl)',
  'create index clients_by_kind on clients (moonowl, id, deleted_at, name_folded)',
  'drop index users_by_name',
  'create index users_by_name on users (name_folded, id)',
  'create index users_by_role on users (role, id, name_folded)',

  // What an admin deleted, with all its texts, in tables of its own: nothing that reads articles meets it.
  `create table deleted_articles (${articleColumns},
    deleted_at text not null,
    deleted_by text references users (id) on delete set null
  )`,
  'create index deleted_articles_by_client on deleted_articles (client_id)',
  'create index deleted_articles_by_text_author on deleted_articles (text_updated_by)',
  'create index deleted_articles_by_deleter on deleted_articles (deleted_by)',
  'create index deleted_articles_by_deletion on deleted_articles (deleted_at)',
  `create table deleted_revisions (
    article_id text not null references deleted_articles (id),
    text_version integer not null,
    base_text_version integer,
    words integer not null,
    author_id text references users (id) on delete set null,
    idem_key text,
    reason text not null,
    created_at text not null,
    article_text text not null,
    primary key (article_id, text_version)
  )`,
  'create index deleted_revisions_by_author on deleted_revisions (author_id)',

  // Points to nothing: the record of a change outlives the account and the thing that was changed.
  `create table audit (
    id text primary key,
    at text not null,
    actor_id text,
    action text not null,
    subject_id text not null,
    detail text not null
  )`,
  'create index audit_by_subject on audit (subject_id, id)',
]

export async function agencyLists(db: Database): Promise<void> {
  await runStatements(db, statements)
}
