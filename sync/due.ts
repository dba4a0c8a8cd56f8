import type { DraftRow, LocalDatabase, OutboxRow } from './database.ts'
import { entriesOf } from './queue.ts'

/** What is to be done now. */
export type Due = {
  /** At most one of each article; their bytes are fixed from now on. */
  send: OutboxRow[]
  /** Articles whose text moved on at the server: to be merged before they are sent. */
  merge: string[]
  /** When something is due next; null when nothing waits for a time. */
  until: number | null
}

/** No wait is longer; a later time was written before the clock of this computer was set back. */
const LONGEST_WAIT_MS = 6 * 60_000

/**
 * Takes up to `most` due entries of articles that are not `busy` and fixes their bytes. The transaction also
 * covers docs, drafts and articles.
 */
export async function takeDue(
  database: LocalDatabase,
  now: number,
  busy: ReadonlySet<string>,
  most: number,
): Promise<Due> {
  const { outbox } = database
  const misdated = [now + LONGEST_WAIT_MS, Number.POSITIVE_INFINITY] as const
  const [due, later, next] = await Promise.all([
    outbox.where('nextAt').belowOrEqual(now).toArray(),
    outbox
      .where('nextAt')
      .between(...misdated, false, false)
      .toArray(),
    outbox.where('nextAt').above(now).first(),
  ])
  const ready = new Set([...due, ...later].map(({ seq }) => seq))
  const waiting = new Set([...due, ...later].map(({ articleId }) => articleId))
  const articles = [...waiting].filter((articleId) => !busy.has(articleId))
  const taken: Due = {
    send: [],
    merge: [],
    until: next && Number.isFinite(next.nextAt) ? next.nextAt : null,
  }
  for (let at = 0; at < articles.length && isIdle(taken); at += most) {
    const some = articles.slice(at, at + most)
    const firsts = await Promise.all(some.map((articleId) => firstOf(database, articleId)))
    const entries = firsts.flatMap((entry) => (entry && ready.has(entry.seq) ? [entry] : []))
    await take(database, entries, taken)
  }
  return taken
}

const isIdle = ({ send, merge }: Due): boolean => send.length + merge.length === 0

async function firstOf(database: LocalDatabase, articleId: string): Promise<OutboxRow | undefined> {
  return (await entriesOf(database, articleId)).find(({ state }) => state !== 'held')
}

async function take(database: LocalDatabase, entries: OutboxRow[], taken: Due): Promise<void> {
  const isUnsentText = ({ kind, state }: OutboxRow) => kind === 'text' && state === 'pending'
  const ids = entries.filter(isUnsentText).map(({ articleId }) => articleId)
  const [drafts, docs, articles] = await Promise.all([
    rowsById(database.drafts, ids),
    rowsById(database.docs, ids),
    rowsById(database.articles, ids),
  ])
  const first: OutboxRow[] = []
  for (const entry of entries) {
    const { articleId } = entry
    const draft = drafts.get(articleId)
    const doc = docs.get(articleId)
    if (!isUnsentText(entry)) {
      if (entry.state === 'inflight') taken.send.push(entry)
      else first.push(frozenEntry(entry))
    } else if (draft && doc && doc.textVersion > draft.baseTv) taken.merge.push(articleId)
    else if (!draft || draft.hash === draft.baseHash) {
      await database.outbox.delete(entry.seq)
      await database.drafts.update(articleId, { dirty: 0, ackedRev: draft?.localRev ?? 0 })
    } else first.push(frozenTextEntry(entry, draft, articles.get(articleId)?.version ?? 0))
  }
  if (first.length > 0) await database.outbox.bulkPut(first)
  taken.send.push(...first)
}

/** Those that are there, by their key. */
export async function rowsById<Row>(
  table: { bulkGet(ids: string[]): PromiseLike<(Row | undefined)[]> },
  ids: string[],
): Promise<Map<string, Row>> {
  if (ids.length === 0) return new Map()
  const rows = await table.bulkGet(ids)
  return new Map(rows.flatMap((row, at) => (row ? [[ids[at] ?? '', row] as const] : [])))
}

/** The bytes of a stray are fixed already. */
const frozenEntry = (entry: OutboxRow): OutboxRow => ({
  ...entry,
  state: 'inflight',
  frozen: entry.frozen ?? JSON.stringify({ completed: entry.completed }),
})

const frozenTextEntry = (entry: OutboxRow, draft: DraftRow, version: number): OutboxRow => ({
  ...entry,
  state: 'inflight',
  frozen: JSON.stringify({ articleText: draft.doc }),
  frozenRev: draft.localRev,
  frozenHash: draft.hash,
  ifMatch: `"v${version}.t${draft.baseTv}"`,
})
