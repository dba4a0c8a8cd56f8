import { sql } from 'kysely'
import { foldName } from '../../../domain/names/folded-name.ts'
import type { Database } from '../../deps.ts'
import { isPostgres } from '../engine.ts'
import { runStatements } from '../run-statements.ts'
import type { MigrationSources } from './migrate.ts'

const COLUMNS = [
  'alter table audit add column actor_name text',
  'alter table audit add column subject_name text',
  'alter table audit add column subject_name_folded text',
]

const nameOf = (table: string, column: string, id: string) =>
  `(select ${column} from ${table} where ${table}.id = ${id})`
const subjectOf = (column: string) => `case
    when action like 'user.%' then ${nameOf('users', column, 'subject_id')}
    when action like 'client.%' then ${nameOf('clients', column, 'subject_id')}
    when action like 'article.%' then coalesce(
      ${nameOf('articles', column, 'subject_id')}, ${nameOf('deleted_articles', column, 'subject_id')})
  end`

const NAMES = [
  `update audit set actor_name = ${nameOf('users', 'name', 'actor_id')},
    subject_name = ${subjectOf('name')}, subject_name_folded = ${subjectOf('name_folded')}`,
  `update audit set
    subject_name = ${nameOf('undelivered_texts', 'article_name', 'subject_id')}
    where action like 'undelivered-text.%'`,
  // An undelivered text names its writer and its article, which may be gone.
  `update audit set actor_name = (
      select user_name from undelivered_texts where user_id = actor_id order by id desc limit 1)
    where actor_name is null and actor_id in (select user_id from undelivered_texts)`,
  `update audit set subject_name = (
      select article_name from undelivered_texts where article_id = subject_id order by id desc limit 1)
    where subject_name is null and subject_id in (select article_id from undelivered_texts)`,
]

/** Each index has the id behind what it filters by, so that a page is found without reading or sorting rows. */
const INDEXES = [
  'create index audit_by_id on audit (id, subject_name_folded, action, actor_id)',
  'create index audit_by_actor on audit (actor_id, id, action)',
  'create index audit_by_action on audit (action, id, actor_id)',
]

const AT_SQLITE = [
  // Like article_names: its rows have the rowid of their entry. Entries are never changed or deleted.
  `create virtual table audit_names using fts5(
    subject_name_folded, content='', contentless_delete=1, tokenize='trigram case_sensitive 1'
  )`,
  `insert into audit_names (rowid, subject_name_folded)
    select rowid, subject_name_folded from audit where subject_name_folded is not null`,
  `create trigger audit_added after insert on audit when new.subject_name_folded is not null begin
    insert into audit_names (rowid, subject_name_folded) values (new.rowid, new.subject_name_folded);
  end`,
]

/**
 * Adds the names of actor and subject to the audit, so that they outlive both, with the indexes that the log is read
 * by; and an entry for each merge and restored text of before, which only the revisions had.
 */
export async function auditNames(db: Database, { newId }: MigrationSources): Promise<void> {
  await runStatements(db, COLUMNS)
  await addTextEntries(db, newId)
  await runStatements(db, NAMES)
  await foldNames(db)
  await runStatements(db, [...INDEXES, ...(isPostgres(db) ? [] : AT_SQLITE)])
}

async function foldNames(db: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select distinct subject_name as name from audit where subject_name_folded is null`.execute(db)
  for (const { name } of rows) {
    if (name === null) continue
    await sql`update audit set subject_name_folded = ${foldName(name)}
      where subject_name_folded is null and subject_name = ${name}`.execute(db)
  }
}

type TextRow = {
  article_id: string
  author_id: string | null
  reason: 'merge' | 'restore'
  created_at: string
  other_id: string | null
  other_name: string | null
}

/** Actor of an entry that was made later, of an account that was gone by then. */
const GONE = ''
/** Merges of one sitting are one entry, as they are when they are recorded. */
const SITTING_MS = 30 * 60_000
/** The audit entry of a restored text is of the same transaction. */
const SAME_MS = 5_000

async function addTextEntries(db: Database, newId: () => string): Promise<void> {
  const recorded = await sql<{ subject_id: string; actor_id: string; at: string }>`
    select subject_id, actor_id, at from audit where action = 'article.text-restored'`.execute(db)
  /** Times of the last entries, by what makes two of them one. */
  const known = new Map<string, number[]>()
  const note = (key: string, at: number) => known.set(key, [...(known.get(key) ?? []), at])
  for (const { subject_id, actor_id, at } of recorded.rows) {
    note(`restore ${subject_id} ${actor_id}`, Date.parse(at))
  }
  for (const table of ['article_revisions', 'deleted_revisions']) {
    const { rows } =
      await sql<TextRow>`select text.article_id, text.author_id, text.reason, text.created_at,
        users.id as other_id, users.name as other_name
      from ${sql.table(table)} as text
      left join ${sql.table(table)} as before
        on before.article_id = text.article_id and before.text_version = text.text_version - 1
      left join users on users.id = before.author_id
      where text.reason in ('merge', 'restore')
      order by text.article_id, text.text_version`.execute(db)
    for (const row of rows) {
      const isMerge = row.reason === 'merge'
      const at = Date.parse(row.created_at)
      const key = `${row.reason} ${row.article_id} ${row.author_id ?? GONE}${isMerge ? ` ${row.other_id}` : ''}`
      const within = isMerge ? SITTING_MS : SAME_MS
      if (known.get(key)?.some((time) => Math.abs(at - time) < within)) continue
      note(key, at)
      await addEntry(db, row, idAt(at, newId()))
    }
  }
}

async function addEntry(db: Database, row: TextRow, id: string): Promise<void> {
  const { other_id, other_name } = row
  const [action, detail] =
    row.reason === 'merge'
      ? ['article.merged', { mergedWith: other_id && { id: other_id, name: other_name } }]
      : ['article.text-restored', {}]
  await sql`insert into audit (id, at, actor_id, action, subject_id, detail) values (
    ${id}, ${row.created_at}, ${row.author_id ?? GONE}, ${action}, ${row.article_id}, ${JSON.stringify(detail)}
  )`.execute(db)
}

/** The id with another time in it: entries are read in the order of their ids. */
function idAt(ms: number, id: string): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}${id.slice(13)}`
}
