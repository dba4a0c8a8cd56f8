import { SUPERSEDED_MAX } from '../../domain/limits.ts'
import { documentHash } from '../../domain/text/canonical.ts'
import type { ArticleDocument, ArticleText } from '../../domain/text/document.ts'
import { merge3 } from '../merge/merge3.ts'
import {
  missingOf,
  ownText,
  type SentSave,
  type Stale,
  type Verdict,
} from '../protocol/push-result.ts'
import type { SentKey } from '../store/database.ts'
import { measure, type TextStats } from '../store/text-stats.ts'
import type { MemoryRefusal } from '../store/unsaved.ts'
import { type Base, conditionOf, type Origin } from './write-draft.ts'

/** What was sent of a text that this device cannot write, and what the server made of it. */
export type DirectState = {
  /** The text is in memory alone. */
  isOn: boolean
  /** Failed local writes in a row. */
  failures: number
  /** The last one failed for lack of room. */
  isFull: boolean
  refusal: MemoryRefusal | null
  /** What the screens show: the server has all of the text. */
  isSent: boolean
  /** The server named the time of the next attempt (ms since 1970); no request is sent before it. */
  notBefore: number | null
  /** The last send, until there is a definite response: the same text is sent under the same key. */
  last: SentKey | null
  /** Earlier texts without a response, which the next save supersedes. */
  unconfirmed: readonly SentKey[]
  /** Keys that the queue has. */
  handedOver: readonly string[]
}

/** What the editor shows, what it grew from, and what the draft's row says that it grew from. */
export type Current = Origin & {
  doc: ArticleDocument
  writtenBase: Base
  typedRuns?: readonly string[]
}

/** What is sent: the text that the editor showed, and what it grew from. */
export type Sending = SentSave & Origin & { text: TextStats; unconfirmed: string[] }

/** What follows from a response. */
export type Reaction = {
  /** False when the outcome is unknown or the wait is not over. */
  isSettled: boolean
  /** With `isSent` where the screens must be notified. */
  change: Partial<DirectState>
  /** To be shown first; while the editor cannot, nothing of the reaction holds and the outcome stays unknown. */
  show?: ArticleText
  /** What the editor's text grows from now. */
  origin?: Origin
}

const LOCAL_RETRY_CAP_MS = 10_000

export const directState = (): DirectState => ({
  isOn: false,
  failures: 0,
  isFull: false,
  refusal: null,
  isSent: false,
  notBefore: null,
  last: null,
  unconfirmed: [],
  handedOver: [],
})

/** Milliseconds until the local write should be tried again. */
export const localRetryMs = ({ failures }: DirectState): number =>
  Math.min(LOCAL_RETRY_CAP_MS, 1_000 * 2 ** failures)

export const directAfterWrite = (state: DirectState): DirectState =>
  state.isOn ? { ...state, isOn: false, failures: 0, refusal: null } : { ...state, failures: 0 }

/** The server has not all of the text any more, and may accept it where it refused the text before. */
export function directAfterEdit(state: DirectState): DirectState {
  const mayPass = state.refusal?.reason === 'too-large' || state.refusal?.reason === 'rejected'
  if (!state.isSent && !mayPass) return state
  return { ...state, isSent: false, refusal: mayPass ? null : state.refusal }
}

function withUnconfirmed(state: DirectState, sent: SentKey | null): DirectState {
  if (!sent || state.unconfirmed.some(({ key }) => key === sent.key)) return state
  return { ...state, unconfirmed: [...state.unconfirmed, sent].slice(-SUPERSEDED_MAX) }
}

/** Its outcome is unknown, as that of every other save without a response. */
export const afterKeepalive = (state: DirectState, sent: SentKey): DirectState =>
  state.isOn && state.last?.key !== sent.key ? withUnconfirmed(state, sent) : state

export const afterHandOver = (state: DirectState, sent: readonly SentKey[]): DirectState => ({
  ...state,
  handedOver: [...state.handedOver, ...sent.map(({ key }) => key)],
})

/** Texts that were sent without a response and that the queue does not have. */
export const notHandedOver = ({ unconfirmed, last, handedOver }: DirectState): SentKey[] =>
  [...unconfirmed, ...(last ? [last] : [])].filter(({ key }) => !handedOver.includes(key))

/** The next request; null when the server has everything. */
export function nextSave(
  state: DirectState,
  { doc, base, epoch }: Current,
  newId: () => string,
): { state: DirectState; save: Sending } | null {
  const text = measure(doc)
  const { last: sent } = state
  if (text.hash === base.baseHash && sent === null && state.unconfirmed.length === 0) return null
  const isSame = sent?.hash === text.hash
  const last = isSame ? sent : { key: newId(), hash: text.hash }
  const { unconfirmed } = isSame ? state : withUnconfirmed(state, sent)
  return {
    state: { ...state, last, unconfirmed },
    save: {
      key: last.key,
      ifMatch: conditionOf(base),
      unconfirmed: unconfirmed.map(({ key }) => key),
      text,
      base,
      epoch,
    },
  }
}

/** `current`: what the editor shows by now; null without an editor. */
export function reactTo(
  state: DirectState,
  sent: Sending,
  verdict: Verdict,
  current: Current | null,
): Reaction {
  switch (verdict.kind) {
    case 'acknowledged': {
      const { textVersion: baseVersion, revision: baseRevision } = verdict.article
      const { doc: baseDoc, hash: baseHash } = sent.text
      return {
        isSettled: true,
        change: {
          ...settled(state, sent, []),
          ...(state.isOn && { isSent: current !== null && documentHash(current.doc) === baseHash }),
        },
        origin: {
          base: { baseDoc, baseHash, baseVersion, baseRevision },
          epoch: verdict.epoch ?? sent.epoch,
        },
      }
    }
    case 'stale':
      return state.isOn ? merged(state, sent, verdict, current) : LEFT_TO_QUEUE
    case 'rekey':
      return {
        isSettled: false,
        change: { last: null, unconfirmed: withUnconfirmed(state, state.last).unconfirmed },
      }
    case 'refused':
      return refused(state, { reason: verdict.reason, message: verdict.refusal.message })
    case 'sign-in':
    case 'update':
      return refused(state, { reason: verdict.kind, message: verdict.message })
    default:
      return UNKNOWN
  }
}

const UNKNOWN: Reaction = { isSettled: false, change: {} }

/** The rows have the words now and will get the same refusal; the editor follows those. */
const LEFT_TO_QUEUE: Reaction = { isSettled: true, change: { last: null } }

/** The server accepted nothing of it, so the next attempt may be of a newer text. */
const refused = ({ isOn }: DirectState, refusal: MemoryRefusal): Reaction => ({
  isSettled: true,
  change: { last: null, refusal, ...(isOn && { isSent: false }) },
})

function merged(
  state: DirectState,
  sent: Sending,
  { current, epoch }: Stale,
  mine: Current | null,
): Reaction {
  if (!mine) return UNKNOWN
  const { textVersion, revision: baseRevision } = current
  // The draft's row took in a newer text in between; the next attempt names it. Otherwise an equal version is from
  // another epoch.
  const hasMoved = mine.base.baseVersion > sent.base.baseVersion
  if (hasMoved && textVersion <= mine.base.baseVersion) return LEFT_TO_QUEUE
  // What the server accepted and then lost with the old epoch is only in this page. The same holds where the server's
  // data went back to an earlier state without a new epoch.
  const isBack = textVersion <= sent.base.baseVersion
  const isOver = (epoch !== null && epoch !== sent.epoch) || isBack
  const { baseDoc, baseVersion } = isOver ? mine.writtenBase : mine.base
  const own = ownText(current, baseVersion) ?? baseDoc
  const { doc, hash: baseHash } = measure(current.articleText)
  return {
    isSettled: true,
    show: merge3(own, mine.doc, doc, { mine: mine.typedRuns }).document,
    change: settled(state, sent, missingOf(sent, current)),
    origin: {
      base: { baseDoc: doc, baseHash, baseVersion: textVersion, baseRevision },
      epoch: epoch ?? sent.epoch,
    },
  }
}

/** Settles this text, and those that it superseded except the `missing`. */
const settled = (
  { last, unconfirmed }: DirectState,
  { key, unconfirmed: asked }: Sending,
  missing: readonly string[],
): Pick<DirectState, 'last' | 'unconfirmed'> => ({
  last: last?.key === key ? null : last,
  unconfirmed: unconfirmed.filter((one) => !asked.includes(one.key) || missing.includes(one.key)),
})
