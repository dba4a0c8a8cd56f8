import { documentHash } from '../../domain/text/canonical.ts'
import type { ArticleText } from '../../domain/text/document.ts'
import type { EarlierSave } from '../../domain/wire/articles.ts'
import type { Ports } from '../ports.ts'
import { retryDelay } from '../protocol/backoff.ts'
import { overwriting, ownSaves, readVerdict, type Verdict } from '../protocol/push-result.ts'
import { saveHeaders } from '../protocol/save-headers.ts'
import type { LocalDatabase, SentKey } from '../store/database.ts'
import { rerunLiveQueries } from '../store/live-queries.ts'
import { memoryNote } from '../store/memory-notes.ts'
import { bodyOf } from '../store/new-entries.ts'
import { isOnlyHere } from '../store/unsaved.ts'
import { causeOf } from '../store/with-retry.ts'
import {
  afterHandOver,
  afterKeepalive,
  type Current,
  type DirectState,
  directAfterEdit,
  directAfterWrite,
  directState,
  nextSave,
  reactTo,
  type Sending,
} from './direct-save-state.ts'
import type { Origin } from './write-draft.ts'

/**
 * Sends the text of an editor straight from memory while this device cannot write it: full disk, broken database. The
 * server is then the only safe place, so there is no autosave delay. A permanent refusal is shown and not repeated,
 * until something may have changed.
 */
export type DirectSave = {
  /** `cause`: why this device could not write. */
  start(cause: unknown): void
  /** The text is stored on this device again. */
  stop(): void
  readonly state: DirectState
  /** The user changed the text. */
  edited(): void
  /** Retries what was refused: the user signed in, asked for it, or came back. */
  retry(): void
  /** The queue has these texts. */
  handedOver(sent: readonly SentKey[]): void
  /** A keepalive save sent this text. */
  noteKeepalive(sent: SentKey): void
}

export type DirectSaveOptions = {
  database: LocalDatabase
  articleId: string
  /** Null without an editor. */
  current: () => Current | null
  /** Shows a merge; false when it must wait. */
  show: (document: ArticleText) => boolean
  /** The server has a text of this editor: what it shows from now on grows from that. */
  taken: (origin: Origin) => void
}

const SEND_TIMEOUT_MS = 20_000
/** Minimum time between two saves. */
const PAUSE_MS = 1_000

/** What the parts of one direct save share. */
type Direct = DirectSaveOptions & {
  ports: Ports
  state: DirectState
  isSending: boolean
  /** Requests in a row without a definite response. */
  attempts: number
  cancelTimer: (() => void) | null
}

export function createDirectSave(ports: Ports, options: DirectSaveOptions): DirectSave {
  const state = directState()
  const direct: Direct = {
    ...options,
    ports,
    state,
    isSending: false,
    attempts: 0,
    cancelTimer: null,
  }
  return {
    get state() {
      return direct.state
    },
    start(cause) {
      // Noted at every failure: other tabs delete the notes of closed pages, and a starting tab deletes this one too.
      const now = direct.current()
      const { isOn, failures } = direct.state
      const isFull = causeOf(cause) === 'no-room'
      direct.state = { ...direct.state, isOn: true, failures: failures + 1, isFull }
      if (!isOn) void push(direct)
      notify(direct, isOn && now !== null && documentHash(now.doc) === now.base.baseHash)
    },
    stop() {
      const { isOn } = direct.state
      direct.state = directAfterWrite(direct.state)
      forgetDelay(direct)
      if (isOn) announce(direct)
    },
    edited() {
      if (!direct.state.isOn) return
      const before = direct.state
      direct.state = directAfterEdit(before)
      if (direct.state !== before) announce(direct)
      void push(direct)
    },
    retry() {
      if (!direct.state.isOn) return
      direct.state = { ...direct.state, refusal: null }
      forgetDelay(direct)
      void push(direct)
    },
    handedOver(sent) {
      direct.state = afterHandOver(direct.state, sent)
    },
    noteKeepalive(sent) {
      direct.state = afterKeepalive(direct.state, sent)
    },
  }
}

/** Sends one request at a time, and the next one after a pause. */
async function push(direct: Direct): Promise<void> {
  const { ports, isSending, cancelTimer } = direct
  const current = direct.current()
  if (!direct.state.isOn || direct.state.refusal || isSending || cancelTimer || !current) return
  const next = nextSave(direct.state, current, ports.newId)
  if (next === null) return notify(direct, true)
  direct.state = next.state
  direct.isSending = true
  // Code that is loaded on demand may not come.
  const verdict = await exchange(direct, next.save).catch(() => null)
  const isSettled = verdict !== null && react(direct, next.save, verdict)
  const waitMs = verdict?.kind === 'retry' ? verdict.waitMs : null
  direct.isSending = false
  direct.attempts = isSettled ? 0 : direct.attempts + 1
  direct.state = { ...direct.state, notBefore: waitMs === null ? null : ports.clock.now() + waitMs }
  const delay = isSettled ? PAUSE_MS : retryDelay(direct.attempts, ports.random)
  if (!direct.state.refusal) later(direct, Math.max(delay, waitMs ?? 0))
}

/** Returns false when the outcome is unknown or the wait is not over. */
function react(direct: Direct, sent: Sending, verdict: Verdict): boolean {
  const reaction = reactTo(direct.state, sent, verdict, direct.current())
  if (reaction.show && !direct.show(reaction.show)) return false
  direct.state = { ...direct.state, ...reaction.change }
  if (reaction.origin) direct.taken(reaction.origin)
  if (reaction.change.isSent !== undefined) announce(direct)
  return reaction.isSettled
}

function later(direct: Direct, ms: number): void {
  if (!direct.state.isOn && direct.state.notBefore === null) return
  direct.cancelTimer = direct.ports.clock.after(ms, () => {
    direct.cancelTimer = null
    direct.state = { ...direct.state, notBefore: null }
    void push(direct)
  })
}

/** A wait that the server asked for is kept, also while there is nothing to send. */
function forgetDelay(direct: Direct): void {
  if (direct.state.notBefore !== null) return
  direct.cancelTimer?.()
  direct.cancelTimer = null
}

function notify(direct: Direct, isSent: boolean): void {
  direct.state = { ...direct.state, isSent }
  announce(direct)
}

/**
 * Notifies other tabs and the next reload by a small row, if that can be written; live queries are run again directly,
 * because a failed write triggers none.
 */
function announce(direct: Direct): void {
  const { database, articleId, ports } = direct
  const { isOn, isFull, isSent, refusal } = direct.state
  const unsaved = isOn ? ({ kind: 'memory', isFull, sent: isSent, refusal } as const) : null
  database.unsaved.set(direct, articleId, unsaved)
  const key = memoryNote(articleId)
  const note = isOnlyHere(unsaved)
    ? database.meta.put({ key, value: ports.clock.now() })
    : database.meta.delete(key)
  Promise.resolve(note).catch(() => {})
  rerunLiveQueries()
}

/** The server's verdict; null when the outcome is unknown, or when text that the save overwrote is not in the editor. */
async function exchange(direct: Direct, sent: Sending): Promise<Verdict | null> {
  const { articleId, ports } = direct
  const answer = await ports
    .send({
      method: 'PATCH',
      path: `/articles/${articleId}`,
      body: bodyOf(sent.text.doc),
      headers: saveHeaders(sent, sent.epoch),
      timeoutMs: SEND_TIMEOUT_MS,
    })
    .catch(() => null)
  const verdict = answer && readVerdict(answer, articleId, ports.clock.now())
  return verdict && (await restoreOverwritten(direct, sent, savesIn(sent, verdict)))
    ? verdict
    : null
}

/** The server did not receive the conditions. Returns false when overwritten text is not in the editor yet. */
async function restoreOverwritten(
  { ports, articleId, current, show }: Direct,
  sent: Sending,
  saves: readonly EarlierSave[],
): Promise<boolean> {
  if (overwriting(sent, saves).length === 0) return true
  const { fetchOverwritten, mergeOverwritten } = await import('./overwritten-texts.ts')
  const lost = await fetchOverwritten(ports.send, articleId, sent, saves).catch(() => null)
  const now = current()
  if (now === null || lost === null) return now === null
  const { baseDoc } = sent.base
  return lost.length === 0 || show(mergeOverwritten({ ...now, baseDoc }, lost).document)
}

const savesIn = (sent: Sending, verdict: Verdict): readonly EarlierSave[] => {
  if (verdict.kind === 'acknowledged') return ownSaves(sent, verdict.article)
  return verdict.kind === 'stale' ? (verdict.current.arrived ?? []) : []
}
