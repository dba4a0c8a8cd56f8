import type { Role } from '../../domain/wire-users.ts'
import type { Database, Deps } from '../deps.ts'

export type AuditAction =
  | `user.${'created' | 'changed' | 'deleted' | 'signed-out' | 'invited'}`
  | `client.${'created' | 'changed' | 'deleted'}`
  | `article.${'created' | 'changed' | 'completed' | 'reopened' | 'deleted' | 'restored' | 'text-restored'}`
  | 'server.new-epoch'
  | 'server.new-pepper'
  | `undelivered-text.${'done' | 'reopened'}`

export type AuditDetail = {
  /** Names of the fields that changed. */
  changed?: string[]
  role?: Role
  /** The text that was handed in by completing the article, or that was handed in before the article was reopened. */
  textVersion?: number
  /** Number of the hand-in. */
  handIn?: number
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
  action: AuditAction
  subjectId: string
  detail?: AuditDetail
}

export type AuditSources = Pick<Deps, 'newId'> & { clock: Pick<Deps['clock'], 'now'> }

/** Records who changed what, and when. Call it in the transaction of the change, so that both are stored or neither. */
export async function recordChange(
  { newId, clock }: AuditSources,
  db: Database,
  { actorId, action, subjectId, detail = {} }: AuditEntry,
): Promise<void> {
  await db
    .insertInto('audit')
    .values({
      id: newId(),
      at: new Date(clock.now()).toISOString(),
      actor_id: actorId,
      action,
      subject_id: subjectId,
      detail: JSON.stringify(detail),
    })
    .execute()
}
