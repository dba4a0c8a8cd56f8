import { Dexie, RangeSet } from 'dexie'
import { documentHash } from '../../domain/canonical.ts'
import type { ArticleDocument, ArticleText } from '../../domain/document.ts'
import { tagOf } from '../../domain/state-tag.ts'
import { merge3 } from '../merge/merge3.ts'
import type { Ports } from '../ports.ts'
import { retryDelay } from '../protocol/backoff.ts'
import {
  type Replaced,
  readVerdict,
  replacedUnseen,
  type Stale,
  type Verdict,
} from '../protocol/reaction.ts'
import type { LocalDatabase, SentText } from '../store/database.ts'
import { measure } from '../store/measured-text.ts'
import { memoryNote } from '../store/memory-notes.ts'
import { bodyOf, sentAs } from '../store/new-entries.ts'
import type { MemoryRefusal } from '../store/unwritten.ts'
import type { Base } from './drafts.ts'

/**
 * Sends the text of an editor straight from memory while this computer cannot write it: full disk, broken
 * database. The server is then the only safe place, so nothing waits for a pause in typing. What the
 * server refuses for good is said and not repeated, until something may have changed.
 */
export type MemoryPush = {
  start(): void
  /** The text is on this computer again. */
  stop(): void
  isOn(): boolean
  /** The user changed the text. */
  edited(): void
  /** What was refused may be taken now: the person signed in, asked for it, or came back. */
  retry(): void
  /** Milliseconds until the local write should be tried again. */
  retryMs(): number
  /**
   * A text that was sent and whose answer did not come, and before when (ms since 1970) the server does not want to
   * see it again. Null when there is none that the queue does not know.
   */
  unanswered(): Unanswered | null
  /** The queue was told of it. */
  handedOver(sent: SentFromMemory): void
  /** The page sent it as it was left: its outcome is asked for like that of every other. */
  sentBeside(sent: SentFromMemory): void
}

export type MemoryPushOptions = {
  database: LocalDatabase
  articleId: string
  /** The history of the server's data that the text grew from, or an earlier one; null when none is known. */
  epoch: string | null
  /** What the editor shows and what it grew from, as the rows have it too; null without an editor. */
  current: () => { doc: ArticleDocument; base: Base; writtenBase: Base } | null
  /** Shows a merge; false when it must wait. */
  show: (document: ArticleText) => boolean
  /** The server, in the history `epoch`, has a text of this editor: what it shows from now on grows from that. */
  taken: (base: Base, epoch: string | null) => void
}

const LOCAL_RETRY_CAP_MS = 10_000
const SEND_TIMEOUT_MS = 20_000
/** The server is asked this often at most. */
const PAUSE_MS = 1_000

export type SentFromMemory = { idem: string; doc: ArticleDocument; base: Base }
export type Unanswered = { sent: SentFromMemory; notBefore: number | null }
/** `waitMs`: what the server asked for, null when it named no time. */
type Exchanged = { isSettled: boolean; waitMs: number | null }

const UNKNOWN: Exchanged = { isSettled: false, waitMs: null }
/** Each is asked for by a request of its own. */
const SENT_PAST_MAX = 8

const conditionOf = ({ base: { baseTv, baseRevision } }: SentFromMemory): string =>
  tagOf({ version: 0, textVersion: baseTv, revision: baseRevision })

export function createMemoryPush(ports: Ports, options: MemoryPushOptions): MemoryPush {
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
  /** The server named the time of the next try, and nothing goes before it. */
  let putOffUntil: number | null = null
  /** Never a later one than that of the base: an earlier one costs a merge, a later one somebody's words. */
  let epoch = options.epoch
  /** Fixed bytes under a fixed key until there is a definite answer. */
  let frozen: SentFromMemory | null = null
  /** The queue asks for it too, and hears first when its base moved on since. */
  let handed: SentFromMemory | null = null
  /** What the page sent past the text on its way as it was left: it may have arrived before that one. */
  let sentPast: SentFromMemory[] = []
  const ownKeys = new Set<string>()

  async function push(): Promise<void> {
    const current = options.current()
    if (!on || sending || refusal || cancel || !current) return
    if (frozen && frozen === handed && frozen.base.baseTv !== current.base.baseTv) frozen = null
    if (!frozen && measure(current.doc).hash !== current.base.baseHash) {
      frozen = { idem: newId(), doc: current.doc, base: current.base }
    }
    if (!frozen) return tell(true)
    sending = true
    const { isSettled, waitMs } = await exchange(frozen)
    sending = false
    attempts = isSettled ? 0 : attempts + 1
    putOffUntil = waitMs === null ? null : clock.now() + waitMs
    const delay = isSettled ? PAUSE_MS : retryDelay(attempts, random)
    if (!refusal) later(Math.max(delay, waitMs ?? 0))
  }

  function later(ms: number): void {
    if (!on && putOffUntil === null) return
    cancel = clock.after(ms, () => {
      cancel = null
      putOffUntil = null
      void push()
    })
  }

  /** What the server asked for stays, also over a time in which nothing is to be sent. */
  function forgetDelay(): void {
    if (putOffUntil !== null) return
    cancel?.()
    cancel = null
  }

  async function exchange(sent: SentFromMemory): Promise<Exchanged> {
    const verdict = await ask(sent)
    if (verdict === null) return UNKNOWN
    if (verdict.kind === 'acknowledged') {
      const replaced = replacedUnseen(conditionOf(sent), verdict.article)
      const open = replaced && (await askSentPast())
      if (open) return open
      if (replaced && !(await meet(sent, replaced))) return UNKNOWN
    }
    const isSettled = react(sent, verdict)
    return { isSettled, waitMs: verdict.kind === 'retry' ? verdict.waitMs : null }
  }

  /** Null when no response came. */
  async function ask(sent: SentFromMemory): Promise<Verdict | null> {
    ownKeys.add(sent.idem)
    const answer = await send({
      method: 'PATCH',
      path: `/articles/${articleId}`,
      body: bodyOf(sent.doc),
      headers: {
        'Idempotency-Key': sent.idem,
        'If-Match': conditionOf(sent),
        ...(epoch !== null && { 'Server-Epoch': epoch }),
      },
      timeoutMs: SEND_TIMEOUT_MS,
    }).catch(() => null)
    return answer && readVerdict(answer, articleId, clock.now())
  }

  /**
   * Conditions do not reach the server, so what was sent past it may have replaced a text too, before it was replaced itself.
   * Null when every outcome is known.
   */
  async function askSentPast(): Promise<Exchanged | null> {
    for (const sent of sentPast) {
      const verdict = await ask(sent)
      if (verdict?.kind === 'retry') return { isSettled: false, waitMs: verdict.waitMs }
      if (verdict === null || verdict.kind === 'sign-in' || verdict.kind === 'update')
        return UNKNOWN
      if (verdict.kind === 'acknowledged') {
        const replaced = replacedUnseen(conditionOf(sent), verdict.article)
        if (replaced && !(await meet(sent, replaced))) return UNKNOWN
      }
      sentPast = sentPast.filter((one) => one !== sent)
    }
    return null
  }

  /** The editor has what this page wrote itself. */
  const meet = async (sent: SentFromMemory, replaced: Replaced): Promise<boolean> =>
    ownKeys.has(replaced.revision ?? '') || bringBack(sent, replaced)

  /** Its condition did not reach the server. False when the text that was overwritten is not in the editor yet. */
  async function bringBack({ base }: SentFromMemory, replaced: Replaced): Promise<boolean> {
    const lost = await import('./replaced-text.ts')
      .then(({ fetchReplaced }) => fetchReplaced(send, articleId, replaced))
      .catch(() => null)
    const now = options.current()
    if (lost === 'gone' || now === null) return true
    return lost !== null && options.show(merge3(base.baseDoc, now.doc, lost.doc).document)
  }

  /** False when the outcome is unknown or the time has not come. */
  function react(sent: SentFromMemory, verdict: Verdict): boolean {
    switch (verdict.kind) {
      case 'acknowledged': {
        frozen = null
        const { doc, hash } = measure(sent.doc)
        const { textVersion: baseTv, revision: baseRevision } = verdict.article
        taken({ baseDoc: doc, baseHash: hash, baseTv, baseRevision }, verdict.epoch)
        const now = options.current()
        if (on) tell(now !== null && measure(now.doc).hash === hash)
        return true
      }
      case 'stale':
        return on ? merge(sent, verdict) : leaveToQueue()
      case 'rekey':
        frozen = { ...sent, idem: newId() }
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

  /** No byte of it was taken, so the next try may be of a newer text. */
  function refuse(by: MemoryRefusal): true {
    frozen = null
    refusal = by
    if (on) tell(false)
    return true
  }

  /** The rows have the words by now and will meet the same refusal; the editor follows those. */
  function leaveToQueue(): true {
    frozen = null
    return true
  }

  function merge(sent: SentFromMemory, { current, epoch: history }: Stale): boolean {
    const mine = options.current()
    if (!mine) return false
    // The text took in a later one meanwhile, by the rows; its next try says so. Where it did not, an equal
    // number is of another history of the server's data.
    const hasMoved = mine.base.baseTv > sent.base.baseTv
    if (hasMoved && current.textVersion <= mine.base.baseTv) return leaveToQueue()
    const { doc, hash } = measure(current.articleText)
    // What the server took since, and has lost with the history that is over, is nowhere but in this page.
    // Nor is it where the server's data went back to an earlier state and no new epoch tells of it.
    const isBack = current.textVersion <= sent.base.baseTv
    const isOver = (history !== null && history !== epoch) || isBack
    const { baseDoc } = isOver ? mine.writtenBase : mine.base
    if (!options.show(merge3(baseDoc, mine.doc, doc).document)) return false
    const { textVersion: baseTv, revision: baseRevision } = current
    taken({ baseDoc: doc, baseHash: hash, baseTv, baseRevision }, history)
    frozen = null
    return true
  }

  function taken(base: Base, history: string | null): void {
    epoch = history ?? epoch
    options.taken(base, epoch)
  }

  /**
   * Other tabs and the next reload learn of it by a small row, if that can be written; the live queries of
   * this tab are told by hand, because a failed write tells nobody.
   */
  function tell(sent: boolean): void {
    saidSent = sent
    database.unwritten.set(owner, articleId, { kind: 'memory', sent, refusal })
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
      // Said at every failure: other tabs take the notes of gone pages away, and one that starts also this one.
      const now = options.current()
      const isFirst = !on
      on = true
      if (isFirst) void push()
      tell(!isFirst && now !== null && measure(now.doc).hash === now.base.baseHash)
    },
    stop() {
      failures = 0
      forgetDelay()
      if (!on) return
      on = false
      refusal = null
      database.unwritten.set(owner, articleId, null)
      note(false)
    },
    edited() {
      if (!on) return
      const mayPassNow = refusal?.reason === 'too-large' || refusal?.reason === 'rejected'
      if (mayPassNow) refusal = null
      if (mayPassNow || saidSent) tell(false)
      void push()
    },
    unanswered: () =>
      frozen && frozen !== handed ? { sent: frozen, notBefore: putOffUntil } : null,
    handedOver(sent) {
      handed = sent
    },
    sentBeside(sent) {
      if (!on) return
      if (frozen === null && !sending) frozen = sent
      const isKnown = [...sentPast, frozen].some((one) => one?.idem === sent.idem)
      if (!isKnown && sentPast.length < SENT_PAST_MAX) sentPast.push(sent)
    },
    retry() {
      if (!on) return
      refusal = null
      forgetDelay()
      void push()
    },
  }
}

/** It only asks what became of its key: a condition that may hold by now, in another history, would be a new send. */
export function asEntry({ sent: { doc, idem }, notBefore }: Unanswered, rev: number): SentText {
  const sent = sentAs({ doc, hash: documentHash(doc), rev }, { idem, on: { textVersion: 0 } })
  return notBefore === null ? sent : { ...sent, nextAt: notBefore, notBefore }
}
