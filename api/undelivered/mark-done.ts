import { recordChange } from '../audit/audit-rows.ts'
import type { Deps } from '../deps.ts'
import { ensureSignedIn, type Viewer } from '../http/authenticate.ts'
import {
  findUndeliveredText,
  markUndeliveredText,
  type StoredUndeliveredText,
} from './undelivered-text-rows.ts'

/** Marks the text as dealt with, or not. Undefined when there is no such text. */
export function markDone(
  deps: Deps,
  viewer: Viewer,
  id: string,
  done: boolean,
): Promise<StoredUndeliveredText | undefined> {
  const now = deps.clock.now()
  return deps.db.transaction().execute(async (db) => {
    await ensureSignedIn(db, viewer, now)
    const undelivered = await findUndeliveredText(db, id)
    if (undelivered === undefined || (undelivered.done_at !== null) === done) return undelivered
    const mark = done
      ? { done_at: new Date(now).toISOString(), done_by: viewer.id }
      : { done_at: null, done_by: null }
    await markUndeliveredText(db, id, mark)
    const action = done ? 'undelivered-text.done' : 'undelivered-text.reopened'
    await recordChange(deps, db, { actorId: viewer.id, action, subjectId: id })
    return { ...undelivered, done_at: mark.done_at }
  })
}
