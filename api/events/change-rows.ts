import { type RawBuilder, sql } from 'kysely'
import { isPostgres } from '../database/engine.ts'
import { prepared, preparedByKey } from '../database/prepared.ts'
import type { ChangeRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'

/** Number of changes that are kept for single notification; a client that missed more reloads everything. */
const CHANGES_KEPT = 1_000
/** Number of changes beyond the limit that are deleted at once. */
const FORGOTTEN_AT_ONCE = 100

/** `epoch` names the history of the data, `seq` counts the changes in it. */
export type ServerState = { epoch: string; seq: number }

/** A change as a listener needs it. Without `article`, access to articles or a list may have changed. */
export type Change = {
  seq: number
  article: {
    id: string
    version: number
    textVersion: number
    notes: number
    /** The counter of its plan; null without one. */
    plan: number | null
    clientId: string | null
  } | null
}

/**
 * Records one more change. Call it inside the transaction that makes it. `articleId` is null when the change is not the
 * content of one article, but access to articles or the name of a client. PostgreSQL numbers it later
 * (database/postgres-changes.ts).
 */
export async function countChange(db: Database, articleId: string | null): Promise<void> {
  if (isPostgres(db)) {
    await noteUnnumbered(db, { articleId })
    return
  }
  const seq = await countOn(db, 1)
  await noteChange(db, { seq, articleId })
}

/** Records several changes of one transaction, in this order, as `countChange` records one. */
export async function countChanges(
  db: Database,
  articleIds: readonly (string | null)[],
): Promise<void> {
  if (articleIds.length === 0) return
  if (isPostgres(db)) return noteChanges(db, articleIds)
  const first = (await countOn(db, articleIds.length)) - articleIds.length + 1
  const rows = articleIds.map((article_id, at) => ({ seq: first + at, article_id }))
  await db.insertInto('changes').values(rows).execute()
}

const noteUnnumbered = preparedByKey(
  (_db, given: { articleId: string | null }) =>
    sql`insert into new_changes (article_id) values (${given.articleId})`,
)

async function noteChanges(db: Database, articleIds: readonly (string | null)[]): Promise<void> {
  const rows = articleIds.map((id) => sql`(${id})`)
  await sql`insert into new_changes (article_id) values ${sql.join(rows)}`.execute(db)
}

/** Counts so many changes, and returns the number of the last. */
async function countOn(db: Database, by: number): Promise<number> {
  const [counter] = await addToCount(db, { by })
  const last = Number(counter?.value)
  if (last % FORGOTTEN_AT_ONCE < by) await forgetChanges(db, { until: last - CHANGES_KEPT })
  return last
}

/** The cast: SQLite binds every number as a floating-point value, and would store '2.0'. */
const addToCount = prepared((db, given: { by: number }) =>
  db
    .updateTable('meta')
    .set(({ eb, cast, val }) => {
      const count = cast(cast('value', 'numeric'), 'bigint')
      return { value: cast(eb(count, '+', cast(val(given.by), 'bigint')), 'text') }
    })
    .where('key', '=', 'change_seq')
    .returning('value'),
)
const noteChange = prepared((db, given: { seq: number; articleId: string | null }) =>
  db.insertInto('changes').values({ seq: given.seq, article_id: given.articleId }),
)
const forgetChanges = prepared((db, given: { until: number }) =>
  db.deleteFrom('changes').where('seq', '<=', given.until),
)

export async function readState(db: Database): Promise<ServerState> {
  return stateFrom((await readStateColumn(db, {}))[0]?.state ?? null)
}

const readStateColumn = preparedByKey((db) => db.selectNoFrom(stateColumn(db).as('state')))

/** The state as one column, which a statement about something else can read with it; see `stateFrom`. */
export const stateColumn = (db: Database): RawBuilder<string | null> =>
  isPostgres(db)
    ? sql`(select seq || ' ' || epoch from change_state())`
    : sql`(select seq.value || ' ' || epoch.value from meta as seq, meta as epoch
        where seq.key = 'change_seq' and epoch.key = 'server_epoch')`

export function stateFrom(column: string | null): ServerState {
  const [seq = '', ...epoch] = (column ?? '0 ').split(' ')
  return { seq: Number(seq), epoch: epoch.join(' ') }
}

/** The kept changes after `seq`, oldest first. */
export async function listChanges(db: Database, seq: number): Promise<ChangeRow[]> {
  if (!isPostgres(db)) {
    return db.selectFrom('changes').selectAll().where('seq', '>', seq).orderBy('seq').execute()
  }
  const { rows } = await sql<ChangeRow>`
    select seq, article_id from changes_after(${seq})`.execute(db)
  return rows
}

/** The kept changes after `seq` as a table of the name `changes`. */
export async function tableOfChanges(db: Database, seq: number) {
  if (!isPostgres(db)) return sql<ChangeRow>`changes`.as('changes')
  const rows = await listChanges(db, seq)
  // By its own statement, which sees all that these changes changed.
  return sql<ChangeRow>`json_to_recordset(${JSON.stringify(rows)})`.as<'changes'>(
    sql`changes (seq bigint, article_id text collate "C")`,
  )
}

/** Every kept change after `seq`, oldest first. The article is null when it was deleted since. */
export async function changesSince(db: Database, seq: number): Promise<Change[]> {
  const rows = await db
    .selectFrom(await tableOfChanges(db, seq))
    .leftJoin('articles', 'articles.id', 'changes.article_id')
    .select(['changes.seq', 'articles.id', 'articles.client_id as clientId'])
    .leftJoin('article_marks as marks', 'marks.article_id', 'changes.article_id')
    .select(['articles.version', 'articles.text_version as textVersion'])
    .select(['marks.notes', 'marks.plan_counter'])
    .where('changes.seq', '>', seq)
    .orderBy('changes.seq')
    .execute()
  return rows.map(({ seq, id, version, textVersion, notes, plan_counter, clientId }) => {
    const isThere = id !== null && version !== null && textVersion !== null
    const marks = { notes: notes ?? 0, plan: plan_counter || null }
    return { seq, article: isThere ? { id, version, textVersion, ...marks, clientId } : null }
  })
}

/** Ids of the users of these clients. */
export async function membersOf(
  db: Database,
  clientIds: readonly string[],
): Promise<Map<string, Set<string>>> {
  const members = new Map<string, Set<string>>(clientIds.map((id) => [id, new Set()]))
  if (clientIds.length === 0) return members
  const rows = await db
    .selectFrom('client_users')
    .select(['client_id', 'user_id'])
    .where('client_id', 'in', clientIds)
    .execute()
  for (const { client_id, user_id } of rows) members.get(client_id)?.add(user_id)
  return members
}
