import type { Database } from '../../deps.ts'
import { isPostgres } from '../engine.ts'
import { runStatements } from '../run-statements.ts'

/** The column comes after the text in the row, so it is read through an index only. */
const COLUMNS = [
  'alter table articles add column has_entities integer not null default 0',
  `update articles set has_entities = 1 where keyword_list <> '[]'`,
  'alter table deleted_articles add column has_entities integer not null default 0',
  `update deleted_articles set has_entities = 1 where keyword_list <> '[]'`,
]

/** Each index of an order includes the filtered states, so a page is found without reading rows. */
const INDEXES = [
  ...['id', 'name', 'client_name', 'completion', 'creation', 'minimum', 'update', 'client'].map(
    (order) => `drop index articles_by_${order}`,
  ),
  'create index articles_by_id on articles (id, client_id, name_folded, completed, has_entities)',
  'create index articles_by_name on articles (name_folded, id, client_id, completed, has_entities)',
  `create index articles_by_client_name on articles (client_name_folded, id, client_id, name_folded, completed,
    has_entities)`,
  'create index articles_by_completion on articles (completed, id, client_id, name_folded, has_entities)',
  'create index articles_by_creation on articles (created_at, id, client_id, name_folded, completed, has_entities)',
  'create index articles_by_minimum on articles (word_minimum, id, client_id, name_folded, completed, has_entities)',
  'create index articles_by_update on articles (updated_at, id, client_id, name_folded, completed, has_entities)',
  `create index articles_by_client on articles (client_id, updated_at, id,
    name_folded, client_name_folded, completed, created_at, word_minimum, has_entities)`,
  // A partial index for every order. It has few rows, and saves rarely touch it.
  `create index articles_without_entities on articles (completed, id, client_id, name_folded, client_name_folded,
    created_at, updated_at, word_minimum) where has_entities = 0`,
]

/**
 * How many articles each client has in each state. The rows of '' count all, those of '-' the ones without a client.
 */
const COUNTS = [
  'drop table article_counts',
  `create table article_counts (
    client_id text not null,
    completed integer not null,
    has_entities integer not null,
    articles integer not null,
    primary key (client_id, completed, has_entities)
  )`,
  `insert into article_counts
    select '', completed, has_entities, count(*) from articles group by completed, has_entities`,
  `insert into article_counts
    select coalesce(client_id, '-'), completed, has_entities, count(*)
    from articles group by coalesce(client_id, '-'), completed, has_entities`,
]

const countLess = (client: string) =>
  `update article_counts set articles = articles - 1
      where client_id = ${client} and completed = old.completed and has_entities = old.has_entities;`
/**
 * A state that no article of the client had before has no row. `where true` keeps SQLite from reading the conflict
 * clause as part of a join.
 */
const countMore = (client: string) =>
  `insert into article_counts (client_id, completed, has_entities, articles)
      select ${client}, new.completed, new.has_entities, 1 where true
      on conflict (client_id, completed, has_entities) do update set articles = article_counts.articles + 1;`
const LESS = `${countLess("''")}
    ${countLess("coalesce(old.client_id, '-')")}`
const MORE = `${countMore("''")}
    ${countMore("coalesce(new.client_id, '-')")}`

const SQLITE_NAMES_SEQ = `update meta set value = value + 1 where key = 'names_seq';`
const AT_SQLITE = [
  'drop trigger article_added',
  'drop trigger article_removed',
  'drop trigger article_moved',
  `create trigger article_added after insert on articles begin
    insert into article_names (rowid, name_folded) values (new.rowid, new.name_folded);
    ${MORE}
    ${SQLITE_NAMES_SEQ}
  end`,
  `create trigger article_removed after delete on articles begin
    delete from article_names where rowid = old.rowid;
    ${LESS}
    ${SQLITE_NAMES_SEQ}
  end`,
  `create trigger article_moved after update of client_id, completed, has_entities on articles
  when old.client_id is not new.client_id or old.completed <> new.completed
    or old.has_entities <> new.has_entities begin
    ${LESS}
    ${MORE}
    ${SQLITE_NAMES_SEQ}
  end`,
]

const IS_MOVED = `old.client_id is distinct from new.client_id or old.completed <> new.completed
      or old.has_entities <> new.has_entities`
const AT_POSTGRES = [
  `create or replace function count_articles() returns trigger language plpgsql as $$ begin
    if tg_op <> 'INSERT' then
      ${LESS}
    end if;
    if tg_op <> 'DELETE' then
      ${MORE}
    end if;
    return null;
  end $$`,
  'drop trigger article_moved on articles',
  'drop trigger names_changed on articles',
  `create trigger article_moved after update of client_id, completed, has_entities on articles
    for each row when (${IS_MOVED}) execute function count_articles()`,
  `create trigger names_changed after update of client_id, name_folded, completed, has_entities on articles
    for each row when (${IS_MOVED} or old.name_folded <> new.name_folded)
    execute function count_names()`,
]

/** Adds the states that lists filter and count by: completion, entities, client. */
export async function articleStates(db: Database): Promise<void> {
  const triggers = isPostgres(db) ? AT_POSTGRES : AT_SQLITE
  await runStatements(db, [...COLUMNS, ...INDEXES, ...COUNTS, ...triggers])
}
