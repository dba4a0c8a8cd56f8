import { recordChange } from '../audit/audit-rows.ts'
import type { Deps } from '../deps.ts'
import { ensureSignedIn, type Viewer } from '../http/authenticate.ts'
import { findStray, markStray, type StoredStray } from './stray-rows.ts'

/** Marks the text as dealt with, or not. Undefined when there is no such text. */
export function markDone(
  deps: Deps,
  viewer: Viewer,
  id: string,
  done: boolean,
): Promise<StoredStray | undefined> {
  const now = deps.clock.now()
  return deps.db.transaction().execute(async (db) => {
    await ensureSignedIn(db, viewer, now)
    const stray = await findStray(db, id)
    if (stray === undefined || (stray.done_at !== null) === done) return stray
    const mark = done
      ? { done_at: new Date(now).toISOString(), done_by: viewer.id }
      : { done_at: null, done_by: null }
    await markStray(db, id, mark)
    const action = done ? 'stray.done' : 'stray.reopened'
    await recordChange(deps, db, { actorId: viewer.id, action, subjectId: id })
    return { ...stray, done_at: mark.done_at }
  })
}
