import { Dexie, RangeSet } from 'dexie'
import type { ArticleDocument, ArticleText } from '../../domain/document.ts'
import { SUPERSEDED_MAX } from '../../domain/limits.ts'
import type { EarlierSave } from '../../domain/wire-articles.ts'
import { merge3 } from '../merge/merge3.ts'
import type { Ports } from '../ports.ts'
import { retryDelay } from '../protocol/backoff.ts'
import {
  missingOf,
  overwriting,
  ownSaves,
  ownText,
  readVerdict,
  type SentSave,
  type Stale,
  type Verdict,
} from '../protocol/push-result.ts'
import { saveHeaders } from '../protocol/save-headers.ts'
import type { LocalDatabase, SentKey } from '../store/database.ts'
import { memoryNote } from '../store/memory-notes.ts'
import { bodyOf } from '../store/new-entries.ts'
import { measure, type TextStats } from '../store/text-stats.ts'
import type { MemoryRefusal } from '../store/unsaved.ts'
import { type Base, conditionOf } from './drafts.ts'

/**
 * Sends the text of an editor straight from memory while this device cannot write it: full disk, broken database. The
 * server is then the only safe place, so there is no autosave delay. A permanent refusal is shown and not repeated,
 * until something may have changed.
 */
export type DirectSave = {
  start(): void
  /** The text is stored on this device again. */
  stop(): void
  isOn(): boolean
  /** The user changed the text. */
  edited(): void
  /** Retries what was refused: the user signed in, asked for it, or came back. */
  retry(): void
  /** Milliseconds until the local write should be tried again. */
  retryMs(): number
  /** Texts that were sent without a response and that the queue does not know. */
  unconfirmed(): SentKey[]
  /** Time (ms since 1970) before which the server accepts no retry; null when it named none. */
  notBefore(): number | null
  /** The queue has them. */
  handedOver(sent: readonly SentKey[]): void
  /** A keepalive save sent this text: its outcome is unknown, as that of every other without a response. */
  noteKeepalive(sent: SentKey): void
}

export type DirectSaveOptions = {
  database: LocalDatabase
  articleId: string
  /** The epoch of the server's data that the text grew from, or an earlier one; null when none is known. */
  epoch: string | null
  /** What the editor shows and what it grew from, as the rows have it too; null without an editor. */
  current: () => { doc: ArticleDocument; base: Base; writtenBase: Base } | null
  /** Shows a merge; false when it must wait. */
  show: (document: ArticleText) => boolean
  /** The server has a text of this editor in the epoch `epoch`: what it shows from now on grows from that. */
  taken: (base: Base, epoch: string | null) => void
}

const LOCAL_RETRY_CAP_MS = 10_000
const SEND_TIMEOUT_MS = 20_000
/** Minimum time between two saves. */
const PAUSE_MS = 1_000

/** What is sent: the text that the editor showed, and what it grew from. */
type Sending = SentSave & { text: TextStats; base: Base; unconfirmed: string[] }
/** `waitMs`: the wait that the server asked for, null when it named none. */
type Exchanged = { isSettled: boolean; waitMs: number | null }

const UNKNOWN: Exchanged = { isSettled: false, waitMs: null }
export function createDirectSave(ports: Ports, options: DirectSaveOptions): DirectSave {
  const { clock, random, newId, send } = ports
  const { database, articleId } = options
  const owner = {}
  let on = false
  let failures = 0
  let attempts = 0
  let sending = false
  let refusal: MemoryRefusal | null = null
  let saidSent = false
  let cancel: (() => void) | null = null
  /** The server named the time of the next attempt; no request is sent before it. */
  let putOffUntil: number | null = null
  /** Never newer than the base: an older epoch costs a merge, a newer one loses another user's words. */
  let epoch = options.epoch
  /** The last send, until there is a definite response: the same text is sent under the same key. */
  let last: SentKey | null = null
  /** Earlier texts without a response, which the next save supersedes. */
  let unconfirmed: SentKey[] = []
  const handed = new Set<string>()

  async function push(): Promise<void> {
    const current = options.current()
    if (!on || sending || refusal || cancel || !current) return
    const text = measure(current.doc)
    const isUnsent = text.hash !== current.base.baseHash
    if (!isUnsent && last === null && unconfirmed.length === 0) return notify(true)
    if (last?.hash !== text.hash) {
      leaveOpen(last)
      last = { key: newId(), hash: text.hash }
    }
    sending = true
    const { isSettled, waitMs } = await exchange({
      key: last.key,
      ifMatch: conditionOf(current.base),
      unconfirmed: unconfirmed.map(({ key }) => key),
      text,
      base: current.base,
    })
    sending = false
    attempts = isSettled ? 0 : attempts + 1
    putOffUntil = waitMs === null ? null : clock.now() + waitMs
    const delay = isSettled ? PAUSE_MS : retryDelay(attempts, random)
    if (!refusal) later(Math.max(delay, waitMs ?? 0))
  }

  function leaveOpen(sent: SentKey | null): void {
    if (sent && !unconfirmed.some(({ key }) => key === sent.key))
      unconfirmed = [...unconfirmed, sent].slice(-SUPERSEDED_MAX)
  }

  function later(ms: number): void {
    if (!on && putOffUntil === null) return
    cancel = clock.after(ms, () => {
      cancel = null
      putOffUntil = null
      void push()
    })
  }

  /** A wait that the server asked for is kept, also while there is nothing to send. */
  function forgetDelay(): void {
    if (putOffUntil !== null) return
    cancel?.()
    cancel = null
  }

  async function exchange(sent: Sending): Promise<Exchanged> {
    const answer = await send({
      method: 'PATCH',
      path: `/articles/${articleId}`,
      body: bodyOf(sent.text.doc),
      headers: saveHeaders(sent, epoch),
      timeoutMs: SEND_TIMEOUT_MS,
    }).catch(() => null)
    if (answer === null) return UNKNOWN
    const verdict = readVerdict(answer, articleId, clock.now())
    if (!(await restoreOverwritten(sent, savesIn(sent, verdict)))) return UNKNOWN
    return {
      isSettled: react(sent, verdict),
      waitMs: verdict.kind === 'retry' ? verdict.waitMs : null,
    }
  }

  /** The server did not receive the conditions. Returns false when overwritten text is not in the editor yet. */
  async function restoreOverwritten(
    sent: Sending,
    saves: readonly EarlierSave[],
  ): Promise<boolean> {
    if (overwriting(sent, saves).length === 0) return true
    const { fetchOverwritten, mergeOverwritten } = await import('./replaced-text.ts')
    const lost = await fetchOverwritten(send, articleId, sent, saves).catch(() => null)
    const now = options.current()
    if (now === null || lost === null) return now === null
    const { baseDoc } = sent.base
    return lost.length === 0 || options.show(mergeOverwritten({ doc: now.doc, baseDoc }, lost))
  }

  /** Returns false when the outcome is unknown or the wait is not over. */
  function react(sent: Sending, verdict: Verdict): boolean {
    switch (verdict.kind) {
      case 'acknowledged': {
        settle(sent, [])
        const { doc, hash } = sent.text
        const { textVersion: baseVersion, revision: baseRevision } = verdict.article
        taken({ baseDoc: doc, baseHash: hash, baseVersion, baseRevision }, verdict.epoch)
        const now = options.current()
        if (on) notify(now !== null && measure(now.doc).hash === hash)
        return true
      }
      case 'stale':
        return on ? merge(sent, verdict) : leaveToQueue()
      case 'rekey':
        leaveOpen(last)
        last = null
        return false
      case 'refused':
        return refuse({ reason: verdict.reason, message: verdict.refusal.message })
      case 'sign-in':
      case 'update':
        return refuse({ reason: verdict.kind, message: verdict.message })
      default:
        return false
    }
  }

  /** Settles this text, and those that it superseded except the `missing`. */
  function settle({ key, unconfirmed: asked }: Sending, missing: readonly string[]): void {
    if (last?.key === key) last = null
    unconfirmed = unconfirmed.filter((one) => !asked.includes(one.key) || missing.includes(one.key))
  }

  /** The server accepted nothing of it, so the next attempt may be of a newer text. */
  function refuse(by: MemoryRefusal): true {
    last = null
    refusal = by
    if (on) notify(false)
    return true
  }

  /** The rows have the words now and will get the same refusal; the editor follows those. */
  function leaveToQueue(): true {
    last = null
    return true
  }

  function merge(sent: Sending, { current, epoch: history }: Stale): boolean {
    const mine = options.current()
    if (!mine) return false
    // The draft's row took in a newer text in between; the next attempt names it. Otherwise an equal version is from
    // another epoch.
    const hasMoved = mine.base.baseVersion > sent.base.baseVersion
    if (hasMoved && current.textVersion <= mine.base.baseVersion) return leaveToQueue()
    const { doc, hash } = measure(current.articleText)
    // What the server accepted and then lost with the old epoch is only in this page. The same holds where the server's
    // data went back to an earlier state without a new epoch.
    const isBack = current.textVersion <= sent.base.baseVersion
    const isOver = (history !== null && history !== epoch) || isBack
    const { baseDoc, baseVersion } = isOver ? mine.writtenBase : mine.base
    const own = ownText(current, baseVersion) ?? baseDoc
    if (!options.show(merge3(own, mine.doc, doc).document)) return false
    const { textVersion, revision: baseRevision } = current
    taken({ baseDoc: doc, baseHash: hash, baseVersion: textVersion, baseRevision }, history)
    settle(sent, missingOf(sent, current))
    return true
  }

  function taken(base: Base, history: string | null): void {
    epoch = history ?? epoch
    options.taken(base, epoch)
  }

  /**
   * Notifies other tabs and the next reload by a small row, if that can be written; the live queries of this tab are
   * notified directly, because a failed write triggers none.
   */
  function notify(sent: boolean): void {
    saidSent = sent
    database.unsaved.set(owner, articleId, { kind: 'memory', sent, refusal })
    note(!sent)
  }

  function note(inMemory: boolean): void {
    void writeNote(inMemory).catch(() => {})
    const everyKey = new RangeSet(Dexie.minKey, Dexie.maxKey)
    Dexie.on.storagemutated.fire({ [`idb://${database.name}/meta/`]: everyKey })
  }

  async function writeNote(inMemory: boolean): Promise<void> {
    const key = memoryNote(articleId)
    if (inMemory) await database.meta.put({ key, value: clock.now() })
    else await database.meta.delete(key)
  }

  return {
    isOn: () => on,
    retryMs: () => Math.min(LOCAL_RETRY_CAP_MS, 1_000 * 2 ** failures),
    start() {
      failures += 1
      // Noted at every failure: other tabs delete the notes of closed pages, and a starting tab deletes this one too.
      const now = options.current()
      const isFirst = !on
      on = true
      if (isFirst) void push()
      notify(!isFirst && now !== null && measure(now.doc).hash === now.base.baseHash)
    },
    stop() {
      failures = 0
      forgetDelay()
      if (!on) return
      on = false
      refusal = null
      database.unsaved.set(owner, articleId, null)
      note(false)
    },
    edited() {
      if (!on) return
      const mayPassNow = refusal?.reason === 'too-large' || refusal?.reason === 'rejected'
      if (mayPassNow) refusal = null
      if (mayPassNow || saidSent) notify(false)
      void push()
    },
    unconfirmed: () =>
      [...unconfirmed, ...(last ? [last] : [])].filter(({ key }) => !handed.has(key)),
    notBefore: () => putOffUntil,
    handedOver(sent) {
      for (const { key } of sent) handed.add(key)
    },
    noteKeepalive(sent) {
      if (on && last?.key !== sent.key) leaveOpen(sent)
    },
    retry() {
      if (!on) return
      refusal = null
      forgetDelay()
      void push()
    },
  }
}

const savesIn = (sent: Sending, verdict: Verdict): readonly EarlierSave[] => {
  if (verdict.kind === 'acknowledged') return ownSaves(sent, verdict.article)
  return verdict.kind === 'stale' ? (verdict.current.arrived ?? []) : []
}
