import { documentHash } from '../../domain/text/canonical.ts'
import { readDraft } from '../store/draft-rows.ts'
import { edited, type Session, take } from './autosave.ts'
import type { EditorPort } from './editor-port.ts'
import { afterLook, afterReading, afterShowing, isDirty, stepForRow } from './replica.ts'

/** Shows what another tab, a merge or the server wrote, unless the user is in the middle of a change. */
export async function followDraft(session: Session, editor: EditorPort): Promise<void> {
  const { database, articleId } = session
  const state = await database.drafts.get(articleId)
  const known = state && afterLook(session.replica, state)
  if (known) {
    session.replica = known
    return
  }
  const row = await readDraft(database, articleId)
  if (session.isClosed) return
  if (!row) return rewriteLost(session, editor)
  session.replica = afterReading(session.replica, row)
  if (row.localRev <= session.replica.seen.rev) return
  const step = stepForRow(session.replica, row, isBusy(session, editor) ? null : editor.read())
  if (take(session, editor, row, step)) session.keepalive.written(null)
}

const isBusy = ({ replica, writing }: Session, editor?: EditorPort): boolean =>
  isDirty(replica) || writing !== null || editor?.isComposing() === true

/** The row is gone (for example, the browser's data were cleared) and the server never had this text. */
export function rewriteLost(session: Session, editor: EditorPort): void {
  if (isBusy(session) || !session.isWanted()) return
  if (documentHash(editor.read()) === session.replica.base.baseHash) return
  session.replica = afterShowing(session.replica, null)
  edited(session)
}
