import type { ArticleRow, DocRow, DraftRow, LocalDatabase, OutboxRow } from './database.ts'
import { findDraftJsons } from './draft-rows.ts'
import { entriesOf, isFixed, isUnsentControl, quietAt } from './queue.ts'

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
  /** When something is due next; null when nothing waits for a time. */
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

/** `busy`: articles that have something on its way. `most`: entries to take at once. */
export type Taking = { busy: ReadonlySet<string>; most: number; isCutOff: boolean }

/**
 * Takes due entries and fixes their bytes. A completion is not tried in vain while the computer is cut off: until
 * a request leaves with it, it can be taken back (Q52). The transaction also covers docs, drafts, texts and articles.
 */
export async function takeDue(
  database: LocalDatabase,
  now: number,
  { busy, most, isCutOff }: Taking,
): Promise<Due> {
  // Held text blocks nobody.
  const queue = (await database.outbox.toArray()).filter(({ state }) => state !== 'held')
  const firsts = new Map<string, OutboxRow>()
  for (const entry of queue) {
    const { articleId } = entry
    if (!firsts.has(articleId) && !busy.has(articleId)) firsts.set(articleId, entry)
  }
  const due = [...firsts.values()]
    .filter(({ nextAt }) => nextAt <= now || nextAt > now + LONGEST_WAIT_MS)
    .filter((entry) => !(isCutOff && isUnsentControl(entry)))
    .sort((a, b) => a.nextAt - b.nextAt)
  const later = queue.filter(({ nextAt }) => nextAt > now)
  const until = earliest(null, ...later.map(({ nextAt }) => nextAt))
  const taken: Due = { send: [], merge: [], until }
  for (let at = 0; at < due.length && isIdle(taken); at += most) {
    await take(database, due.slice(at, at + most), taken, now)
  }
  return taken
}

const isIdle = ({ send, merge }: Due): boolean => send.length + merge.length === 0

async function take(
  database: LocalDatabase,
  entries: OutboxRow[],
  taken: Due,
  now: number,
): Promise<void> {
  const isUnsentText = (entry: OutboxRow) => entry.kind === 'text' && !isFixed(entry)
  const ids = entries.filter(isUnsentText).map(({ articleId }) => articleId)
  const [drafts, articles] = await Promise.all([
    draftsById(database, ids),
    rowsById(database.articles, ids),
  ])
  const isMoved = (id: string) => !isKnownUpTo(articles.get(id), drafts.get(id)?.baseTv ?? 0)
  const docs = await rowsById(database.docs, ids.filter(isMoved))
  const first: OutboxRow[] = []
  const later: OutboxRow[] = []
  const texts: Unsent[] = []
  for (const entry of entries) {
    const { articleId } = entry
    const draft = drafts.get(articleId)
    const doc = docs.get(articleId)
    if (!isUnsentText(entry)) {
      if (entry.state === 'inflight') taken.send.push(entry)
      else first.push(frozenEntry(entry))
    } else if (draft && pauseAt(entry, draft, now) > now) {
      later.push({ ...entry, nextAt: pauseAt(entry, draft, now) })
    } else if (draft && isBehind(draft, doc) && !entry.maybeSent) taken.merge.push(articleId)
    else if (!draft || draft.hash === draft.baseHash) {
      await database.outbox.delete(entry.seq)
      await database.drafts.update(articleId, { dirty: 0, ackedRev: draft?.localRev ?? 0 })
      // With nothing of its own, it cannot meet its own words there.
      if (draft && isBehind(draft, doc)) taken.merge.push(articleId)
    } else texts.push({ entry, draft, version: articles.get(articleId)?.version ?? 0 })
  }
  first.push(...(await frozenTexts(database, texts)))
  if (first.length + later.length > 0) await database.outbox.bulkPut([...first, ...later])
  taken.until = earliest(taken.until, ...later.map(({ nextAt }) => nextAt))
  taken.send.push(...first)
}

const isBehind = ({ baseTv }: DraftRow, doc: DocRow | undefined): boolean =>
  doc !== undefined && doc.textVersion > baseTv

/** Until when the entry waits for a pause in typing. Never for one after the future that a clock was in before. */
const pauseAt = ({ patient, since }: OutboxRow, { editedAt }: DraftRow, now: number): number =>
  patient === 1 && editedAt <= now ? quietAt(editedAt, since) : Number.NEGATIVE_INFINITY

function earliest(known: number | null, ...times: number[]): number | null {
  if (times.length === 0) return known
  return Math.min(known ?? Number.POSITIVE_INFINITY, ...times)
}

/** More rows than this are asked for together: a request for each takes longer than the rows of others. */
const FEW = 3

/** The drafts of these articles, by their key; mostly all of them have something unsent. Others may be among them. */
export async function draftsById(
  { drafts }: LocalDatabase,
  ids: string[],
): Promise<Map<string, DraftRow>> {
  const dirty = ids.length > FEW ? await drafts.where('dirty').equals(1).toArray() : []
  const found = new Map(dirty.map((row) => [row.articleId, row]))
  const others = await rowsById(
    drafts,
    ids.filter((id) => !found.has(id)),
  )
  return new Map([...found, ...others])
}

/** What is queued of these articles, in its order. Others may be among them. */
export async function queuesOf(
  database: LocalDatabase,
  ids: string[],
): Promise<Map<string, OutboxRow[]>> {
  const queues = new Map<string, OutboxRow[]>()
  const entries =
    ids.length > FEW
      ? await database.outbox.toArray()
      : (await Promise.all(ids.map((id) => entriesOf(database, id)))).flat()
  for (const entry of entries) {
    const queue = queues.get(entry.articleId)
    if (queue) queue.push(entry)
    else queues.set(entry.articleId, [entry])
  }
  return queues
}

/** No text is here that is newer than this version of it: nobody has to read that text to know. */
export const isKnownUpTo = (article: ArticleRow | undefined, textVersion: number): boolean =>
  article !== undefined && article.textVersion <= textVersion

/** Those that are there, by their key. */
export async function rowsById<Row>(
  table: { bulkGet(ids: string[]): PromiseLike<(Row | undefined)[]> },
  ids: string[],
): Promise<Map<string, Row>> {
  if (ids.length === 0) return new Map()
  const rows = await table.bulkGet(ids)
  return new Map(rows.flatMap((row, at) => (row ? [[ids[at] ?? '', row] as const] : [])))
}

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
  frozen: `{"articleText":${json}}`,
  frozenRev: draft.localRev,
  frozenHash: draft.hash,
  ifMatch: `"v${version}.t${draft.baseTv}"`,
})
