import { documentHash } from '../../domain/canonical.ts'
import { type ArticleDocument, type ArticleText, asDocument } from '../../domain/document.ts'
import { merge3 } from '../merge/merge3.ts'
import type { Ports } from '../ports.ts'
import type { SentKey } from '../store/database.ts'
import { isDraft, readDraft } from '../store/draft-rows.ts'
import { createCheckpoints } from '../store/revisions.ts'
import { measure } from '../store/text-stats.ts'
import { createRetry } from '../store/with-retry.ts'
import { COMPOSING_MS, FLUSH_MS, HASHED_AFTER_MS, sayWhenSlow } from './autosave-delay.ts'
import { createDirectSave } from './direct-save.ts'
import { localRetryMs, notHandedOver } from './direct-state.ts'
import { createDiscard } from './discard-snapshot.ts'
import { type Base, NO_REV, type Written, writeDraft } from './drafts.ts'
import {
  type EditorPort,
  type EditorSession,
  lastWordOf,
  type OpenTextOptions,
} from './editor-session.ts'
import { createExitSnapshot } from './exit-snapshot.ts'
import { createKeepaliveSave } from './keepalive-save.ts'
import { markRemoteChangesShown } from './remote-changes.ts'

/**
 * One editor as a replica of the draft. It knows the row that its text grew from; whatever else is in the
 * row when it writes is merged in, and what others write is shown while the user has nothing unsaved.
 */
export function openText(ports: Ports, options: OpenTextOptions): EditorSession {
  const { clock, newId } = ports
  const { database, articleId, tabId, epoch, isWanted } = options
  let editor: EditorPort | null = null
  let closed = false
  /** The draft as this editor last had it; `hash` is that of what the editor then showed. */
  let seen = { rev: options.draft.localRev, doc: options.draft.doc, hash: options.draft.hash }
  let base: Base = options.draft
  let baseEpoch = epoch
  /** As the row has it. */
  let writtenBase = base
  let baseIsNewer = false
  let edits = 0
  let writtenEdits = 0
  let editedAt = 0
  let writing: Promise<void> | null = null
  const snapshotStore = createExitSnapshot(database, { articleId, tabId })
  const keepalive = createKeepaliveSave(ports, { articleId, epoch })
  let cancelTimer: (() => void) | null = null
  /** The row that a failed write would have created, and may have. */
  let unsure: typeof seen | null = null
  const keepCheckpoint = createCheckpoints(database, articleId, clock.now)
  const retrying = createRetry(clock, database, isWanted)
  const dirty = (): boolean => edits !== writtenEdits
  const discardExitSnapshot = createDiscard(clock, {
    snapshotStore,
    retrying,
    isDirty: dirty,
    isWanted,
  })
  const current = () => editor && { doc: editor.read(), base, writtenBase }
  const pushing = { database, articleId, epoch, current, show: showMerged, taken }
  const memory = createDirectSave(ports, pushing)

  function schedule(ms: number): void {
    if (closed && !memory.state.isOn) return
    cancelTimer ??= clock.after(ms, () => {
      cancelTimer = null
      return dirty() ? void flush() : follow()
    })
  }

  async function flush(): Promise<void> {
    const upTo = edits
    while (writtenEdits < upTo && editor) {
      writing ??= write(editor).finally(() => {
        writing = null
      })
      await writing
      if (memory.state.isOn) return
    }
  }

  async function write(from: EditorPort): Promise<void> {
    cancelTimer?.()
    cancelTimer = null
    const upTo = edits
    const mine = measure(from.read())
    const isThrough = sayWhenSlow(clock, database, articleId)
    try {
      const unconfirmed = unconfirmedBefore(mine.hash)
      if (mine.hash !== seen.hash || unconfirmed.length > 0) await save(from, mine, unconfirmed)
      else follow()
      writtenEdits = upTo
      memory.stop()
      await discardExitSnapshot()
      letGo()
    } catch {
      memory.start()
      schedule(localRetryMs(memory.state))
    } finally {
      isThrough()
    }
  }

  /** Earlier texts that were sent and that no row has. */
  const unconfirmedBefore = (hash: string): SentKey[] => [
    ...notHandedOver(memory.state),
    ...keepalive.sentBefore(hash),
  ]

  /**
   * What a page that is being closed has to send. Typing that was undone before it was written or sent is no change:
   * sent as one without its condition, it would replace other users' text.
   */
  function leftUnsent(from: EditorPort) {
    const shown = dirty() ? measure(from.read()) : null
    const isUndone =
      shown?.hash === seen.hash &&
      unsure === null &&
      !memory.state.isOn &&
      !snapshotStore.areKept() &&
      unconfirmedBefore(shown.hash).length === 0
    return shown === null || isUndone ? keepalive.unsent(base) : keepalive.unsaved(shown)
  }

  async function save(from: EditorPort, mine: ReturnType<typeof measure>, unconfirmed: SentKey[]) {
    const before = [seen.doc, base] as const
    const written = await retrying.run(async (isGivenUp) => {
      // A committed text whose commit was not confirmed would be merged with itself like another writer's.
      if (unsure && (await isDraft(database, articleId, unsure))) seen = unsure
      unsure = { rev: seen.rev + 1, doc: mine.doc, hash: mine.hash }
      const sentKey = keepalive.keyOf(mine.hash)
      return writeDraft(database, {
        articleId,
        mine,
        seenRev: seen.rev,
        seenDoc: seen.doc,
        base,
        epoch: baseEpoch,
        baseIsNewer,
        key: sentKey ?? newId(),
        maybeSent: sentKey === null ? undefined : true,
        unconfirmed,
        notBefore: memory.state.notBefore,
        mergedKey: newId(),
        unusedKey: sentKey === null ? keepalive.unusedKey() : null,
        editedAt,
        isGivenUp,
      })
    })
    unsure = null
    baseIsNewer = false
    memory.handedOver(unconfirmed)
    keepalive.written(written.merged ? null : { ...mine, key: written.key })
    if (written.merged) showWritten(from, mine, written)
    else sees(written.draft, mine)
    options.written(written)
    keepCheckpoint(...before)
  }

  function sees(row: Written['draft'], { doc, hash }: { doc: ArticleText; hash: string }): void {
    seen = { rev: row.localRev, doc, hash }
    growsFrom(row)
  }

  function growsFrom(row: Base): void {
    base = row
    writtenBase = row
  }

  /** The row has more than the editor showed when it was read; what was typed since is merged on top. */
  function showWritten(to: EditorPort, mine: ReturnType<typeof measure>, { draft }: Written): void {
    if (draft.hash === mine.hash) return void sees(draft, mine)
    if (closed || to.isComposing()) {
      // Its base may be a text that the editor does not show yet, and must not be taken to have deleted.
      seen = { rev: NO_REV, doc: mine.doc, hash: mine.hash }
      schedule(COMPOSING_MS)
      return
    }
    const now = to.read()
    const typedSince = documentHash(now) !== mine.hash
    show(to, typedSince ? merge3(mine.doc, now, draft.doc).document : asDocument(draft.doc))
    const hash = typedSince ? draft.hash : documentHash(to.read())
    sees(draft, { doc: draft.doc, hash })
    if (typedSince) edited()
  }

  function show(to: EditorPort, document: ArticleDocument): void {
    to.show(document)
    markRemoteChangesShown(database, articleId).catch(() => {})
  }

  /** Only now: a text that could not be written yet would be lost with it. */
  function letGo(): void {
    if (!closed || dirty()) return
    cancelTimer?.()
    options.closed()
  }

  function edited(): void {
    edits += 1
    editedAt = clock.now()
    memory.edited()
    schedule(FLUSH_MS)
  }

  function follow(): void {
    if (!closed && editor) void adopt(editor).catch(() => {})
  }

  async function adopt(to: EditorPort): Promise<void> {
    const state = await database.drafts.get(articleId)
    if (state && state.localRev <= seen.rev && state.baseHash === base.baseHash) {
      const { baseVersion, baseRevision } = state
      if (state.localRev === seen.rev && !baseIsNewer) base = { ...base, baseVersion, baseRevision }
      return
    }
    const row = await readDraft(database, articleId)
    if (closed) return
    if (!row) return recreate(to)
    if (row.localRev === seen.rev && !baseIsNewer) growsFrom(row)
    if (row.localRev <= seen.rev) return
    if (dirty() || writing || to.isComposing()) return schedule(COMPOSING_MS)
    if (documentHash(to.read()) !== seen.hash) return edited()
    if (row.hash !== seen.hash) show(to, asDocument(row.doc))
    sees(row, { doc: row.doc, hash: documentHash(to.read()) })
    keepalive.written(null)
  }

  /** The row is gone (for example, the browser's data were cleared) and the server never had this text. */
  function recreate(from: EditorPort): void {
    if (dirty() || writing || !isWanted()) return
    if (documentHash(from.read()) === base.baseHash) return
    seen = { ...seen, hash: '' }
    edited()
  }

  /** A merge with the server's text that this device could not write. */
  function showMerged(document: ArticleText): boolean {
    if (!editor || editor.isComposing()) return false
    editor.show(asDocument(document))
    edits += 1
    schedule(FLUSH_MS)
    return true
  }

  /** A direct save reached the server. */
  function taken(newBase: Base, ofEpoch: string | null): void {
    base = newBase
    baseEpoch = ofEpoch
    baseIsNewer = true
  }

  return {
    articleId,
    get document() {
      return editor?.read() ?? asDocument(options.draft.doc)
    },
    attach(port) {
      editor = port
      // Text typed before this moment must not be taken for the draft's text.
      if (dirty()) return edited()
      // Hashes are cached with the blocks. Computing them here would delay the first render.
      const shown = port.read()
      seen = {
        ...seen,
        get hash() {
          return documentHash(shown)
        },
      }
      clock.after(HASHED_AFTER_MS, () => documentHash(shown))
      follow()
    },
    edited,
    flush,
    follow,
    reopen() {
      const wasClosed = closed
      closed = false
      return wasClosed
    },
    retry() {
      if (!memory.state.isOn) return
      memory.retry()
      void flush()
    },
    saveExitSnapshot() {
      if (!editor) return
      const left = leftUnsent(editor)
      if (left) {
        const unconfirmed = unconfirmedBefore(left.hash)
        snapshotStore.keep(left, {
          base: seen.doc,
          seenRev: seen.rev,
          ...(unsure && { underWay: { rev: unsure.rev, hash: unsure.hash } }),
          ...(seen.hash !== base.baseHash && { serverText: base.baseDoc }),
          ...(baseIsNewer && { savedDirectly: versionOf(base) }),
          epoch: baseEpoch,
          at: clock.now(),
          ...(unconfirmed.length > 0 && { unconfirmed }),
        })
        keepalive.send(left, base)
        memory.noteKeepalive({ key: left.key, hash: left.hash })
      }
      // A page that was only hidden continues with the same text under the same key.
      clock.after(0, () => void flush().then(discardExitSnapshot).then(options.left))
    },
    async close() {
      closed = true
      if (editor) {
        editor = lastWordOf(editor)
        const row = await database.drafts.get(articleId).catch(() => null)
        if (row === undefined) recreate(editor)
      }
      await flush()
      if (!memory.state.isOn) letGo()
    },
  }
}

const versionOf = ({ baseVersion, baseRevision }: Base) => ({ baseVersion, baseRevision })
