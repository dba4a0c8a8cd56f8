import { documentHash } from '../../domain/text/canonical.ts'
import { type ArticleDocument, type ArticleText, asDocument } from '../../domain/text/document.ts'
import type { Ports } from '../ports.ts'
import { createCheckpoints } from '../store/revisions.ts'
import { measure } from '../store/text-stats.ts'
import { createRetry } from '../store/with-retry.ts'
import {
  edited,
  flush,
  release,
  type Session,
  type SessionOptions,
  schedule,
  unconfirmedBefore,
} from './autosave.ts'
import { createDirectSave } from './direct-save.ts'
import { type EditorPort, lastWordOf } from './editor-port.ts'
import { createExitSnapshot } from './exit-snapshot.ts'
import { followDraft, rewriteLost } from './follow-draft.ts'
import { createKeepaliveSave } from './keepalive-save.ts'
import {
  afterDirectSave,
  afterEdit,
  afterShowing,
  isDirty,
  openReplica,
  snapshotOf,
  wasShown,
} from './replica.ts'

/** By then an opened text is rendered; its first save finds every block hashed but the edited ones. */
const HASHED_AFTER_MS = 500

/** One text open in an editor of this tab. */
export type OpenText = {
  /** What to show first: the draft if there is one, else the last text known from the server. */
  readonly document: ArticleDocument
  /** Connects the editor; from now on texts of other tabs and merges reach it. */
  attach(editor: EditorPort): void
  /** The user changed the text. Cheap: the text is read at the next flush. */
  edited(): void
  /** Resolves when everything typed so far is in the local database. */
  flush(): Promise<void>
  /** The page is being hidden or closed: one raw synchronous write of what is not flushed yet. */
  saveExitSnapshot(): void
  close(): Promise<void>
}

/** An open text with what only the client calls. */
export type EditorSession = OpenText & {
  readonly articleId: string
  /** Another tab, a merge or the server wrote the draft: follow it, unless the user is in the middle of a change. */
  follow(): void
  /** Reopens a text that was closed before it could be written. Returns false when it is not closed. */
  reopen(): boolean
  /** Retries what this device or the server refused before. */
  retry(): void
}

export function openText(ports: Ports, options: SessionOptions): EditorSession {
  const session = createSession(ports, options)
  const { articleId, database, direct } = session
  return {
    articleId,
    get document() {
      return session.editor?.read() ?? asDocument(options.draft.doc)
    },
    attach(editor) {
      session.editor = editor
      // Text typed before this moment must not be taken for the draft's text.
      if (isDirty(session.replica)) return edited(session)
      // Hashes are cached with the blocks. Computing them here would delay the first render.
      const shown = editor.read()
      session.replica = afterShowing(session.replica, shown)
      ports.clock.after(HASHED_AFTER_MS, () => documentHash(shown))
      session.follow()
    },
    edited: () => edited(session),
    flush: () => flush(session),
    follow: session.follow,
    reopen() {
      const wasClosed = session.isClosed
      if (wasClosed) session.openedAt = ports.clock.now()
      session.isClosed = false
      return wasClosed
    },
    retry() {
      if (!direct.state.isOn) return
      direct.retry()
      void flush(session)
    },
    saveExitSnapshot() {
      if (session.editor) saveExitSnapshot(session, session.editor)
    },
    async close() {
      session.isClosed = true
      if (session.editor) {
        session.editor = lastWordOf(session.editor)
        const row = await database.drafts.get(articleId).catch(() => null)
        if (row === undefined) rewriteLost(session, session.editor)
      }
      await flush(session)
      if (!direct.state.isOn) release(session)
    },
  }
}

function createSession(ports: Ports, options: SessionOptions): Session {
  const { database, articleId, isWanted } = options
  const retrying = createRetry(ports.clock, database, isWanted)
  const session: Session = {
    ...options,
    ports,
    retrying,
    keepCheckpoint: createCheckpoints(database, articleId, ports.clock.now),
    snapshot: createExitSnapshot(ports.clock, database, {
      ...options,
      retrying,
      isDirty: () => isDirty(session.replica),
    }),
    keepalive: createKeepaliveSave(ports, articleId),
    direct: createDirectSave(ports, {
      database,
      articleId,
      current: () => session.editor && { doc: session.editor.read(), ...session.replica },
      show: (document) => showUnwritten(session, document),
      taken(origin) {
        session.replica = afterDirectSave(session.replica, origin)
      },
    }),
    follow() {
      const { isClosed, editor } = session
      if (!isClosed && editor) void followDraft(session, editor).catch(() => {})
    },
    replica: openReplica(options.draft, options.epoch),
    editor: null,
    openedAt: ports.clock.now(),
    isClosed: false,
    cancelTimer: null,
    writing: null,
  }
  return session
}

/** Shows a merge that this device could not write; returns false when it must wait. */
function showUnwritten(session: Session, document: ArticleText): boolean {
  const { editor } = session
  if (!editor || editor.isComposing()) return false
  editor.show(asDocument(document))
  session.replica = afterEdit(session.replica)
  schedule(session)
  return true
}

/** The page is being hidden or closed. */
function saveExitSnapshot(session: Session, editor: EditorPort): void {
  const { ports, replica, snapshot, keepalive, direct } = session
  const left = leftUnsent(session, editor)
  if (left) {
    const unconfirmed = unconfirmedBefore(session, left.hash)
    snapshot.keep(left, {
      ...snapshotOf(replica),
      at: ports.clock.now(),
      ...(unconfirmed.length > 0 && { unconfirmed }),
    })
    keepalive.send(left, replica)
    direct.noteKeepalive({ key: left.key, hash: left.hash })
  }
  // A page that was only hidden continues with the same text under the same key.
  ports.clock.after(0, () => void flush(session).then(snapshot.discard).then(session.left))
}

/**
 * What a page that is being closed has to send. Typing that was undone before it was written or sent is no change:
 * sent as one without its condition, it would replace other users' text.
 */
function leftUnsent(session: Session, editor: EditorPort) {
  const { replica, direct, snapshot, keepalive } = session
  const shown = isDirty(replica) ? measure(editor.read()) : null
  const isUndone =
    shown !== null &&
    wasShown(replica, shown.hash) &&
    replica.unsure === null &&
    !direct.state.isOn &&
    !snapshot.isKept() &&
    unconfirmedBefore(session, shown.hash).length === 0
  return shown === null || isUndone ? keepalive.unsent(replica.base) : keepalive.unsaved(shown)
}
