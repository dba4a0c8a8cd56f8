import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Database } from '../../deps.ts'
import { coalesced } from '../../events/coalesced.ts'
import type { DatabaseSources } from '../open-database.ts'

/** Channel that notifies every node of committed changes. */
export const CHANGES_CHANNEL = 'contun_changes'
/** Advisory lock of the agency, which every transaction that writes takes first. The number is arbitrary. */
export const AGENCY_LOCK = 4_021_955
/** The start of the statement that records a change. */
export const NOTE_CHANGE = 'insert into new_changes'
/** Rows are counted together once in this many changes of a node. */
const CHANGES_TO_TIDY = 100
/** Number of changes that are kept. */
const CHANGES_KEPT = 1_000

/** Selects from `pg_locks` who has the lock of the agency of this database, and who waits for it. */
export const OF_AGENCY = `locktype = 'advisory' and classid = 0 and objid = ${AGENCY_LOCK} and objsubid = 1
      and database = (select oid from pg_database where datname = current_database())`
const AGENCY = `granted and ${OF_AGENCY}`

/**
 * Numbers of changes. A writer only inserts a row, with the id of its transaction. The rows of transactions below the
 * oldest writer that is still open are certain: none is added among them any more. In the order of transactions and rows
 * they continue the numbers of `changes`, whose last one is `change_seq` in `meta`. An update of that row, also by a
 * node of an earlier release, moves what is certain into `changes`; the numbers stay what they were.
 */
export const CHANGE_FUNCTIONS = [
  // Read in this order: a transaction that is no longer seen among the open ones is seen by the next statement. Ids of
  // open transactions have 32 bits, and are near the next id.
  `create or replace function certain_below() returns xid8 language plpgsql as $$
  declare
    upcoming bigint := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
    oldest bigint;
  begin
    if pg_is_in_recovery() then
      return pg_snapshot_xmin(pg_current_snapshot());
    end if;
    if exists (select 1 from pg_locks
      where pid = pg_backend_pid() and mode = 'ExclusiveLock' and ${AGENCY}) then
      return '18446744073709551615'::xid8;
    end if;
    -- Without this a transaction sees the open ones as it saw them first.
    perform pg_stat_clear_snapshot();
    select min(upcoming - 2147483648
        + (backend_xid::text::bigint - upcoming % 4294967296 + 6442450944) % 4294967296)
      into oldest from pg_locks join pg_stat_activity using (pid)
      where backend_xid is not null and ${AGENCY};
    return least(upcoming, oldest)::text::xid8;
  end $$`,

  `create or replace function change_state(out epoch text, out seq bigint) language plpgsql as $$
  declare
    noted bigint;
    certain bigint;
    below xid8;
  begin
    select (select value from meta where key = 'server_epoch'),
        (select value::numeric from meta where key = 'change_seq'), count(*),
        count(*) filter (where writer < pg_snapshot_xmin(pg_current_snapshot()))
      into epoch, seq, noted, certain from new_changes;
    if certain < noted then
      below := certain_below();
      select (select value::numeric from meta where key = 'change_seq'), count(*)
        into seq, certain from new_changes where writer < below;
    end if;
    seq := seq + certain;
  end $$`,

  `create or replace function changes_after(since bigint)
  returns table (seq bigint, article_id text) language plpgsql as $$
  declare
    below xid8 := certain_below();
  begin
    return query
      select numbered.* from (
        select changes.seq::bigint as number, changes.article_id from changes
        union all
        select (select value::numeric from meta where key = 'change_seq')::bigint
            + row_number() over (order by writer, id), new_changes.article_id
          from new_changes where writer < below
      ) as numbered where number > since order by number;
  end $$`,

  `create or replace function number_changes() returns trigger language plpgsql as $$
  declare
    below xid8 := certain_below();
    moved bigint;
  begin
    with certain as (delete from new_changes where writer < below returning writer, id, article_id),
    numbered as (
      insert into changes (seq, article_id)
      select old.value::numeric + row_number() over (order by writer, id), article_id from certain
      returning 1
    )
    select count(*) into moved from numbered;
    new.value := (new.value::numeric::bigint + moved)::text;
    delete from changes where seq <= new.value::bigint - ${CHANGES_KEPT};
    return new;
  end $$`,

  `create or replace trigger changes_numbered before update on meta
    for each row when (new.key = 'change_seq') execute function number_changes()`,
]

/**
 * Numbers the certain changes, and adds up the rows of counts. What another node is adding up is left to it. Call it
 * inside a transaction.
 */
export async function tidyChanges(inside: Database): Promise<void> {
  await sql`update meta set value = value where key = (
    select key from meta where key = 'change_seq' for update skip locked)`.execute(inside)
  await sql`with gone as (
      delete from article_counts where ctid in (
        select ctid from article_counts where (client_id, completed, has_entities) in (
          select client_id, completed, has_entities from article_counts group by 1, 2, 3 having count(*) > 1
        ) for update skip locked)
      returning client_id, completed, has_entities, articles)
    insert into article_counts (client_id, completed, has_entities, articles)
      select client_id, completed, has_entities, sum(articles) from gone group by 1, 2, 3`.execute(
    inside,
  )
  await sql`with gone as (
      delete from name_changes where id in (select id from name_changes for update skip locked) returning 1)
    update meta set value = cast(cast(value as bigint) + (select count(*) from gone) as text)
      where key = 'names_seq' and exists (select 1 from gone)`.execute(inside)
}

/**
 * Returns what a node calls after each commit with a change: it notifies all nodes, and tidies now and then. Nothing
 * waits for it, and faults are ignored: nodes also look regularly, and the next call tidies.
 */
export function changeNotifier(
  pool: Pool,
  pause: DatabaseSources['pause'],
  tidy: () => Promise<void>,
): () => void {
  let untidied = 0
  const notify = coalesced(async () => {
    await pool.query(`select pg_notify('${CHANGES_CHANNEL}', '')`)
    if (untidied >= CHANGES_TO_TIDY) {
      untidied = 0
      await tidy()
    }
    // Many commits at once share a notification.
    await pause(1)
  })
  return () => {
    untidied += 1
    notify().catch(() => {})
  }
}
