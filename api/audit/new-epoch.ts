import { beginEpoch } from '../database/meta-rows.ts'
import type { Database } from '../deps.ts'
import { type AuditSources, recordChange } from './audit-rows.ts'

/**
 * Begins a new epoch, with an audit entry, in the surrounding transaction: the data went back to an earlier state, and
 * open pages would assign a reused version number to the text that they have under it.
 */
export async function startEpoch(deps: AuditSources, transaction: Database): Promise<void> {
  const epoch = deps.newId()
  await beginEpoch(transaction, epoch)
  await recordChange(deps, transaction, {
    actorId: null,
    action: 'server.new-epoch',
    subjectId: epoch,
  })
}
