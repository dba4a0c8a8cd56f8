import type { Database } from '../../deps.ts'
import { isPostgres } from '../engine.ts'
import { runStatements } from '../run-statements.ts'

const OF_USER = 'user_id text not null references users (id) on delete cascade'

const TABLES = [
  `create table mails (
    id text primary key,
    kind text not null check (kind in ('reset', 'invitation', 'password-changed', 'email-changed',
      'second-step-added', 'second-step-removed', 'recovery-codes-made', 'recovery-code-used',
      'article', 'morning')),
    recipient text not null,
    created_at text not null,
    expires_at text not null,
    tries integer not null default 0,
    next_try_at text not null,
    refused_at text,
    sender_id text,
    user_id text,
    article_id text,
    news text
  )`,
  `insert into mails (id, kind, recipient, created_at, expires_at, tries, next_try_at, refused_at, sender_id)
    select id, kind, recipient, created_at, expires_at, tries, next_try_at, refused_at, sender_id from mail_outbox`,
  'drop table mail_outbox',
  'alter table mails rename to mail_outbox',
  'create index mail_outbox_by_next_try on mail_outbox (next_try_at)',
  `create unique index mail_outbox_by_article on mail_outbox (user_id, article_id)
    where refused_at is null`,
  // No reference to articles: what a deleted one leaves here is skipped.
  `create table article_news (
    article_id text not null,
    kind text not null check (kind in ('handed-in', 'reopened', 'note')),
    name text not null,
    at text not null,
    primary key (article_id, kind, name)
  )`,
  `create table article_mails (
    ${OF_USER},
    article_id text not null,
    sent_at text not null,
    primary key (user_id, article_id)
  )`,
  `create table morning_mails (
    ${OF_USER},
    day text not null,
    primary key (user_id, day)
  )`,
  `create table mail_choices (
    user_id text primary key references users (id) on delete cascade,
    choice text not null check (choice in ('at-once', 'daily', 'none'))
  )`,
  `create table followed_clients (
    ${OF_USER},
    client_id text not null references clients (id),
    primary key (user_id, client_id)
  )`,
  'create index followed_clients_by_client on followed_clients (client_id)',
  'create table mail_bounces (address text primary key, bounces integer not null)',
]

const added = (kind: string, name: string, at: string) =>
  `insert into article_news (article_id, kind, name, at)
      values (new.article_id, '${kind}', ${name}, new.${at}) on conflict do nothing;`
const NUMBER = "'' || new.number"
const HANDED_IN = added('handed-in', NUMBER, 'at')
const REOPENED = added('reopened', NUMBER, 'reopened_at')
const REASON = added('reopened', "'' || new.hand_in", 'created_at')
const NOTE = added('note', 'new.id', 'created_at')

const IS_REOPENED = 'when (old.reopened_at is null and new.reopened_at is not null)'
const IS_REASON = "when (new.kind = 'reopened' and new.hand_in is not null)"
const IS_NOTE = "when (new.kind in ('note', 'answer'))"

const AT_SQLITE = [
  `create trigger hand_in_is_news after insert on hand_ins begin ${HANDED_IN} end`,
  `create trigger reopening_is_news after update of reopened_at on hand_ins ${IS_REOPENED}
    begin ${REOPENED} end`,
  `create trigger reason_is_news after insert on article_notes ${IS_REASON} begin ${REASON} end`,
  `create trigger note_is_news after insert on article_notes ${IS_NOTE} begin ${NOTE} end`,
]

const noting = (name: string, event: string, when: string, statement: string) => [
  `create function ${name}() returns trigger language plpgsql as $$ begin
    ${statement}
    return null;
  end $$`,
  `create trigger ${name} after ${event} for each row ${when} execute function ${name}()`,
]

const AT_POSTGRES = [
  ...noting('hand_in_is_news', 'insert on hand_ins', '', HANDED_IN),
  ...noting('reopening_is_news', 'update of reopened_at on hand_ins', IS_REOPENED, REOPENED),
  ...noting('reason_is_news', 'insert on article_notes', IS_REASON, REASON),
  ...noting('note_is_news', 'insert on article_notes', IS_NOTE, NOTE),
]

/**
 * Adds mails about articles: what happened and waits to be mailed, the choices of users, and what was mailed. Triggers note
 * what happened, so that a node of an earlier release notes it too.
 */
export async function articleMails(db: Database): Promise<void> {
  await runStatements(db, [...TABLES, ...(isPostgres(db) ? AT_POSTGRES : AT_SQLITE)])
}
