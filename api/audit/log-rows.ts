import { sql } from 'kysely'
import { LOG_KINDS, type LogAction, type LogFilter } from '../../domain/wire/log.ts'
import { isPostgres } from '../database/engine.ts'
import { nearerSpan } from '../database/listing-rows.ts'
import { AUDIT_NAMES, type NameSearch, nameSearch } from '../database/name-search.ts'
import type { AuditRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'
import type { AuditDetail } from './audit-rows.ts'

export type AuditEntryRow = Omit<
  AuditRow,
  'detail' | 'subject_name_folded' | 'folded_into' | 'action'
> & {
  action: LogAction
  detail: AuditDetail
}
type LogPage = { entries: AuditEntryRow[]; total: number }

/** Up to this many, reading entries by the index of their filter and sorting them is faster than reading all in order. */
const FEW = 3_000

/** One page of the log, newest first, with the number of all entries that match. */
export async function listLog(
  db: Database,
  filter: LogFilter,
  page: { page: number; limit: number },
): Promise<LogPage> {
  const search = filter.name ? await nameSearch(db, filter.name, undefined, AUDIT_NAMES) : null
  const total = await count(db, filter, search)
  const { offset, length, isBackwards } = nearerSpan(page, total)
  if (length === 0) return { entries: [], total }
  const ids = await matching(db, filter, search, total > FEW)
    .select('audit.id')
    .orderBy('audit.id', isBackwards ? 'asc' : 'desc')
    .limit(length)
    .offset(offset)
    .execute()
  return {
    entries: await entriesOf(
      db,
      ids.map(({ id }) => id),
    ),
    total,
  }
}

/** The latest entry of an action of this user on a subject. */
export async function lastChange(
  db: Database,
  subjectId: string,
  action: LogAction,
  actorId: string,
): Promise<{ at: string; detail: AuditDetail } | undefined> {
  const row = await db
    .selectFrom('audit')
    .select(['at', 'detail'])
    .where('subject_id', '=', subjectId)
    .where('action', '=', action)
    .where('actor_id', '=', actorId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { at: row.at, detail: JSON.parse(row.detail) }
}

async function count(db: Database, filter: LogFilter, search: NameSearch | null): Promise<number> {
  const { name: _, ...others } = filter
  const isOfAll = Object.values(others).every((value) => !value)
  const counted = matching(db, filter, search).select(({ fn }) => fn.countAll().as('total'))
  const query = isOfAll && search?.total ? db.selectNoFrom(search.total.as('total')) : counted
  const { total } = await query.executeTakeFirstOrThrow()
  return Number(total)
}

/** `isInOrder`: all entries are read by the index of ids, and kinds are compared there. */
function matching(
  db: Database,
  { userId, articleId, kind, before, folded, foldedInto }: LogFilter,
  search: NameSearch | null,
  isInOrder = false,
) {
  let query = db.selectFrom('audit')
  if (search !== null) query = query.where(search.holds)
  if (userId !== undefined) query = query.where('actor_id', '=', userId)
  if (articleId !== undefined) query = query.where('subject_id', '=', articleId)
  if (before !== undefined) query = query.where('audit.id', '<', before)
  if (folded) query = query.where('folded_into', 'is', null)
  if (foldedInto !== undefined) query = query.where('folded_into', '=', foldedInto)
  if (kind === undefined) return query
  const actions: readonly string[] = LOG_KINDS[kind]
  // A unary plus keeps SQLite from the index of the actions: it has several of them one after the other, and no names.
  const isCompared = search !== null || (isInOrder && actions.length > 1)
  const sign = sql.raw(isCompared && !isPostgres(db) ? '+' : '')
  return query.where(sql<boolean>`${sign}audit.action in (${sql.join(actions)})`)
}

async function entriesOf(db: Database, ids: readonly string[]): Promise<AuditEntryRow[]> {
  const rows = await db
    .selectFrom('audit')
    .select([
      'id',
      'at',
      'actor_id',
      'action',
      'subject_id',
      'detail',
      'actor_name',
      'subject_name',
    ])
    .where('id', 'in', ids)
    .execute()
  return rows
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .map((row) => ({
      ...row,
      action: row.action as LogAction,
      detail: JSON.parse(row.detail) as AuditDetail,
    }))
}
