import { beginEpoch } from '../database/meta-rows.ts'
import type { Database } from '../deps.ts'
import { type AuditSources, recordChange } from './audit-rows.ts'

/**
 * Begins a new history of the data, on record, in the transaction around it: the data went back to an earlier state, and
 * pages that were open since would take an old number for the text that they know under it.
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
