import { tagOf } from '../../domain/state-tag.ts'
import {
  type ArticleRow,
  type DocRow,
  type DraftRow,
  type LocalDatabase,
  type OutboxRow,
  rowsById,
} from '../store/database.ts'
import { findDraftJsons } from '../store/draft-rows.ts'
import { bodyOfJson } from '../store/new-entries.ts'
import { entriesOf, isFixed, isUnsentControl, quietAt } from '../store/queue.ts'

/** Articles with something due, the one that has waited longest first. */
export type Plan = {
  articles: string[]
  /** When something is due next; null when nothing waits for a time. */
  until: number | null
}

/** What is to be done now. */
export type Due = {
  /** At most one of each article; their bytes are fixed from now on. */
  send: OutboxRow[]
  /**
   * Articles whose text moved on at the server: to be merged before they are sent. Not with what the server may
   * have taken already: it knows the key and answers what became of it, and words that only look alike stand
   * there twice after a merge.
   */
  merge: string[]
  /** When the first of those is due that wait for a pause in typing; null when none does. */
  until: number | null
}

/** No wait is longer; a later time was written before the clock of this computer was set back. */
const LONGEST_WAIT_MS = 6 * 60_000

/** When the first entry of all is due; Infinity when none is, or when that cannot be read just now. */
export async function nextDue({ outbox }: LocalDatabase): Promise<number> {
  const first = outbox.orderBy('nextAt').limit(1).keys()
  const [next = Number.POSITIVE_INFINITY] = await first.catch(() => [])
  return Number(next)
}

/**
 * A completion is not tried in vain while the computer is cut off: until a request leaves with it, it can be taken back
 * (Q52).
 */
export type Conditions = { now: number; isCutOff: boolean }

/** `busy`: what this tab has on its way. Other changes of these articles wait for it. */
export async function planDue(
  database: LocalDatabase,
  busy: readonly OutboxRow[],
  conditions: Conditions,
): Promise<Plan> {
  const { now } = conditions
  const isBusy = new Set(busy.map(({ articleId }) => articleId))
  const { outbox, drafts } = database
  // An async function itself, or Dexie would commit before an inner await comes back.
  return database.transaction('r', outbox, drafts, async () => {
    const queue = await queuedBeside(database, busy)
    const others = queue.filter(({ articleId }) => !isBusy.has(articleId))
    const due = dueFirsts(others, conditions)
    const patient = due.filter(waitsForPause).map(({ articleId }) => articleId)
    const typed = await rowsById(drafts, patient)
    const pauseOf = (entry: OutboxRow) => pauseAt(entry, typed.get(entry.articleId), now)
    const times = [...queue.map(({ nextAt }) => nextAt), ...due.map(pauseOf)]
    return {
      articles: due.filter((entry) => pauseOf(entry) <= now).map(({ articleId }) => articleId),
      until: earliest(null, ...times.filter((time) => time > now)),
    }
  })
}

/**
 * The queue in its order, without held text, which blocks nobody, and without what is `busy`: those rows have whole
 * texts in them, and most of the others have none yet.
 */
async function queuedBeside(
  { outbox }: LocalDatabase,
  busy: readonly OutboxRow[],
): Promise<OutboxRow[]> {
  const [pending, inflight] = await Promise.all([
    outbox.where('state').equals('pending').toArray(),
    outbox.where('state').equals('inflight').primaryKeys(),
  ])
  const known = new Set(busy.map(({ seq }) => seq))
  const others = inflight.filter((seq) => !known.has(seq))
  const rows = await rowsById(outbox, others)
  return [...pending, ...rows.values()].sort((a, b) => a.seq - b.seq)
}

/** Of entries in their order, without held ones, the first of each article where that is due. */
function dueFirsts(queue: readonly OutboxRow[], { now, isCutOff }: Conditions): OutboxRow[] {
  const firsts = new Map<string, OutboxRow>()
  for (const entry of queue) {
    if (!firsts.has(entry.articleId)) firsts.set(entry.articleId, entry)
  }
  return [...firsts.values()]
    .filter(({ nextAt }) => nextAt <= now || nextAt > now + LONGEST_WAIT_MS)
    .filter((entry) => !(isCutOff && isUnsentControl(entry)))
    .sort((a, b) => a.nextAt - b.nextAt)
}

/**
 * Takes what is due of these articles, as it is by now, and fixes its bytes. They have nothing on its way. The
 * transaction also covers docs, drafts, texts and articles.
 */
export async function takeDue(
  database: LocalDatabase,
  articles: readonly string[],
  conditions: Conditions,
): Promise<Due> {
  const queues = await queuesOf(database, articles)
  const queue = [...queues.values()].flat().filter(({ state }) => state !== 'held')
  const taken: Due = { send: [], merge: [], until: null }
  await take(database, dueFirsts(queue, conditions), taken, conditions.now)
  return taken
}

async function take(
  database: LocalDatabase,
  entries: OutboxRow[],
  taken: Due,
  now: number,
): Promise<void> {
  const isUnsentText = (entry: OutboxRow) => entry.kind === 'text' && !isFixed(entry)
  const ids = entries.filter(isUnsentText).map(({ articleId }) => articleId)
  const [drafts, articles] = await Promise.all([
    rowsById(database.drafts, ids),
    rowsById(database.articles, ids),
  ])
  const isMoved = (id: string) => !isKnownUpTo(articles.get(id), drafts.get(id)?.baseTv ?? 0)
  const docs = await rowsById(database.docs, ids.filter(isMoved))
  const first: OutboxRow[] = []
  const texts: Unsent[] = []
  for (const entry of entries) {
    const { articleId } = entry
    const draft = drafts.get(articleId)
    const doc = docs.get(articleId)
    if (!isUnsentText(entry)) {
      if (entry.state === 'inflight') taken.send.push(entry)
      else first.push(frozenEntry(entry))
    } else if (pauseAt(entry, draft, now) > now) {
      // Typed on a moment ago.
      taken.until = earliest(taken.until, pauseAt(entry, draft, now))
    } else if (draft && isBehind(draft, doc) && !entry.maybeSent) taken.merge.push(articleId)
    else if (!draft || draft.hash === draft.baseHash) {
      await database.outbox.delete(entry.seq)
      await database.drafts.update(articleId, { dirty: 0, ackedRev: draft?.localRev ?? 0 })
      // With nothing of its own, it cannot meet its own words there.
      if (draft && isBehind(draft, doc)) taken.merge.push(articleId)
    } else texts.push({ entry, draft, version: articles.get(articleId)?.version ?? 0 })
  }
  first.push(...(await frozenTexts(database, texts)))
  if (first.length > 0) await database.outbox.bulkPut(first)
  taken.send.push(...first)
}

const isBehind = ({ baseTv }: DraftRow, doc: DocRow | undefined): boolean =>
  doc !== undefined && doc.textVersion > baseTv

/** Until when the entry waits for a pause in typing. Never for one after the future that a clock was in before. */
function pauseAt(entry: OutboxRow, draft: DraftRow | undefined, now: number): number {
  const isTyped = waitsForPause(entry) && draft !== undefined && draft.editedAt <= now
  return isTyped ? quietAt(draft.editedAt, entry.since) : Number.NEGATIVE_INFINITY
}

/** What was sent is sent again when that is due, whatever is typed meanwhile. */
const waitsForPause = (entry: OutboxRow): boolean => entry.patient === 1 && !isFixed(entry)

function earliest(known: number | null, ...times: number[]): number | null {
  if (times.length === 0) return known
  return Math.min(known ?? Number.POSITIVE_INFINITY, ...times)
}

/** What is queued of each of these articles, in its order. */
export async function queuesOf(
  database: LocalDatabase,
  ids: readonly string[],
): Promise<Map<string, OutboxRow[]>> {
  const queues = await Promise.all(ids.map((id) => entriesOf(database, id)))
  return new Map(ids.map((id, at) => [id, queues[at] ?? []]))
}

/** No text is here that is newer than this version of it: nobody has to read that text to know. */
export const isKnownUpTo = (article: ArticleRow | undefined, textVersion: number): boolean =>
  article !== undefined && article.textVersion <= textVersion

/** The bytes of a stray are fixed already, and those of a text that a leaving page sent. */
const frozenEntry = (entry: OutboxRow): OutboxRow => ({
  ...entry,
  state: 'inflight',
  frozen: entry.frozen ?? JSON.stringify({ completed: entry.completed }),
})

/** `version` is that of the article. */
type Unsent = { entry: OutboxRow; draft: DraftRow; version: number }

async function frozenTexts(database: LocalDatabase, unsent: Unsent[]): Promise<OutboxRow[]> {
  if (unsent.length === 0) return []
  const texts = await findDraftJsons(
    database,
    unsent.map(({ draft }) => draft),
  )
  return unsent.flatMap((one, at) => {
    const json = texts[at]
    return json ? [frozenText(one, json)] : []
  })
}

const frozenText = ({ entry, draft, version }: Unsent, json: string): OutboxRow => ({
  ...entry,
  state: 'inflight',
  frozen: bodyOfJson(json),
  frozenRev: draft.localRev,
  frozenHash: draft.hash,
  ifMatch: tagOf({ version, textVersion: draft.baseTv, revision: draft.baseRevision }),
})
