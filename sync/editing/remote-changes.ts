import type { ArticleText } from '../../domain/text/document.ts'
import type { Author } from '../../domain/wire/articles.ts'
import { merge3 } from '../merge/merge3.ts'
import type { LocalDatabase } from '../store/database.ts'
import { type In, type Tables, transact } from '../store/transaction.ts'
import type { BothPlaces, WrittenByBoth } from './both-places.ts'

/** Changes of other users and devices to a text here, until the user closes the notice of them. */
export type ElsewhereChanges = {
  /** The text of this computer without those changes, and with them. What was typed later is in neither. */
  before: ArticleText
  after: ArticleText
  /** The authors, where the server named them. */
  by: Author[]
  /** The same authors by what is to be said of their changes: an empty list where the server named none. */
  kinds: Partial<Record<ChangeKind, Author[]>>
  /** When the last of them was stored here, in milliseconds since 1970. */
  at: number
  /** Where this user had written too, in the order in which it was merged; null when nowhere. */
  both: BothPlaces | null
  /** Changes that no editor has shown yet. `madeAt`: when the last of them was made, by this device's clock. */
  unshown: { by: Author[]; madeAt: number } | null
}

/** Made while the article was closed here, while it was open here, or merged with unsent words. */
export type ChangeKind = 'away' | 'open' | 'merged'

/** `by` is empty where the server named no author. */
type Change = Pick<ElsewhereChanges, 'before' | 'after' | 'by' | 'at'>

/** The page that shows changes: a user is not told of their own while the article was closed. */
type Viewer = { openedAt: number; userId: string }

const keyOf = (articleId: string) => `elsewhere:${articleId}` as const

/**
 * Records that `before`, without unsent words, became `after`. Changes of a notice that is still open are kept: its text
 * without those changes then includes what was typed since.
 */
export async function noteFollowed(
  tables: In<'meta'>,
  articleId: string,
  { madeAt, ...change }: Change & { madeAt: number },
): Promise<void> {
  const known = await readRow(tables, articleId)
  const waiting = known?.unshown
  const unshown = {
    by: union(waiting?.by, change.by),
    madeAt: Math.max(madeAt, waiting?.madeAt ?? 0),
  }
  await write(tables, articleId, { ...joined(known, change), unshown })
}

/** Adds the places of a merge with words of `by` to those of earlier merges. */
export type Placing = (known: BothPlaces | null, by: Author[]) => BothPlaces | null

/**
 * To be called before the transaction: what finds places is loaded on demand. Null when a merge found none, or when the
 * code does not come, because a notice without places is better than no merge.
 */
export async function placing(merge: {
  before: ArticleText
  after: ArticleText
  both: WrittenByBoth[]
}): Promise<Placing | null> {
  if (merge.both.length === 0) return null
  const code = await import('./both-places.ts').catch(() => null)
  return code && ((known, by) => code.placesAfter(known, { ...merge, by }))
}

/** As `noteFollowed`, of changes that were merged with unsent words. */
export async function noteMerged(
  tables: In<'meta'>,
  articleId: string,
  change: Change,
  place: Placing | null,
): Promise<void> {
  const row = joined(await readRow(tables, articleId), change)
  await write(tables, articleId, withMerged(row, change.by, place))
}

/**
 * What was not in the draft yet became `text` in a merge with what the draft had already. Does nothing where that was
 * of another tab.
 */
export async function noteMergedUnshown(
  tables: In<'meta'>,
  articleId: string,
  { text, at, place }: { text: ArticleText; at: number; place: Placing },
): Promise<void> {
  const known = await readRow(tables, articleId)
  if (!known?.unshown) return
  const { by } = known.unshown
  const row = joined({ ...known, unshown: null }, { before: text, after: text, at })
  await write(tables, articleId, withMerged(row, by, place))
}

/** An open editor shows them now, or is about to. */
export async function markShownIn(
  tables: In<'meta'>,
  articleId: string,
  viewer: Viewer,
): Promise<void> {
  const known = await readRow(tables, articleId)
  if (known?.unshown) await write(tables, articleId, shownTo(known, known.unshown, viewer))
}

/** As `markShownIn`, in a transaction of its own. */
export const markRemoteChangesShown = (
  database: LocalDatabase,
  articleId: string,
  viewer: Viewer,
): Promise<void> =>
  transact(database, 'rw', ['meta'], (tables) => markShownIn(tables, articleId, viewer))

/** Whether there are any that no editor has shown. */
export const hasUnshown = async (tables: Tables<'meta'>, articleId: string): Promise<boolean> =>
  (await readRow(tables, articleId))?.unshown != null

/** Null when there is nothing to show. For a live query. */
export async function readRemoteChanges(
  tables: Tables<'meta'>,
  articleId: string,
): Promise<ElsewhereChanges | null> {
  const known = await readRow(tables, articleId)
  return known && Object.keys(known.kinds).length > 0 ? known : null
}

/** Closes the notice in every tab. */
export async function closeRemoteChanges(
  { meta }: Tables<'meta'>,
  articleId: string,
): Promise<void> {
  await meta.delete(keyOf(articleId))
}

function joined(
  known: ElsewhereChanges | null,
  { before, after, at }: Omit<Change, 'by'>,
): ElsewhereChanges {
  if (!known) return { before, after, at, by: [], kinds: {}, both: null, unshown: null }
  return {
    ...known,
    before: merge3(known.after, before, known.before).document,
    after,
    at,
  }
}

const withMerged = (
  row: ElsewhereChanges,
  by: Author[],
  place: Placing | null,
): ElsewhereChanges => ({
  ...withKind(row, 'merged', by),
  both: place ? place(row.both, by) : row.both,
})

/** What is left of a row once the changes that nothing has shown are shown. */
function shownTo(
  row: ElsewhereChanges,
  { by, madeAt }: { by: Author[]; madeAt: number },
  { openedAt, userId }: Viewer,
): ElsewhereChanges {
  const kind = madeAt < openedAt ? 'away' : 'open'
  const isOwn = by.length > 0 && by.every(({ id }) => id === userId)
  const shown = { ...row, unshown: null }
  return isOwn && kind === 'away' ? shown : withKind(shown, kind, by)
}

const withKind = (row: ElsewhereChanges, kind: ChangeKind, by: Author[]): ElsewhereChanges => ({
  ...row,
  by: union(row.by, by),
  kinds: { ...row.kinds, [kind]: union(row.kinds[kind], by) },
})

/** Each author once, with the latest name. */
const union = (some: readonly Author[] = [], others: readonly Author[]): Author[] => [
  ...some.filter(({ id }) => others.every((author) => author.id !== id)),
  ...others,
]

async function write({ meta }: In<'meta'>, articleId: string, value: ElsewhereChanges) {
  const isEmpty = value.unshown === null && Object.keys(value.kinds).length === 0
  await (isEmpty ? meta.delete(keyOf(articleId)) : meta.put({ key: keyOf(articleId), value }))
}

/** As an earlier release wrote them. */
type EarlierRow = Omit<ElsewhereChanges, 'kinds' | 'both' | 'unshown'> & {
  merged: boolean
  shown: boolean
  away?: boolean
}

async function readRow({ meta }: Tables<'meta'>, articleId: string) {
  const row = await meta.get(keyOf(articleId))
  const value = row?.value as ElsewhereChanges | EarlierRow | undefined
  if (!value) return null
  return 'kinds' in value ? value : ofEarlierRow(value)
}

function ofEarlierRow({ merged, shown, away, ...row }: EarlierRow): ElsewhereChanges {
  const kind = away ? 'away' : merged ? 'merged' : 'open'
  return {
    ...row,
    kinds: shown ? { [kind]: row.by } : {},
    both: null,
    unshown: shown ? null : { by: row.by, madeAt: row.at },
  }
}
