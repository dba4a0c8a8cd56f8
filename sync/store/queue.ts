import { Dexie } from 'dexie'
import { AUTOSAVE_MAX_WAIT_MS, AUTOSAVE_QUIET_MS, SUPERSEDED_MAX } from '../../domain/limits.ts'
import type { BlockedReason } from '../protocol/push-result.ts'
import type { DraftRow, OutboxRow, TextEntry } from './database.ts'
import { type NewText, pendingText } from './new-entries.ts'
import type { In, Tables } from './transaction.ts'

/**
 * The changes on their way to the server. Strictly first in, first out within an article; articles do not wait for each
 * other.
 *
 *     typing ──▶ pending ──first send──▶ inflight ──2xx──▶ (deleted)
 *                 ▲  ▲ │ typing leaves      │ │
 *                 │  └─┘ it as it is        │ └─ no response, 5xx: retry, with what was typed since
 *                 │                         │
 *                 ├───────── 412, merged ───┤
 *                 └─ reopened, edited ─ blocked ◀─ refused permanently
 *
 * A text entry has no text of its own: the draft is its text, so only the newest is ever sent. An article has at most
 * two: one in flight, and a pending one with what was typed since. An unconfirmed save is not sent again once the draft
 * has moved on: the next save lists its key as superseded, and the server returns which of them arrived. An unsent
 * completion is always queued after the text. Blocked entries delay no other entry.
 */

export const entriesOf = ({ outbox }: Tables<'outbox'>, articleId: string): Promise<OutboxRow[]> =>
  outbox
    .where('[articleId+seq]')
    .between([articleId, Dexie.minKey], [articleId, Dexie.maxKey])
    .toArray()

/** The queue of each of these articles, in order. One request for all entries is faster than one for each article. */
export async function queuesOf(
  { outbox }: Tables<'outbox'>,
  ids: readonly string[],
): Promise<Map<string, OutboxRow[]>> {
  const queues = new Map<string, OutboxRow[]>(ids.map((id) => [id, []]))
  for (const entry of await outbox.toArray()) queues.get(entry.articleId)?.push(entry)
  return queues
}

/**
 * `entries`: those of the article. `maybeSent`: this text may have been sent under this key. `unconfirmed`: keys of earlier
 * texts that are part of the draft.
 */
export type TextChange = {
  key: string
  unconfirmed?: readonly string[]
  /** Time before which the server accepts no other text. */
  notBefore?: number | null | undefined
  editedAt: number
  entries: readonly OutboxRow[]
  maybeSent?: true | undefined
}

/** The block is lifted by an external event (reopened, shared again); until then edits stay in the draft. */
export const isLiftedByOthers = (reason: BlockedReason | null): boolean =>
  reason === 'completed' || reason === 'revoked' || reason === 'deleted'

/** The text of the article that is in flight, and the pending one. */
export function textsIn(entries: readonly OutboxRow[]): {
  sent: TextEntry | undefined
  waiting: TextEntry | undefined
} {
  const texts = entries.filter(isText)
  return { sent: texts.find(isInflight), waiting: texts.find((entry) => !isInflight(entry)) }
}

export const isText = (entry: OutboxRow): entry is TextEntry => entry.kind === 'text'

export const isInflight = ({ state }: OutboxRow): boolean => state === 'inflight'

/** Whether the server may have a text of this entry, or from before it, without this computer knowing. */
export const isUnconfirmed = ({ maybeSent, unconfirmed = [] }: TextEntry): boolean =>
  maybeSent === true || unconfirmed.length > 0

/** For an entry that supersedes what was sent under these keys: of too many, the newest. */
export function superseding(...keys: readonly (readonly string[] | undefined)[]): {
  unconfirmed?: string[]
} {
  const all = [...new Set(keys.flatMap((some) => some ?? []))].slice(-SUPERSEDED_MAX)
  return all.length === 0 ? {} : { unconfirmed: all }
}

/** Row changes of the queue: `put` and `drop` are its rows, `behind` is added at the end. */
type TextPlan = {
  dirty: 0 | 1
  isMoved: boolean
  put?: NewText
  drop?: number
  behind?: OutboxRow
}

/**
 * Makes the queue match the new `draft`: no entry when the server has (or is being sent) just this text, else one
 * pending entry. An existing entry stays when its words were undone: the server's text may have moved on in between,
 * which only the push loop checks. Returns the draft's `dirty`, and whether a due time changed.
 */
export async function queueText(
  tables: In<'outbox'>,
  draft: DraftRow,
  change: TextChange,
): Promise<{ dirty: 0 | 1; isMoved: boolean }> {
  const { put, drop, behind, ...outcome } = planFor(draft, change)
  if (drop !== undefined) await tables.outbox.delete(drop)
  if (put) await tables.outbox.put(put)
  if (behind) await moveToEnd(tables, behind)
  return outcome
}

function planFor(draft: DraftRow, change: TextChange): TextPlan {
  const { entries, editedAt } = change
  const { sent, waiting } = textsIn(entries)
  const isLeftBehind = waiting?.maybeSent && waiting.key !== change.key
  const earlier = superseding(
    waiting?.unconfirmed,
    isLeftBehind ? [waiting.key] : [],
    change.unconfirmed?.filter((key) => ![change.key, sent?.key].includes(key)),
  )
  const isOpen = earlier.unconfirmed !== undefined || (waiting?.maybeSent && !isLeftBehind)
  const nothingNew = draft.hash === (sent?.sentHash ?? draft.baseHash)
  if (nothingNew && (sent || !waiting) && !isOpen) {
    return { dirty: sent ? 1 : 0, isMoved: false, ...(waiting && { drop: waiting.seq }) }
  }
  const staysBlocked = waiting?.state === 'blocked' && isLiftedByOthers(waiting.blockedReason)
  if (staysBlocked && (!nothingNew || isOpen)) {
    return { dirty: 1, isMoved: false, put: { ...waiting, ...earlier } }
  }
  const completion = entries.find(isUnsentCompletion)
  const isKnown = String(earlier.unconfirmed) === String(waiting?.unconfirmed)
  if (waiting && isKnown && isReady(waiting, change, completion !== undefined)) {
    return { dirty: 1, isMoved: false }
  }
  const firstEditAt = waiting?.state === 'pending' ? waiting.firstEditAt : editedAt
  const notBefore = change.notBefore ?? (waiting?.state === 'pending' ? waiting.notBefore : null)
  const quiet = completion ? editedAt : quietAt(editedAt, firstEditAt)
  const put: NewText = {
    ...pendingText(draft.articleId, {
      key: change.key,
      dueAt: Math.max(quiet, notBefore ?? 0),
      firstEditAt,
    }),
    ...(!completion && { debounced: 1 as const }),
    ...(change.maybeSent && { maybeSent: true as const }),
    ...earlier,
    notBefore,
    ...(waiting && { seq: waiting.seq, conflicts: waiting.conflicts }),
    ...(waiting?.restored !== undefined && { restored: waiting.restored }),
  }
  return { dirty: 1, isMoved: true, put, ...(!waiting && completion && { behind: completion }) }
}

/**
 * A page that may be closed sent the pending text under this key. If the pending text has another key, as it was
 * blocked or edited since, the sent one may have arrived too.
 */
export async function noteSent(
  tables: In<'outbox'>,
  articleId: string,
  key: string,
): Promise<void> {
  const entries = await entriesOf(tables, articleId)
  const { waiting } = textsIn(entries)
  if (waiting === undefined || entries.some((entry) => entry.key === key)) {
    if (waiting?.key === key && waiting.state === 'pending')
      await tables.outbox.update(waiting.seq, { maybeSent: true })
    return
  }
  await tables.outbox.update(waiting.seq, superseding(waiting.unconfirmed, [key]))
}

/**
 * The pending text replaces the one in flight, as `next`: with what was typed since, and the keys of both. The state of
 * failed attempts is kept.
 */
export async function absorb(
  { outbox }: In<'outbox'>,
  { sent, waiting }: { sent: TextEntry; waiting: TextEntry },
): Promise<TextEntry> {
  const { attempts, dueAt, notBefore, failedAt, lastError, isAnswered, unreachable } = sent
  const tries = { attempts, dueAt, notBefore, failedAt, lastError, unreachable }
  const next: TextEntry = {
    ...waiting,
    ...tries,
    ...(isAnswered !== undefined && { isAnswered }),
    ...superseding(sent.unconfirmed, [sent.key], waiting.unconfirmed),
    debounced: 0,
    seq: sent.seq,
  }
  await outbox.delete(waiting.seq)
  await outbox.put(next)
  return next
}

/** Whether the entry already covers the change: most typing then writes nothing here. */
function isReady(entry: TextEntry, change: TextChange, hurried: boolean): boolean {
  const { key, editedAt, maybeSent } = change
  if (entry.state !== 'pending' || entry.key !== key || entry.maybeSent !== maybeSent) return false
  return entry.debounced === 1 ? !hurried : entry.dueAt <= editedAt
}

/** When the autosave delay ends for a text that was changed at `editedAt`, and first at `firstEditAt`. */
export const quietAt = (editedAt: number, firstEditAt: number): number =>
  Math.min(editedAt + AUTOSAVE_QUIET_MS, firstEditAt + AUTOSAVE_MAX_WAIT_MS)

export const isUnsentCompletion = (entry: OutboxRow): boolean =>
  entry.kind === 'control' && entry.state === 'pending'

async function moveToEnd({ outbox }: In<'outbox'>, entry: OutboxRow): Promise<void> {
  const { seq, ...rest } = entry
  await outbox.delete(seq)
  await outbox.add(rest)
}

/** The entry that a response belongs to, or null when it was settled before (a stolen lock, a late response). */
export async function stillInflight(
  { outbox }: In<'outbox'>,
  sent: OutboxRow,
): Promise<OutboxRow | null> {
  const entry = await outbox.get(sent.seq)
  return isSameFlight(entry, sent) ? entry : null
}

export const isSameFlight = (entry: OutboxRow | undefined, sent: OutboxRow): entry is OutboxRow =>
  entry?.state === 'inflight' && entry.seq === sent.seq && entry.key === sent.key

/** Replaces all text of the article in the queue by one pending entry in the place of the first. */
export async function requeueText(
  tables: In<'outbox'>,
  articleId: string,
  entry: NewText | null,
): Promise<void> {
  const { outbox } = tables
  const texts = (await entriesOf(tables, articleId)).filter(({ kind }) => kind === 'text')
  const [first, ...others] = texts
  await outbox.bulkDelete(others.map(({ seq }) => seq))
  if (entry) await outbox.put(first ? { ...entry, seq: first.seq } : entry)
  else if (first) await outbox.delete(first.seq)
}

/** For an entry without autosave delay. */
export const withoutDelay = (dueAt: number) => ({ dueAt, debounced: 0 as const })

/** As soon as possible, but not before the server accepts it. */
export const dueSoonest = ({ dueAt, notBefore }: OutboxRow, now: number) =>
  withoutDelay(Math.max(Math.min(dueAt, now), notBefore ?? 0))
