import { sql } from 'kysely'
import type { Database } from '../../deps.ts'
import { isPostgres } from '../engine.ts'
import { runStatements } from '../run-statements.ts'
import type { MigrationSources } from './migrate.ts'

/** '' is no date or no time, as indexes and keys compare it; `due_last` has a late date instead. */
const TABLES = [
  `create table article_standing (
    article_id text primary key,
    version integer not null,
    plan_counter integer not null,
    must_used integer,
    must_total integer,
    words integer not null,
    name_folded text not null,
    client_id text,
    state text not null,
    due_on text not null,
    due_last text not null,
    last_words_at text not null,
    risk text not null,
    counted_at text not null
  )`,
  // The rows of '' count all, those of '-' the articles without a client.
  `create table standing_counts (
    client_id text not null,
    state text not null,
    due_on text not null,
    articles integer not null,
    primary key (client_id, state, due_on)
  )`,
]

const ORDERS = ['risk', 'words', 'last_words_at', 'due_on', 'due_last']

/** Each index of an order includes what lists filter by, so a page is found without reading rows (decision 006). */
const INDEXES = [
  ...ORDERS.map(
    (order) => `create index standing_by_${order} on article_standing (${order}, article_id,
      client_id, name_folded, state${order === 'due_on' ? '' : ', due_on'}${order === 'risk' ? '' : ', risk'})`,
  ),
  `create index standing_by_name on article_standing (name_folded, article_id, client_id, state, due_on, risk)`,
  `create index standing_by_client on article_standing (client_id, risk, article_id,
    name_folded, state, due_on, due_last, words, last_words_at)`,
  `create index standing_by_state on article_standing (state, risk, article_id,
    client_id, name_folded, due_on, due_last, words, last_words_at)`,
]

/** What is known of an article without reading its text; the job counts the rest. */
const UNCOUNTED = `(article_id, version, plan_counter, words, name_folded, client_id, state,
    due_on, due_last, last_words_at, risk, counted_at)`
const uncounted = (
  row: string,
) => `${row}.id, 0, 0, ${row}.words, ${row}.name_folded, ${row}.client_id,
    case when ${row}.completed = 1 then 'complete' when ${row}.words = 0 then 'not-begun'
      when ${row}.words > ${row}.word_minimum then 'long-enough' else 'being-written' end,
    '', '9999-12-31', '', case when ${row}.completed = 1 then '2' else '1~' end, ${row}.updated_at`

/** A month is found by its times and summed from the index. `words` is null without a receipt. */
const handInStatements = (fact: (name: string) => string) => [
  'alter table hand_ins add column words integer',
  'alter table hand_ins add column word_minimum integer',
  `update hand_ins set words = ${fact('words')}, word_minimum = ${fact('wordMinimum')}
    where receipt is not null`,
  'drop index hand_ins_by_time',
  'create index hand_ins_by_time on hand_ins (at, article_id, number, client_id, words, word_minimum)',
  'create index hand_ins_by_client on hand_ins (client_id, at, article_id, number, words, word_minimum)',
]

/** Rows without articles go, so that there are few to sum, however many dates pass. */
const countLess = (client: string) => `update standing_counts set articles = articles - 1
      where client_id = ${client} and state = old.state and due_on = old.due_on;
    delete from standing_counts
      where client_id = ${client} and state = old.state and due_on = old.due_on and articles = 0;`
/** `where true` keeps SQLite from reading the conflict clause as part of a join. */
const countMore = (
  client: string,
) => `insert into standing_counts (client_id, state, due_on, articles)
      select ${client}, new.state, new.due_on, 1 where true
      on conflict (client_id, state, due_on) do update set articles = standing_counts.articles + 1;`
const LESS = `${countLess("''")}
    ${countLess("coalesce(old.client_id, '-')")}`
const MORE = `${countMore("''")}
    ${countMore("coalesce(new.client_id, '-')")}`

const AT_SQLITE = [
  `create trigger standing_added after insert on article_standing begin ${MORE} end`,
  `create trigger standing_removed after delete on article_standing begin ${LESS} end`,
  `create trigger standing_moved after update of client_id, state, due_on on article_standing
  when old.client_id is not new.client_id or old.state <> new.state or old.due_on <> new.due_on begin
    ${LESS}
    ${MORE}
  end`,
  `create trigger standing_begun after insert on articles begin
    insert into article_standing ${UNCOUNTED} values (${uncounted('new')});
  end`,
  `create trigger standing_ended after delete on articles begin
    delete from article_standing where article_id = old.id;
  end`,
  `create trigger hand_in_measured after insert on hand_ins when new.receipt is not null begin
    update hand_ins set words = json_extract(receipt, '$.words'),
      word_minimum = json_extract(receipt, '$.wordMinimum')
    where article_id = new.article_id and number = new.number;
  end`,
]

const AT_POSTGRES = [
  `create function count_standing() returns trigger language plpgsql as $$ begin
    if tg_op <> 'INSERT' then
      ${LESS}
    end if;
    if tg_op <> 'DELETE' then
      ${MORE}
    end if;
    return null;
  end $$`,
  `create trigger standing_added after insert or delete on article_standing
    for each row execute function count_standing()`,
  `create trigger standing_moved after update of client_id, state, due_on on article_standing
    for each row when (old.client_id is distinct from new.client_id or old.state <> new.state
      or old.due_on <> new.due_on) execute function count_standing()`,
  `create function keep_standing() returns trigger language plpgsql as $$ begin
    if tg_op = 'INSERT' then
      insert into article_standing ${UNCOUNTED} values (${uncounted('new')});
    else
      delete from article_standing where article_id = old.id;
    end if;
    return null;
  end $$`,
  `create trigger standing_kept after insert or delete on articles
    for each row execute function keep_standing()`,
  `create function measure_hand_in() returns trigger language plpgsql as $$ begin
    new.words := new.receipt::json->>'words';
    new.word_minimum := new.receipt::json->>'wordMinimum';
    return new;
  end $$`,
  `create trigger hand_in_measured before insert on hand_ins
    for each row when (new.receipt is not null) execute function measure_hand_in()`,
]

/**
 * Adds the standing of every article, which begins and ends with the article and is counted afterwards
 * (api/progress/count-standing.ts), and what a month of hand-ins is summed by.
 */
export async function articleStanding(db: Database, { now }: MigrationSources): Promise<void> {
  const fact = (name: string) =>
    isPostgres(db) ? `(receipt::json->>'${name}')::integer` : `json_extract(receipt, '$.${name}')`
  await runStatements(db, [
    ...TABLES,
    `insert into article_standing ${UNCOUNTED} select ${uncounted('articles')} from articles`,
    `insert into standing_counts
      select '', state, due_on, count(*) from article_standing group by state, due_on`,
    `insert into standing_counts
      select coalesce(client_id, '-'), state, due_on, count(*)
      from article_standing group by coalesce(client_id, '-'), state, due_on`,
    ...INDEXES,
    ...handInStatements(fact),
    ...(isPostgres(db) ? AT_POSTGRES : AT_SQLITE),
  ])
  await sql`insert into meta (key, value)
    select 'standing_seq', value from meta where key = 'change_seq'`.execute(db)
  await sql`insert into meta (key, value) values ('standing_turn', '')`.execute(db)
  await sql`insert into meta (key, value) values ('standing_sweep', ${JSON.stringify({ since: now, after: '' })})`.execute(
    db,
  )
}
