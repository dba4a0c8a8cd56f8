import type { Expression } from 'kysely'
import { foldName } from '../../domain/names/folded-name.ts'
import type { LogAction, LogEntry, LogList } from '../../domain/wire/log.ts'
import type { AuditRow } from '../database/tables.ts'
import type { Database, Deps } from '../deps.ts'

/** What an entry says in addition, with ids where the log has names. */
export type AuditDetail = Omit<
  LogEntry,
  | ('id' | 'at' | 'action' | 'by' | 'subject')
  | ('client' | 'formerClient' | 'mergedWith' | 'joined' | 'left')
> & {
  /** Author of the text that one's own was merged with; null where unknown. */
  mergedWith?: { id: string; name: string } | null
  clientId?: string | null
  /** Previous client of the article. */
  formerClientId?: string | null
  /** Ids of users who joined or left a client. */
  added?: string[]
  removed?: string[]
}

export type AuditEntry = {
  /** Null for a command on the server itself. */
  actorId: string | null
  action: LogAction
  subjectId: string
  detail?: AuditDetail
}

export type AuditSources = Pick<Deps, 'newId'> & {
  clock: Pick<Deps['clock'], 'now'>
  /** Entries that are stored at the end, all together, by `storeHeld`. Without it each is stored at once. */
  held?: AuditRow[] | undefined
}

/**
 * Records who changed what, and when, with the names of that moment. Call it in the transaction of the change, so that
 * both are stored or neither, and before the deletion of an account.
 */
export function recordChange(
  sources: AuditSources,
  db: Database,
  { actorId, action, ...change }: AuditEntry,
): Promise<void> {
  return recordChanges(sources, db, { actorId, action, changes: [change] })
}

type SameChanges = Pick<AuditEntry, 'actorId' | 'action'> & {
  changes: readonly Pick<AuditEntry, 'subjectId' | 'detail'>[]
}

/** The same for one action on several subjects, at least one, in one statement: an entry for each. */
export async function recordChanges(
  { newId, clock, held }: AuditSources,
  db: Database,
  { actorId, action, changes }: SameChanges,
): Promise<void> {
  const at = new Date(clock.now()).toISOString()
  const ids = changes.map(({ subjectId }) => subjectId)
  const names = await namesOf(db, { actorId, action, ids })
  const rows = changes.map(({ subjectId, detail = {} }) => {
    const name = names.get(subjectId) ?? null
    return {
      id: newId(),
      at,
      actor_id: actorId,
      action,
      subject_id: subjectId,
      detail: JSON.stringify(detail),
      actor_name: names.get(actorId ?? '') ?? null,
      subject_name: name,
      subject_name_folded: name === null ? null : foldName(name),
      folded_into: null,
    }
  })
  if (held) held.push(...rows)
  else await db.insertInto('audit').values(rows).execute()
}

/** Rows of one statement; PostgreSQL takes 65,535 values. */
const ROWS_MAX = 1_000

/** Stores the entries; those about articles as done from this list, folded into the newest of them. */
export async function storeHeld(
  db: Database,
  held: readonly AuditRow[],
  list: LogList,
): Promise<void> {
  const line = held.findLast(isOfArticle)
  const rows = held.map((row) => {
    if (!isOfArticle(row)) return row
    const detail = JSON.stringify({ ...JSON.parse(row.detail), list })
    return { ...row, detail, folded_into: row === line ? null : (line?.id ?? null) }
  })
  for (let at = 0; at < rows.length; at += ROWS_MAX) {
    await db
      .insertInto('audit')
      .values(rows.slice(at, at + ROWS_MAX))
      .execute()
  }
}

const isOfArticle = ({ action }: AuditRow): boolean => action.startsWith('article.')

/** The names of the actor and of the subjects by their ids, from one query. */
async function namesOf(
  db: Database,
  { actorId, action, ids }: Pick<AuditEntry, 'actorId' | 'action'> & { ids: readonly string[] },
): Promise<Map<string, string>> {
  const subjects = SUBJECTS.find(([prefix]) => action.startsWith(prefix))?.[1](db, ids) ?? []
  let query = named(db, 'users', [actorId ?? ''])
  for (const some of subjects) query = query.unionAll(some)
  const rows = await query.execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

type Named = { id: string; name: string }

const named = (
  db: Database,
  table:
    | 'users'
    | 'clients'
    | 'articles'
    | 'deleted_articles'
    | 'program_tokens'
    | 'brief_templates',
  ids: readonly string[],
) => db.selectFrom(table).select(['id', 'name']).where('id', 'in', ids)

type NamesOf = (db: Database, ids: readonly string[]) => Expression<Named>[]

const SUBJECTS: readonly (readonly [prefix: string, names: NamesOf])[] = [
  ['user.', (db, ids) => [named(db, 'users', ids)]],
  ['client.', (db, ids) => [named(db, 'clients', ids)]],
  ['article.', (db, ids) => [named(db, 'articles', ids), named(db, 'deleted_articles', ids)]],
  ['program-token.', (db, ids) => [named(db, 'program_tokens', ids)]],
  ['template.', (db, ids) => [named(db, 'brief_templates', ids)]],
  [
    'undelivered-text.',
    (db, ids) => [
      db
        .selectFrom('undelivered_texts')
        .select(['id', 'article_name as name'])
        .where('id', 'in', ids),
    ],
  ],
]
