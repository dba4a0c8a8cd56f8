import type { Ports } from '../ports.ts'
import type { LocalDatabase, SentKey } from '../store/database.ts'
import { type Draft, isDraft } from '../store/draft-rows.ts'
import type { createCheckpoints } from '../store/revisions.ts'
import { measure, type TextStats } from '../store/text-stats.ts'
import type { Retry } from '../store/with-retry.ts'
import type { DirectSave } from './direct-save.ts'
import { localRetryMs, notHandedOver } from './direct-save-state.ts'
import type { EditorPort } from './editor-port.ts'
import type { createExitSnapshot } from './exit-snapshot.ts'
import type { KeepaliveSave } from './keepalive-save.ts'
import { markRemoteChangesShown } from './remote-changes.ts'
import {
  afterEdit,
  afterTaking,
  afterUnshownMerge,
  afterWrite,
  beforeWrite,
  isDirty,
  type Replica,
  type Step,
  stepAfterWrite,
  wasShown,
} from './replica.ts'
import { type Written, writeDraft } from './write-draft.ts'

/**
 * Milliseconds from a change to its write. Fewer writes for each key than at 100 ms, and 100 ms remain for
 * the write itself, since a change must be on the disk within 250 ms (Q43).
 */
const FLUSH_MS = 150

/** How often a pending save checks again while an input method is composing. */
const COMPOSING_MS = 100

/** A write that takes longer is shown: the change is not on the disk within 250 ms. */
const SLOW_WRITE_MS = 100

export type SessionOptions = {
  database: LocalDatabase
  articleId: string
  userId: string
  tabId: string
  draft: Draft
  /** The epoch of the server's data that the draft is from, or an earlier one; null when none is known. */
  epoch: string | null
  /** The draft was written: other editors must check it, and the queue if `isMoved`. */
  written: (write: Pick<Written, 'isRecreated' | 'isMoved'>) => void
  /** The text was closed. */
  closed: () => void
  /** The page was hidden and what it showed is written. */
  left: () => void
  /** False once the user signed out: what is removed from this device then stays removed. */
  isWanted: () => boolean
}

/** What the parts of one open text share. */
export type Session = SessionOptions & {
  ports: Ports
  retrying: Retry
  keepCheckpoint: ReturnType<typeof createCheckpoints>
  direct: DirectSave
  keepalive: KeepaliveSave
  snapshot: ReturnType<typeof createExitSnapshot>
  /** Shows what others wrote, unless the user is in the middle of a change. */
  follow: () => void
  replica: Replica
  editor: EditorPort | null
  /** In milliseconds since 1970. */
  openedAt: number
  isClosed: boolean
  cancelTimer: (() => void) | null
  writing: Promise<void> | null
}

/** The user changed the text, or shows text that no row has. */
export function edited(session: Session): void {
  const { replica, ports, editor } = session
  session.replica = afterEdit(replica, ports.clock.now(), editor?.typedRun())
  session.direct.edited()
  schedule(session)
}

/** Writes what is unsaved in `ms`, or else shows what others wrote; earlier if that is scheduled already. */
export function schedule(session: Session, ms = FLUSH_MS): void {
  if (session.isClosed && !session.direct.state.isOn) return
  session.cancelTimer ??= session.ports.clock.after(ms, () => {
    session.cancelTimer = null
    return isDirty(session.replica) ? void flush(session) : session.follow()
  })
}

/** Resolves when everything typed so far is written, or once this device cannot write it. */
export async function flush(session: Session): Promise<void> {
  const upTo = session.replica.edits
  while (session.replica.writtenEdits < upTo && session.editor) {
    session.writing ??= write(session, session.editor).finally(() => {
      session.writing = null
    })
    await session.writing
    if (session.direct.state.isOn) return
  }
}

async function write(session: Session, from: EditorPort): Promise<void> {
  const { direct } = session
  session.cancelTimer?.()
  session.cancelTimer = null
  const upTo = session.replica.edits
  const mine = measure(from.read())
  const isThrough = sayWhenSlow(session)
  try {
    const unconfirmed = unconfirmedBefore(session, mine.hash)
    if (wasShown(session.replica, mine.hash) && unconfirmed.length === 0) session.follow()
    else await save(session, from, mine, unconfirmed)
    session.replica = { ...session.replica, writtenEdits: upTo }
    direct.stop()
    await session.snapshot.discard()
    release(session)
  } catch (error) {
    direct.start(error)
    schedule(session, localRetryMs(direct.state))
  } finally {
    isThrough()
  }
}

/** Marks the article as being written once the write takes long; returns a function that ends it. */
function sayWhenSlow({ ports, articleId, database: { unsaved } }: Session): () => void {
  const write = {}
  const cancel = ports.clock.after(SLOW_WRITE_MS, () =>
    unsaved.set(write, articleId, { kind: 'writing' }),
  )
  return () => {
    cancel()
    unsaved.set(write, articleId, null)
  }
}

/** Only of a text that is written: one that could not be written yet would be lost with it. */
export function release(session: Session): void {
  if (!session.isClosed || isDirty(session.replica)) return
  session.cancelTimer?.()
  session.closed()
}

/** Earlier texts that were sent and that no row has. */
export const unconfirmedBefore = ({ direct, keepalive }: Session, hash: string): SentKey[] => [
  ...notHandedOver(direct.state),
  ...keepalive.sentBefore(hash),
]

async function save(
  session: Session,
  from: EditorPort,
  mine: TextStats,
  unconfirmed: SentKey[],
): Promise<void> {
  const { seen, base } = session.replica
  const written = await session.retrying.run((isGivenUp) =>
    writeText(session, mine, unconfirmed, isGivenUp),
  )
  session.replica = afterWrite(session.replica)
  session.direct.handedOver(unconfirmed)
  session.keepalive.written(written.merged ? null : { ...mine, key: written.key })
  showWritten(session, from, mine, written)
  session.written(written)
  session.keepCheckpoint(seen.doc, base)
}

async function writeText(
  session: Session,
  mine: TextStats,
  unconfirmed: SentKey[],
  isGivenUp: () => boolean,
): Promise<Written> {
  const { database, articleId, direct, keepalive, ports } = session
  const { unsure } = session.replica
  const committed = unsure && (await isDraft(database, articleId, unsure)) ? unsure : null
  // Another attempt has taken its place and changed the replica since.
  if (isGivenUp()) throw new Error('Given up')
  session.replica = beforeWrite(session.replica, mine, committed)
  const { seen, base, epoch, baseIsNewer, editedAt } = session.replica
  const sentKey = keepalive.keyOf(mine.hash)
  return writeDraft(database, {
    articleId,
    mine,
    typedRuns: session.replica.typedRuns,
    seenRev: seen.rev,
    seenDoc: seen.doc,
    base,
    epoch,
    baseIsNewer,
    key: sentKey ?? ports.newId(),
    maybeSent: sentKey === null ? undefined : true,
    unconfirmed,
    notBefore: direct.state.notBefore,
    mergedKey: ports.newId(),
    unusedKey: sentKey === null ? keepalive.unusedKey() : null,
    editedAt,
    isGivenUp,
  })
}

/** The row may have more than the editor showed when it was read; what was typed since is merged on top. */
function showWritten(session: Session, to: EditorPort, mine: TextStats, written: Written): void {
  const { draft, merged } = written
  const canShow = merged && !session.isClosed && !to.isComposing()
  const step = stepAfterWrite(session.replica, mine, draft, canShow ? to.read() : null)
  if (!take(session, to, draft, step)) session.replica = afterUnshownMerge(session.replica, mine)
}

/** Returns false while the editor does not show the row's text. */
export function take(session: Session, to: EditorPort, row: Draft, step: Step): boolean {
  if (step.kind === 'later') schedule(session, COMPOSING_MS)
  if (step.kind === 'write') edited(session)
  if (step.kind !== 'take') return false
  if (step.show) {
    to.show(step.show)
    markRemoteChangesShown(session.database, session.articleId, session).catch(() => {})
  }
  session.replica = afterTaking(session.replica, row, step.shown ?? to.read())
  if (step.isTypedOn) edited(session)
  return true
}
