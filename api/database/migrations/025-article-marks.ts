import type { Database } from '../../deps.ts'
import { isPostgres } from '../engine.ts'
import { runStatements } from '../run-statements.ts'

/** Of the latest hand-in, the notes and the plan. No reference to articles: a deleted one has them when it is brought back. */
const TABLE = `create table article_marks (
    article_id text primary key,
    hand_ins integer not null default 0,
    handed_in_at text,
    handed_in_by text,
    notes integer not null default 0,
    plan_counter integer not null default 0,
    due_on text
  )`

const FILL = `insert into article_marks
  select marked.article_id, coalesce(last.number, 0), last.at, last.user_id,
    (select count(*) from article_notes where article_notes.article_id = marked.article_id),
    coalesce(plan.counter, 0), plan.due_on
  from (
    select article_id from hand_ins union select article_id from article_notes
    union select article_id from article_plans
  ) marked
  left join article_plans plan on plan.article_id = marked.article_id
  left join hand_ins last on last.article_id = marked.article_id and last.number = (
    select max(number) from hand_ins where hand_ins.article_id = marked.article_id)`

/** Columns after the text: they are read with it alone. */
const REVISION = ['articles', 'deleted_articles'].flatMap((name) => [
  `alter table ${name} add column revision_version integer`,
  `alter table ${name} add column revision_name text`,
  `alter table ${name} add column revision_at text`,
])

const HANDED_IN = `insert into article_marks (article_id, hand_ins, handed_in_at, handed_in_by)
      values (new.article_id, new.number, new.at, new.user_id)
      on conflict (article_id) do update set hand_ins = excluded.hand_ins,
        handed_in_at = excluded.handed_in_at, handed_in_by = excluded.handed_in_by
      where excluded.hand_ins > article_marks.hand_ins;`
const NOTED = `insert into article_marks (article_id, notes) values (new.article_id, 1)
      on conflict (article_id) do update set notes = article_marks.notes + 1;`
const PLANNED = `insert into article_marks (article_id, plan_counter, due_on)
      values (new.article_id, new.counter, new.due_on)
      on conflict (article_id) do update set plan_counter = excluded.plan_counter, due_on = excluded.due_on;`

const LATEST = 'from hand_ins where article_id = old.article_id order by number desc limit 1'
const HAND_IN_GONE = `update article_marks set hand_ins = coalesce((select number ${LATEST}), 0),
        handed_in_at = (select at ${LATEST}), handed_in_by = (select user_id ${LATEST})
      where article_id = old.article_id;`
const NOTE_GONE = 'update article_marks set notes = notes - 1 where article_id = old.article_id;'
const PLAN_GONE =
  'update article_marks set plan_counter = 0, due_on = null where article_id = old.article_id;'

const AT_SQLITE = [
  `create trigger hand_in_marked after insert on hand_ins begin ${HANDED_IN} end`,
  `create trigger note_marked after insert on article_notes begin ${NOTED} end`,
  `create trigger plan_marked after insert on article_plans begin ${PLANNED} end`,
  `create trigger plan_marked_again after update on article_plans begin ${PLANNED} end`,
  `create trigger hand_in_gone after delete on hand_ins begin ${HAND_IN_GONE} end`,
  `create trigger note_gone after delete on article_notes begin ${NOTE_GONE} end`,
  `create trigger plan_gone after delete on article_plans begin ${PLAN_GONE} end`,
]

const marking = (name: string, event: string, on: string, statement: string) => [
  `create function ${name}() returns trigger language plpgsql as $$ begin
    ${statement}
    return null;
  end $$`,
  `create trigger ${name} after ${event} on ${on} for each row execute function ${name}()`,
]

const AT_POSTGRES = [
  ...marking('hand_in_marked', 'insert', 'hand_ins', HANDED_IN),
  ...marking('note_marked', 'insert', 'article_notes', NOTED),
  ...marking('plan_marked', 'insert or update', 'article_plans', PLANNED),
  ...marking('hand_in_gone', 'delete', 'hand_ins', HAND_IN_GONE),
  ...marking('note_gone', 'delete', 'article_notes', NOTE_GONE),
  ...marking('plan_gone', 'delete', 'article_plans', PLAN_GONE),
]

/**
 * What every reader of an article asks for and what rarely changes is in one row for each article, which triggers keep,
 * so that a node of an earlier release and an operator at the database keep it too. Name and time of the current revision
 * are next to the text; `revision_version` is the version of the text that has them, as such a node does not write it.
 */
export async function articleMarks(db: Database): Promise<void> {
  const isOfPostgres = isPostgres(db)
  await runStatements(db, [TABLE, FILL, ...REVISION, ...(isOfPostgres ? AT_POSTGRES : AT_SQLITE)])
}
