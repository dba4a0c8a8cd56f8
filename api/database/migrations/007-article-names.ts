import { sql } from 'kysely'
import type { Database } from '../../deps.ts'

const COUNT_CHANGE = `update meta set value = value + 1 where key = 'names_seq'`
const COUNT_LESS = (row: string) =>
  `update article_counts set articles = articles - 1 where client_id = ${row}`
/** A client that had no article yet has no row. */
const COUNT_MORE = (row: string) => `insert into article_counts (client_id, articles)
      select ${row}, 1 where ${row} is not null
      on conflict (client_id) do update set articles = articles + 1`

const statements = [
  // Every three letters in a row of a folded name, so that a part of a name is found without reading all names. Its
  // rows have the rowid of their article. That stays as it is: a table with indexes keeps it even through a VACUUM.
  `create virtual table article_names using fts5(
    name_folded, content='', contentless_delete=1, tokenize='trigram case_sensitive 1'
  )`,
  'insert into article_names (rowid, name_folded) select rowid, name_folded from articles',

  // How many articles each client has. The row of '' counts all.
  'create table article_counts (client_id text primary key, articles integer not null)',
  `insert into article_counts select '', count(*) from articles`,
  `insert into article_counts
    select client_id, count(*) from articles where client_id is not null group by client_id`,

  // Counts whatever makes other articles match a search.
  `insert into meta (key, value) values ('names_seq', '0')`,

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

/** What a search for a part of a name and the total of a list are answered from, kept by the rows themselves. */
export async function articleNames(db: Database): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
