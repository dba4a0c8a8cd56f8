import type { Database } from '../../deps.ts'
import { isPostgres } from '../engine.ts'
import { runStatements } from '../run-statements.ts'

const TABLES = [
  `create table program_tokens (
    id text primary key,
    name text not null,
    digest text not null unique,
    owner_id text not null references users (id) on delete cascade,
    created_at text not null,
    expires_at text not null,
    last_used_on text
  )`,
  'create index program_tokens_by_owner on program_tokens (owner_id)',
  `create table program_token_clients (
    token_id text not null references program_tokens (id) on delete cascade,
    client_id text not null references clients (id),
    primary key (token_id, client_id)
  )`,
  'create index program_token_clients_by_client on program_token_clients (client_id)',
]

const secondsAtSqlite = (at: string) => `unixepoch(${at})`
const secondsAtPostgres = (at: string) => `floor(extract(epoch from ${at}::timestamptz))::bigint`

/** In the order of time, each its millisecond or one more than the position before, whichever is greater. */
const positions = (seconds: string) => [
  'alter table hand_ins add column position bigint',
  `with ranked as (
      select article_id, number, ${seconds} * 1000 as ms,
        row_number() over (order by at, article_id, number) as rank
      from hand_ins
    ), placed as (
      select article_id, number, rank + max(ms - rank) over (order by rank) as position from ranked
    )
    update hand_ins set position = placed.position from placed
    where placed.article_id = hand_ins.article_id and placed.number = hand_ins.number`,
  `insert into meta (key, value)
    select 'hand_in_position', coalesce(max(position), 0) from hand_ins`,
  'create unique index hand_ins_by_position on hand_ins (client_id, position)',
]

const AT_SQLITE = [
  `create trigger hand_in_placed after insert on hand_ins when new.position is null begin
    update meta set value = max(cast(value as integer) + 1, ${secondsAtSqlite('new.at')} * 1000)
    where key = 'hand_in_position';
    update hand_ins set position = (
      select cast(value as integer) from meta where key = 'hand_in_position')
    where article_id = new.article_id and number = new.number;
  end`,
]

const AT_POSTGRES = [
  // The counter's row stays locked until the transaction ends, so positions are committed in their order.
  `create function place_hand_in() returns trigger language plpgsql as $$ begin
    update meta set value = greatest(
      value::bigint + 1, ${secondsAtPostgres('new.at')} * 1000)::text
    where key = 'hand_in_position' returning value::bigint into new.position;
    return new;
  end $$`,
  `create trigger hand_in_placed before insert on hand_ins
    for each row when (new.position is null) execute function place_hand_in()`,
]

/**
 * Adds tokens of programs, and the position of each hand-in in the order in which programs read them: a trigger assigns
 * it, so that a node of an earlier release assigns it too.
 */
export async function handOvers(db: Database): Promise<void> {
  const [seconds, triggers] = isPostgres(db)
    ? [secondsAtPostgres('at'), AT_POSTGRES]
    : [secondsAtSqlite('at'), AT_SQLITE]
  await runStatements(db, [...TABLES, ...positions(seconds), ...triggers])
}
