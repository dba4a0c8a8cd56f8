import type { ArticleText } from '../../domain/document.ts'
import type { Author } from '../../domain/wire-articles.ts'
import { merge3 } from '../merge/merge3.ts'
import type { LocalDatabase } from '../store/database.ts'
import { type In, type Tables, transact } from '../store/transaction.ts'

/** Changes of other users and devices to a text here, until the user closes the notice of them. */
export type ElsewhereChanges = {
  /** The text of this computer without those changes, and with them. What was typed later is in neither. */
  before: ArticleText
  after: ArticleText
  /** The authors, where the server named them. */
  by: Author[]
  /** When the last of them was stored here, in milliseconds since 1970. */
  at: number
  /** True when they were merged with unsent words; false when the text just moved on. */
  merged: boolean
  /** False while no editor has shown them. */
  shown: boolean
  /** They came while the text was not open here. */
  away?: boolean | undefined
}

const keyOf = (articleId: string) => `elsewhere:${articleId}` as const

/**
 * Records that `before` became `after`. Changes of a notice that is still open are kept: its text without those changes
 * then includes what was typed since.
 */
export async function noteRemoteChanges(
  tables: In<'meta'>,
  articleId: string,
  change: ElsewhereChanges,
): Promise<void> {
  const known = await readRow(tables, articleId)
  const value = known ? joined(known, change) : change
  await tables.meta.put({ key: keyOf(articleId), value })
}

function joined(known: ElsewhereChanges, change: ElsewhereChanges): ElsewhereChanges {
  const by = known.by.filter(({ id }) => change.by.every((author) => author.id !== id))
  return {
    ...change,
    before: merge3(known.after, change.before, known.before).document,
    by: [...by, ...change.by],
    merged: known.merged || change.merged,
    shown: known.shown || change.shown,
    away: known.away,
  }
}

/** An open editor shows them now. */
export async function markRemoteChangesShown(
  database: LocalDatabase,
  articleId: string,
): Promise<void> {
  await transact(database, 'rw', ['meta'], async (tables) => {
    const known = await readRow(tables, articleId)
    if (!known || known.shown) return
    await tables.meta.put({ key: keyOf(articleId), value: { ...known, shown: true } })
  })
}

/** Whether there are any that no editor has shown. */
export const hasUnshown = async (tables: Tables<'meta'>, articleId: string): Promise<boolean> =>
  (await readRow(tables, articleId))?.shown === false

/** The article is being opened: what others changed while it was closed has a notice, what this user did has none. */
export async function showUnshown(
  tables: In<'meta'>,
  articleId: string,
  userId: string,
): Promise<void> {
  const known = await readRow(tables, articleId)
  if (!known || known.shown) return
  const isOwn = known.by.length > 0 && known.by.every(({ id }) => id === userId)
  if (isOwn) await tables.meta.delete(keyOf(articleId))
  else
    await tables.meta.put({ key: keyOf(articleId), value: { ...known, shown: true, away: true } })
}

/** Null when there is nothing to show. For a live query. */
export async function readRemoteChanges(
  tables: Tables<'meta'>,
  articleId: string,
): Promise<ElsewhereChanges | null> {
  const known = await readRow(tables, articleId)
  return known?.shown ? known : null
}

/** Closes the notice in every tab. */
export async function closeRemoteChanges(
  { meta }: Tables<'meta'>,
  articleId: string,
): Promise<void> {
  await meta.delete(keyOf(articleId))
}

async function readRow(
  { meta }: Tables<'meta'>,
  articleId: string,
): Promise<ElsewhereChanges | undefined> {
  const row = await meta.get(keyOf(articleId))
  return row?.value as ElsewhereChanges | undefined
}
