import type { Database } from '../../deps.ts'
import { isPostgres } from '../engine.ts'
import { runStatements } from '../run-statements.ts'

/** How many notes of this article are open: the last change in the order of the server is the state of a note. */
const openNotesOf = (article: string) => `(select count(*) from article_notes note
    where note.article_id = ${article} and note.anchor is not null
      and coalesce((select change.kind from article_notes change
        where change.article_id = ${article} and change.about = coalesce(note.ref, note.id)
          and change.kind in ('done', 'open')
        order by change.id desc limit 1), 'open') = 'open')`

const COUNT = `insert into article_marks (article_id, open_notes)
      values (new.article_id, ${openNotesOf('new.article_id')})
      on conflict (article_id) do update set open_notes = excluded.open_notes;`

const IS_COUNTED = `new.kind in ('note', 'done', 'open', 'taken-back')`

const AT_SQLITE = [
  `create trigger note_opened after insert on article_notes when ${IS_COUNTED} begin ${COUNT} end`,
]

const AT_POSTGRES = [
  `create function note_opened() returns trigger language plpgsql as $$ begin
    ${COUNT}
    return null;
  end $$`,
  `create trigger note_opened after insert on article_notes for each row when (${IS_COUNTED})
    execute function note_opened()`,
]

/** The number of open notes, next to the other marks of an article. Only notes about words have an anchor, until they are taken back. */
export async function openNotes(db: Database): Promise<void> {
  await runStatements(db, [
    'create index article_notes_about_words on article_notes (article_id) where anchor is not null',
    'create index article_notes_by_about on article_notes (article_id, about, id) where about is not null',
    'alter table article_marks add column open_notes integer not null default 0',
    `update article_marks set open_notes = ${openNotesOf('article_marks.article_id')}`,
    ...(isPostgres(db) ? AT_POSTGRES : AT_SQLITE),
  ])
}
