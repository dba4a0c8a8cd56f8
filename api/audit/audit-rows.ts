import { type RawBuilder, sql } from 'kysely'
import { foldName } from '../../domain/folded-name.ts'
import type { LogAction } from '../../domain/wire-log.ts'
import type { Role } from '../../domain/wire-users.ts'
import type { Database, Deps } from '../deps.ts'

export type AuditDetail = {
  /** Names of the fields that changed. */
  changed?: string[]
  role?: Role
  /** Name before the change. */
  formerName?: string
  wordMinimum?: { now: number; before: number }
  /** The day on which the article is due; null where it has none. */
  dueOn?: { now: string | null; before: string | null }
  /** Sizes of a list of entities, and how many of them are new and gone. */
  entities?: { now: number; before: number; added: number; removed: number }
  /** The text that was handed in by completing the article, or that was handed in before the article was reopened. */
  textVersion?: number
  /** Number of the hand-in. */
  handIn?: number
  /** The version whose text was restored. */
  restored?: { textVersion: number; at: string }
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

export type AuditSources = Pick<Deps, 'newId'> & { clock: Pick<Deps['clock'], 'now'> }

/**
 * Records who changed what, and when, with the names of that moment. Call it in the transaction of the change, so that
 * both are stored or neither, and before the deletion of an account.
 */
export async function recordChange(
  { newId, clock }: AuditSources,
  db: Database,
  { actorId, action, subjectId, detail = {} }: AuditEntry,
): Promise<void> {
  const names = await namesOf(db, { actorId, action, subjectId })
  await db
    .insertInto('audit')
    .values({
      ...names,
      id: newId(),
      at: new Date(clock.now()).toISOString(),
      actor_id: actorId,
      action,
      subject_id: subjectId,
      detail: JSON.stringify(detail),
    })
    .execute()
}

async function namesOf(
  db: Database,
  { actorId, action, subjectId }: Pick<AuditEntry, 'actorId' | 'action' | 'subjectId'>,
) {
  const subject =
    SUBJECTS.find(([prefix]) => action.startsWith(prefix))?.[1](subjectId) ?? sql`null`
  const { rows } = await sql<{ actor: string | null; subject: string | null }>`
    select (select name from users where id = ${actorId}) as actor, ${subject} as subject`.execute(
    db,
  )
  const name = rows[0]?.subject ?? null
  return {
    actor_name: rows[0]?.actor ?? null,
    subject_name: name,
    subject_name_folded: name === null ? null : foldName(name),
  }
}

const SUBJECTS: readonly (readonly [prefix: string, name: (id: string) => RawBuilder<unknown>])[] =
  [
    ['user.', (id) => sql`(select name from users where id = ${id})`],
    ['client.', (id) => sql`(select name from clients where id = ${id})`],
    [
      'article.',
      (id) => sql`coalesce((select name from articles where id = ${id}),
      (select name from deleted_articles where id = ${id}))`,
    ],
    [
      'undelivered-text.',
      (id) => sql`(select article_name from undelivered_texts where id = ${id})`,
    ],
  ]
