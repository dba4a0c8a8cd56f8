import type { Database } from '../../deps.ts'
import { isPostgres } from '../engine.ts'
import { runStatements } from '../run-statements.ts'

const COUNT_CHANGE = `update meta set value = value + 1 where key = 'names_seq'`
const COUNT_LESS = (row: string) =>
  `update article_counts set articles = articles - 1 where client_id = ${row}`
/** A client that had no article yet has no row. */
const COUNT_MORE = (row: string) => `insert into article_counts (client_id, articles)
      select ${row}, 1 where ${row} is not null
      on conflict (client_id) do update set articles = articles + 1`

/** How many articles each client has. The row of '' counts all. */
const COUNTS = [
  'create table article_counts (client_id text primary key, articles integer not null)',
  `insert into article_counts select '', count(*) from articles`,
  `insert into article_counts
    select client_id, count(*) from articles where client_id is not null group by client_id`,

  // Counts whatever makes other articles match a search.
  `insert into meta (key, value) values ('names_seq', '0')`,
]

const AT_SQLITE = [
  // Every three letters in a row of a folded name, so that a part of a name is found without reading all names. Its
  // rows have the rowid of their article. That stays as it is: a table with indexes keeps it even through a VACUUM.
  `create virtual table article_names using fts5(
    name_folded, content='', contentless_delete=1, tokenize='trigram case_sensitive 1'
  )`,
  'insert into article_names (rowid, name_folded) select rowid, name_folded from articles',

  `create trigger article_added after insert on articles begin
    insert into article_names (rowid, name_folded) values (new.rowid, new.name_folded);
    ${COUNT_MORE("''")};
    ${COUNT_MORE('new.client_id')};
    ${COUNT_CHANGE};
  end`,
  `create trigger article_removed after delete on articles begin
    delete from article_names where rowid = old.rowid;
    ${COUNT_LESS("''")};
    ${COUNT_LESS('old.client_id')};
    ${COUNT_CHANGE};
  end`,
  `create trigger article_renamed after update of name_folded on articles
  when old.name_folded <> new.name_folded begin
    update article_names set name_folded = new.name_folded where rowid = old.rowid;
    ${COUNT_CHANGE};
  end`,
  `create trigger article_moved after update of client_id on articles
  when old.client_id is not new.client_id begin
    ${COUNT_LESS('old.client_id')};
    ${COUNT_MORE('new.client_id')};
    ${COUNT_CHANGE};
  end`,
]

const AT_POSTGRES = [
  `create function count_articles() returns trigger language plpgsql as $$ begin
    if tg_op <> 'UPDATE' then
      update article_counts
        set articles = articles + case tg_op when 'INSERT' then 1 else -1 end where client_id = '';
    end if;
    if tg_op <> 'INSERT' then
      update article_counts set articles = articles - 1 where client_id = old.client_id;
    end if;
    if tg_op <> 'DELETE' then
      insert into article_counts select new.client_id, 1 where new.client_id is not null
        on conflict (client_id) do update set articles = article_counts.articles + 1;
    end if;
    return null;
  end $$`,
  `create function count_names() returns trigger language plpgsql as $$ begin
    update meta set value = cast(cast(value as bigint) + 1 as varchar) where key = 'names_seq';
    return null;
  end $$`,
  `create trigger article_added after insert or delete on articles
    for each row execute function count_articles()`,
  `create trigger article_moved after update of client_id on articles
    for each row when (old.client_id is distinct from new.client_id)
    execute function count_articles()`,
  `create trigger names_added after insert or delete on articles
    for each row execute function count_names()`,
  `create trigger names_changed after update of client_id, name_folded on articles
    for each row when (old.client_id is distinct from new.client_id or old.name_folded <> new.name_folded)
    execute function count_names()`,
]

/** Index and counts for the search by part of a name and the totals of lists, maintained by triggers. */
export async function articleNames(db: Database): Promise<void> {
  await runStatements(db, [...COUNTS, ...(isPostgres(db) ? AT_POSTGRES : AT_SQLITE)])
}
