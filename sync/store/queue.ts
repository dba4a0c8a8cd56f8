import { Dexie } from 'dexie'
import { documentHash } from '../../domain/canonical.ts'
import type { ArticleText } from '../../domain/document.ts'
import { AUTOSAVE_MAX_WAIT_MS, AUTOSAVE_QUIET_MS } from '../../domain/limits.ts'
import { tagOf } from '../../domain/state-tag.ts'
import type { HeldReason } from '../protocol/reaction.ts'
import type { DraftRow, LocalDatabase, OutboxRow, RescueRow, SentText } from './database.ts'
import { readDraftJson } from './draft-rows.ts'
import { bodyOfJson, type NewEntry, pendingText, sentAs } from './new-entries.ts'

/**
 * The changes on their way to the server. Strictly first in, first out within an article; articles do not
 * wait for each other.
 *
 *     typing ──▶ pending ──first send──▶ inflight ──2xx──▶ (deleted)
 *                 ▲  ▲ │ typing leaves      │ │
 *                 │  └─┘ it as it is        │ └─ no answer, 5xx: the same bytes, the same key, again
 *                 │                         │
 *                 ├───────── 412, merged ───┤
 *                 └─ reopened, edited ─ held ◀─ refused for good
 *
 * A text entry has no text of its own until it is sent: the draft is its text, so only the newest is ever
 * sent. Once sent it may have arrived, so its bytes and key stay as they are until there is a definite
 * answer, and later typing collects in one pending successor. A page that is hidden may send what waits past
 * the entry on its way: when it is typed on, that one is fixed too and waits for its turn to ask what became
 * of it, a few of them per article at most. A completion that was not sent yet always stands behind the
 * text. Held entries block nobody.
 *
 * All functions here run inside a transaction of the caller that covers `outbox`.
 */

export const entriesOf = (database: LocalDatabase, articleId: string): Promise<OutboxRow[]> =>
  database.outbox
    .where('[articleId+seq]')
    .between([articleId, Dexie.minKey], [articleId, Dexie.maxKey])
    .toArray()

/**
 * `entries`: those of the article as they stand; `before`: its draft, null when there was none. `maybeSent`: this
 * very text was, under this key.
 */
export type TextChange = {
  idem: string
  /** A part of the draft that may have been sent before; it is asked for first. */
  sent?: SentText | null
  editedAt: number
  entries: OutboxRow[]
  before: DraftRow | null
  maybeSent?: true | undefined
}

/** Of one article at most, because each keeps a whole text. What is sent past so many is not asked for any more. */
const FIXED_TEXTS = 8

/** What holds the text ends by what happens elsewhere; until then typing only changes the draft. */
export const endsElsewhere = (reason: HeldReason | null): boolean =>
  reason === 'completed' || reason === 'revoked' || reason === 'deleted'

/**
 * Makes the queue say what the new `draft` needs: nothing when the server has (or is being sent) just
 * this text, else one pending entry. An entry that is there stays when its words were taken back: the
 * server's text may have moved on while they waited, and only the loop knows. Answers the draft's `dirty`, and whether
 * something is due at another time than before.
 */
export async function queueText(
  database: LocalDatabase,
  draft: DraftRow,
  change: TextChange,
): Promise<{ dirty: 0 | 1; isMoved: boolean }> {
  const { entries, before } = change
  const texts = entries.filter(({ kind }) => kind === 'text')
  const fixed = texts.filter(isFixed)
  const { sent } = change
  const mayAsk = ({ state, idem }: OutboxRow) => state !== 'held' && idem !== sent?.idem
  if (sent && fixed.length < FIXED_TEXTS && texts.every(mayAsk)) {
    await queueSent(database, draft.articleId, sent, change)
    const after = await entriesOf(database, draft.articleId)
    const { dirty } = await queueText(database, draft, { ...change, sent: null, entries: after })
    return { dirty, isMoved: true }
  }
  const held = texts.find(({ state }) => state === 'held')
  if (sent && held && (held.unanswered ?? []).length < FIXED_TEXTS && !texts.some(isOf(sent))) {
    const unanswered = [...(held.unanswered ?? []), sent]
    await database.outbox.update(held.seq, { unanswered })
    const after = await entriesOf(database, draft.articleId)
    return queueText(database, draft, { ...change, sent: null, entries: after })
  }
  const lastSent = fixed.at(-1)
  const waiting = texts.filter((one) => !isFixed(one))
  const entry = waiting[0]
  const mayHaveArrived = entry?.state === 'pending' && entry.maybeSent && fixed.length < FIXED_TEXTS
  if (mayHaveArrived && before && before.hash !== draft.hash) {
    const sent = await fixText(database, entry, before, change.editedAt)
    const after = entries.map((one) => (one === entry ? sent : one))
    return queueText(database, draft, { ...change, entries: after })
  }
  const nothingNew = draft.hash === (lastSent?.frozenHash ?? draft.baseHash)
  if (nothingNew && (lastSent || !entry)) {
    await database.outbox.bulkDelete(waiting.map(({ seq }) => seq))
    return { dirty: lastSent ? 1 : 0, isMoved: false }
  }
  const staysHeld = entry?.state === 'held' && endsElsewhere(entry.heldReason)
  if (staysHeld && (!nothingNew || entry.unanswered)) return { dirty: 1, isMoved: false }
  if (entry?.unanswered) {
    const { idem, editedAt } = change
    const next = pendingText(draft.articleId, { idem, nextAt: editedAt, since: editedAt })
    await askFirst(database, entry, next)
    const after = await entriesOf(database, draft.articleId)
    return queueText(database, draft, { ...change, entries: after })
  }
  const control = entries.find(isUnsentControl)
  if (entry && isReady(entry, change, control !== undefined)) return { dirty: 1, isMoved: false }
  const since = entry?.state === 'pending' ? entry.since : change.editedAt
  const pending = {
    ...pendingText(draft.articleId, { idem: change.idem, nextAt: change.editedAt, since }),
    ...(!control && { patient: 1 as const, nextAt: quietAt(change.editedAt, since) }),
    ...(change.maybeSent && { maybeSent: true as const }),
  }
  const restored = entry?.restored === undefined ? {} : { restored: entry.restored }
  await database.outbox.put(
    entry ? { ...pending, ...restored, seq: entry.seq, merges: entry.merges } : pending,
  )
  if (!entry && control) await moveToEnd(database, control)
  return { dirty: 1, isMoved: true }
}

const isOf =
  (sent: SentText) =>
  ({ idem, unanswered = [] }: OutboxRow): boolean =>
    [idem, ...unanswered.map((one) => one.idem)].includes(sent.idem)

/** In the place of the text that waits, which goes behind it. */
async function queueSent(
  { outbox }: LocalDatabase,
  articleId: string,
  sent: SentText,
  { entries, editedAt }: TextChange,
): Promise<void> {
  const entry = pendingText(articleId, { idem: sent.idem, nextAt: editedAt, since: editedAt })
  const asked = { ...entry, ...sent, maybeSent: true as const }
  const waiting = entries.find(
    (one) => (one.kind === 'text' && !isFixed(one)) || isUnsentControl(one),
  )
  if (!waiting) return void (await outbox.add(asked))
  const behind = entries.filter(({ seq }) => seq >= waiting.seq)
  await outbox.put({ ...asked, seq: waiting.seq })
  await outbox.bulkDelete(behind.slice(1).map(({ seq }) => seq))
  await outbox.bulkAdd(behind.map(({ seq, ...one }) => one))
}

/** In the place of the `held` entry: the texts that may have arrived, each as it was sent, and then `next`. */
export async function askFirst(
  { outbox }: LocalDatabase,
  { seq, unanswered = [] }: OutboxRow,
  next: NewEntry,
): Promise<void> {
  const [first = next, ...others] = [
    ...unanswered.map((sent) => ({ ...next, ...sent, maybeSent: true as const })),
    next,
  ]
  await outbox.put({ ...first, seq })
  await outbox.bulkAdd(others)
}

/** As the loop does it before a send; `draft` has the text still. */
async function fixText(
  database: LocalDatabase,
  entry: OutboxRow,
  draft: DraftRow,
  nextAt: number,
): Promise<OutboxRow> {
  const fixed = { ...entry, ...dueAt(nextAt), ...(await bytesOf(database, draft)) }
  await database.outbox.put(fixed)
  return fixed
}

/** What a draft is sent as, where nobody asks for the article's version. */
export async function bytesOf(
  database: LocalDatabase,
  draft: DraftRow,
): Promise<Omit<SentText, 'idem'>> {
  const { localRev, hash, baseTv, baseRevision } = draft
  const frozen = bodyOfJson(await readDraftJson(database, draft))
  const ifMatch = tagOf({ textVersion: baseTv, revision: baseRevision })
  return { frozen, frozenRev: localRev, frozenHash: hash, ifMatch }
}

/**
 * A page that may be gone sent the text that waits under this key. Past held text, which keeps another key, it may
 * have arrived too: `left` is what the page wrote of it.
 */
export async function noteSent(
  database: LocalDatabase,
  articleId: string,
  idem: string,
  left?: RescueRow,
): Promise<void> {
  const { outbox } = database
  const texts = (await entriesOf(database, articleId)).filter(({ kind }) => kind === 'text')
  const entry = texts.find((one) => one.idem === idem)
  if (entry?.state === 'pending') return void (await outbox.update(entry.seq, { maybeSent: true }))
  const [held] = texts.filter(({ state }) => state === 'held')
  if (entry || !held || left?.idem !== idem || left.sentOn === undefined) return
  const { unanswered = [] } = held
  const isKnown = unanswered.some((one) => one.idem === idem)
  if (isKnown || unanswered.length >= FIXED_TEXTS) return
  const text = { doc: left.doc, hash: documentHash(left.doc), rev: left.seenRev }
  const on = { textVersion: left.sentOn, revision: left.sentRevision }
  const sent = sentAs(text, { idem, on })
  await outbox.update(held.seq, { unanswered: [...unanswered, sent] })
}

/** Its bytes are the ones that were sent: it is on its way, or it waits to ask what became of them. */
export const isFixed = ({ frozen }: OutboxRow): boolean => frozen !== null

/** Whether the entry does for the change as it is: most of what is typed then writes nothing here. */
function isReady(entry: OutboxRow, change: TextChange, hurried: boolean): boolean {
  const { idem, editedAt, maybeSent } = change
  if (entry.state !== 'pending' || entry.idem !== idem || entry.maybeSent !== maybeSent)
    return false
  return entry.patient === 1 ? !hurried : entry.nextAt <= editedAt
}

/** When a text that was changed at `editedAt`, and first at `since`, has waited long enough. */
export const quietAt = (editedAt: number, since: number): number =>
  Math.min(editedAt + AUTOSAVE_QUIET_MS, since + AUTOSAVE_MAX_WAIT_MS)

export const isUnsentControl = (entry: OutboxRow): boolean =>
  entry.kind === 'control' && entry.state === 'pending'

async function moveToEnd(database: LocalDatabase, entry: OutboxRow): Promise<void> {
  const { seq, ...rest } = entry
  await database.outbox.delete(seq)
  await database.outbox.add(rest)
}

/** The entry that an answer belongs to, or null when it was settled meanwhile (a stolen lock, a late answer). */
export async function stillInflight(
  database: LocalDatabase,
  sent: OutboxRow,
): Promise<OutboxRow | null> {
  const entry = await database.outbox.get(sent.seq)
  return isSameFlight(entry, sent) ? entry : null
}

export const isSameFlight = (entry: OutboxRow | undefined, sent: OutboxRow): entry is OutboxRow =>
  entry?.state === 'inflight' && entry.seq === sent.seq && entry.idem === sent.idem

export function frozenText(entry: OutboxRow): ArticleText {
  const body = JSON.parse(entry.frozen ?? '{}') as { articleText?: ArticleText }
  return body.articleText ?? {}
}

/** Replaces all text of the article in the queue by one pending entry in the place of the first. */
export async function requeueText(
  database: LocalDatabase,
  articleId: string,
  entry: NewEntry | null,
): Promise<void> {
  const texts = (await entriesOf(database, articleId)).filter(({ kind }) => kind === 'text')
  const [first, ...others] = texts
  await database.outbox.bulkDelete(others.map(({ seq }) => seq))
  if (entry) await database.outbox.put(first ? { ...entry, seq: first.seq } : entry)
  else if (first) await database.outbox.delete(first.seq)
}

/** For an entry that waits for no pause any more. */
export const dueAt = (nextAt: number) => ({ nextAt, patient: 0 as const })

/** Sooner than it would be, but not before the server wants to see it. */
export const dueSoonest = ({ nextAt, notBefore }: OutboxRow, now: number) =>
  dueAt(Math.max(Math.min(nextAt, now), notBefore ?? 0))
