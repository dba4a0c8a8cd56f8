import { tagOf } from '../../domain/wire/state-tag.ts'
import {
  type ArticleRow,
  type CompletionEntry,
  type DocRow,
  type DraftRow,
  type LocalDatabase,
  type NoteEntry,
  type OutboxRow,
  rowsById,
  type TextEntry,
  type UndeliveredEntry,
} from '../store/database.ts'
import { findDraftJsons } from '../store/draft-rows.ts'
import { bodyOfJson } from '../store/new-entries.ts'
import {
  absorb,
  isInflight,
  isText,
  isUnconfirmed,
  isUnsentCompletion,
  queuesOf,
  quietAt,
  textsIn,
} from '../store/queue.ts'
import { type In, type Tables, transact } from '../store/transaction.ts'

/** Articles with something due, the one that has waited longest first. */
export type Plan = {
  articles: string[]
  /** When something is due next; null when nothing is scheduled. */
  until: number | null
}

/** An entry in flight, with its request body. The body stays in memory; the same key always has the same one. */
export type SentText = TextEntry & {
  payload: string
  ifMatch: string
  /** The number, hash and length (words) of the draft that is sent. */
  text: Pick<DraftRow, 'localRev' | 'hash' | 'words'>
}
export type SentEntry =
  | SentText
  | ((CompletionEntry | UndeliveredEntry | NoteEntry) & {
      payload: string
      ifMatch: null
      text: null
    })

/** What is to be done now. */
export type Due = {
  /** At most one of each article. */
  send: SentEntry[]
  /**
   * Articles whose text moved on at the server, to be merged before they are sent. Not where the server may have a part
   * of the text already: its response resolves the keys, while a merge would duplicate words that only look alike.
   */
  merge: string[]
  /** The earliest end of an autosave delay; null when none is running. */
  until: number | null
}

/** No wait is longer; a later time was written before the clock of this computer was set back. */
const LONGEST_WAIT_MS = 6 * 60_000

/** When the first entry of all is due; Infinity when none is, or when it cannot be read now. */
export async function nextDue({ outbox }: Tables<'outbox'>): Promise<number> {
  const first = outbox.orderBy('dueAt').limit(1).keys()
  const [next = Number.POSITIVE_INFINITY] = await first.catch(() => [])
  return Number(next)
}

/**
 * A completion is not attempted while the device is offline: until a request with it was sent, it can be withdrawn
 * (Q52).
 */
export type Conditions = { now: number; isCutOff: boolean }

/** `busy`: what this tab has in flight. Other changes of these articles wait for it. Blocked text blocks none. */
export async function planDue(
  database: LocalDatabase,
  busy: readonly OutboxRow[],
  conditions: Conditions,
): Promise<Plan> {
  const { now } = conditions
  const isBusy = new Set(busy.map(({ articleId }) => articleId))
  return transact(database, 'r', ['outbox', 'drafts'], async ({ outbox, drafts }) => {
    const queue = (await outbox.toArray()).filter(({ state }) => state !== 'blocked')
    const others = queue.filter(({ articleId }) => !isBusy.has(articleId))
    const due = dueFirsts(others, conditions)
    const debounced = due.filter(waitsForPause).map(({ articleId }) => articleId)
    const typed = await rowsById(drafts, debounced)
    const pauseOf = (entry: OutboxRow) => pauseAt(entry, typed.get(entry.articleId), now)
    const times = [...queue.map(({ dueAt }) => dueAt), ...due.map(pauseOf)]
    return {
      articles: due.filter((entry) => pauseOf(entry) <= now).map(({ articleId }) => articleId),
      until: earliest(null, ...times.filter((time) => time > now)),
    }
  })
}

/** The first unblocked entry of each article, in queue order, if it is due. */
function dueFirsts(queue: readonly OutboxRow[], { now, isCutOff }: Conditions): OutboxRow[] {
  const firsts = new Map<string, OutboxRow>()
  for (const entry of queue) {
    if (!firsts.has(entry.articleId)) firsts.set(entry.articleId, entry)
  }
  return [...firsts.values()]
    .filter(({ dueAt }) => dueAt <= now || dueAt > now + LONGEST_WAIT_MS)
    .filter((entry) => !(isCutOff && isUnsentCompletion(entry)))
    .sort((a, b) => a.dueAt - b.dueAt)
}

type Taken = In<'outbox' | 'drafts' | 'texts' | 'docs' | 'articles'>

/** Takes the due entries of these articles, as stored now. They must have nothing in flight in this tab. */
export async function takeDue(
  tables: Taken,
  articles: readonly string[],
  conditions: Conditions,
): Promise<Due> {
  const queues = await queuesOf(tables, articles)
  const queue = [...queues.values()].flat().filter(({ state }) => state !== 'blocked')
  const taken: Due = { send: [], merge: [], until: null }
  const due = await Promise.all(
    dueFirsts(queue, conditions).map(async (entry) => {
      const { sent, waiting } = textsIn(queues.get(entry.articleId) ?? [])
      const isTypedOn = entry === sent && waiting?.state === 'pending'
      return isTypedOn ? absorb(tables, { sent, waiting }) : entry
    }),
  )
  await take(tables, due, taken, conditions.now)
  return taken
}

async function take(tables: Taken, entries: OutboxRow[], taken: Due, now: number): Promise<void> {
  const texts = entries.filter(isText)
  const ids = texts.map(({ articleId }) => articleId)
  const [drafts, articles] = await Promise.all([
    rowsById(tables.drafts, ids),
    rowsById(tables.articles, ids),
  ])
  const isMoved = (id: string) => !isKnownUpTo(articles.get(id), drafts.get(id)?.baseVersion ?? 0)
  const docs = await rowsById(tables.docs, ids.filter(isMoved))
  const toSend: Unsent[] = []
  for (const entry of texts) {
    const { articleId } = entry
    const draft = drafts.get(articleId)
    const isOver = draft !== undefined && isBehind(draft, docs.get(articleId))
    const isOpen = isInflight(entry) || isUnconfirmed(entry)
    if (pauseAt(entry, draft, now) > now) {
      // Edited a moment ago.
      taken.until = earliest(taken.until, pauseAt(entry, draft, now))
    } else if (isOver && !isOpen) taken.merge.push(articleId)
    else if (!draft || (draft.hash === draft.baseHash && !isOpen)) {
      await tables.outbox.delete(entry.seq)
      await tables.drafts.update(articleId, { dirty: 0, ackedRev: draft?.localRev ?? 0 })
    } else toSend.push({ entry, draft, version: articles.get(articleId)?.version ?? 0 })
  }
  const send = [
    ...entries.flatMap((entry) => (isText(entry) ? [] : [withoutText(entry)])),
    ...(await withTexts(tables, toSend)),
  ]
  const sentBefore = new Set(entries.filter(isInflight).map(({ seq }) => seq))
  const first = send.filter(({ seq }) => !sentBefore.has(seq))
  if (first.length > 0) await tables.outbox.bulkPut(first.map(rowOf))
  taken.send.push(...send)
}

const isBehind = ({ baseVersion }: DraftRow, doc: DocRow | undefined): boolean =>
  doc !== undefined && doc.textVersion > baseVersion

/**
 * When the autosave delay of the entry ends. None for an edit time in the future, from before the clock was set back.
 */
function pauseAt(entry: OutboxRow, draft: DraftRow | undefined, now: number): number {
  const isTyped = waitsForPause(entry) && draft !== undefined && draft.editedAt <= now
  return isTyped ? quietAt(draft.editedAt, entry.firstEditAt) : Number.NEGATIVE_INFINITY
}

/** A change that was sent is retried when due, whatever is typed in between. */
const waitsForPause = (entry: OutboxRow): boolean => entry.debounced === 1 && !isInflight(entry)

function earliest(known: number | null, ...times: number[]): number | null {
  if (times.length === 0) return known
  return Math.min(known ?? Number.POSITIVE_INFINITY, ...times)
}

/** No newer text than this version is stored here: it follows from the article row, without reading the text. */
export const isKnownUpTo = (article: ArticleRow | undefined, textVersion: number): boolean =>
  article !== undefined && article.textVersion <= textVersion

/** Undelivered text and notes are sent as they were queued. */
const withoutText = (entry: CompletionEntry | UndeliveredEntry | NoteEntry): SentEntry => ({
  ...entry,
  state: 'inflight',
  payload: entry.body ?? JSON.stringify({ completed: entry.completed }),
  ifMatch: null,
  text: null,
})

/** `version` is that of the article. */
type Unsent = { entry: TextEntry; draft: DraftRow; version: number }

async function withTexts(tables: In<'texts'>, unsent: Unsent[]): Promise<SentText[]> {
  if (unsent.length === 0) return []
  const texts = await findDraftJsons(
    tables,
    unsent.map(({ draft }) => draft),
  )
  return unsent.flatMap((one, at) => {
    const json = texts[at]
    return json ? [withText(one, json)] : []
  })
}

const withText = ({ entry, draft, version }: Unsent, json: string): SentText => ({
  ...entry,
  state: 'inflight',
  sentHash: draft.hash,
  payload: bodyOfJson(json),
  ifMatch: tagOf({ version, textVersion: draft.baseVersion, revision: draft.baseRevision }),
  text: draft,
})

const rowOf = ({ payload: _, ifMatch: __, text: ___, ...row }: SentEntry): OutboxRow => row
