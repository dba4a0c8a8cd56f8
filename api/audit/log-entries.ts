import type { LogEntry, LogPeople } from '../../domain/wire/log.ts'
import type { Database } from '../deps.ts'
import type { AuditEntryRow } from './log-rows.ts'

/** Accounts named of a list of them. */
const NAMED_MAX = 5
/** A completion and its hand-in are of one transaction. */
const SAME_MS = 5_000

/** `isOfAgency`: with what only admins may read. */
export async function logEntries(
  db: Database,
  rows: readonly AuditEntryRow[],
  { isOfAgency }: { isOfAgency: boolean },
): Promise<LogEntry[]> {
  const names = await namesIn(db, rows)
  const handIns = await handInsOf(db, rows)
  const isGone = await goneArticles(db, rows)
  return rows.map((row): LogEntry => {
    const { clientId, formerClientId, added, removed, ...said } = row.detail
    const handIn = said.handIn ?? handIns(row)
    return {
      id: row.id,
      at: row.at,
      action: row.action,
      by: row.actor_id === null ? null : { id: row.actor_id, name: names.actor(row) },
      subject: {
        id: row.subject_id,
        name: row.subject_name,
        ...(isGone(row) && { gone: true as const }),
      },
      ...said,
      ...(clientId !== undefined && { client: names.client(clientId) }),
      ...(isOfAgency &&
        formerClientId !== undefined && { formerClient: names.client(formerClientId) }),
      ...(handIn !== undefined && { handIn }),
      ...(added && added.length > 0 && { joined: names.people(added) }),
      ...(removed && removed.length > 0 && { left: names.people(removed) }),
    }
  })
}

/** Names that the entries do not have. Clients are never deleted from the table, so theirs are the current ones. */
async function namesIn(db: Database, rows: readonly AuditEntryRow[]) {
  const users = await namesOf(
    db,
    'users',
    rows.flatMap(({ actor_id, actor_name, detail: { added = [], removed = [] } }) => [
      ...(actor_name === null ? [actor_id] : []),
      ...added.slice(0, NAMED_MAX),
      ...removed.slice(0, NAMED_MAX),
    ]),
  )
  const clients = await namesOf(
    db,
    'clients',
    rows.flatMap(({ detail }) => [detail.clientId, detail.formerClientId]),
  )
  const user = (id: string) => ({ id, name: users.get(id) ?? null })
  return {
    actor: ({ actor_id, actor_name }: AuditEntryRow) =>
      actor_name ?? users.get(actor_id ?? '') ?? null,
    client: (id: string | null) => (id === null ? null : { id, name: clients.get(id) ?? null }),
    people: (ids: string[]): LogPeople => ({
      count: ids.length,
      first: ids.slice(0, NAMED_MAX).map(user),
    }),
  }
}

/** Statements have a limited number of values. */
const IDS_AT_ONCE = 1_000

async function namesOf(
  db: Database,
  table: 'users' | 'clients',
  given: readonly (string | null | undefined)[],
): Promise<Map<string, string>> {
  const ids = [...new Set(given)].filter((id) => typeof id === 'string')
  const names = new Map<string, string>()
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const rows = await db
      .selectFrom(table)
      .select(['id', 'name'])
      .where('id', 'in', ids.slice(from, from + IDS_AT_ONCE))
      .execute()
    for (const { id, name } of rows) names.set(id, name)
  }
  return names
}

/** Numbers of hand-ins of completions that were recorded without it. */
async function handInsOf(db: Database, rows: readonly AuditEntryRow[]) {
  const ids = rows
    .filter(({ action, detail }) => action === 'article.completed' && detail.handIn === undefined)
    .map(({ subject_id }) => subject_id)
  if (ids.length === 0) return () => undefined
  const handIns = await db
    .selectFrom('hand_ins')
    .select(['article_id', 'number', 'at'])
    .where('article_id', 'in', ids)
    .execute()
  return ({ action, subject_id, at }: AuditEntryRow): number | undefined =>
    action === 'article.completed'
      ? handIns.find(
          (handIn) =>
            handIn.article_id === subject_id &&
            Math.abs(Date.parse(handIn.at) - Date.parse(at)) < SAME_MS,
        )?.number
      : undefined
}

async function goneArticles(db: Database, rows: readonly AuditEntryRow[]) {
  const ids = rows.filter(isOfArticle).map(({ subject_id }) => subject_id)
  const found =
    ids.length === 0
      ? []
      : await db.selectFrom('articles').select('id').where('id', 'in', ids).execute()
  const present = new Set(found.map(({ id }) => id))
  return (row: AuditEntryRow): boolean => isOfArticle(row) && !present.has(row.subject_id)
}

const isOfArticle = ({ action }: AuditEntryRow): boolean => action.startsWith('article.')
