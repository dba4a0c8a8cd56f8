import type { LocalDatabase, RescueRow } from './database.ts'

/**
 * What leaving pages wrote, in the two places where they did: a table, and the store that is written at once. Only
 * read here; sync/editing/rescue.ts writes it and folds it into the drafts.
 */

/** A small store that writes at once. What it has outlives a page that ends, but not always a crash. */
export type LastWords = {
  readonly length: number
  key(index: number): string | null
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

export type Whose = Pick<RescueRow, 'articleId' | 'tabId'>

const keysOf = (database: LocalDatabase): string => `${database.name}:last-words:`

export const lastWordsKey = (database: LocalDatabase, { articleId, tabId }: Whose): string =>
  `${keysOf(database)}${articleId}:${tabId}`

export function lastWordsKeys(database: LocalDatabase): string[] {
  const store = database.lastWords
  const keys = Array.from({ length: store?.length ?? 0 }, (_, index) => store?.key(index) ?? '')
  return keys.filter((key) => key.startsWith(keysOf(database)))
}

/** The articles of which leaving pages left words that nobody has folded in yet, as far as the store beside tells. */
export const articlesLeft = (database: LocalDatabase): Set<string> =>
  new Set(
    lastWordsKeys(database).flatMap((key) =>
      readRow(database, key).map(({ articleId }) => articleId),
    ),
  )

/** Those of them that the database was too full to take in. */
export const articlesWithoutRoom = (database: LocalDatabase): string[] =>
  [...articlesLeft(database)].filter((articleId) => database.withoutRoom.has(articleId))

/** One that cannot be read must not keep the others from being folded. */
function readRow({ lastWords }: LocalDatabase, key: string): RescueRow[] {
  try {
    return [JSON.parse(lastWords?.getItem(key) ?? '') as RescueRow]
  } catch {
    return []
  }
}

/** The same page may have left the same text in both places; the later of the two counts. */
export async function rescueRows(database: LocalDatabase): Promise<RescueRow[]> {
  const atOnce = lastWordsKeys(database).flatMap((key) => readRow(database, key))
  const rows = new Map<string, RescueRow>()
  for (const row of [...(await database.rescue.toArray()), ...atOnce].map(asOfToday)) {
    const key = lastWordsKey(database, row)
    if ((rows.get(key)?.at ?? 0) <= row.at) rows.set(key, row)
  }
  return [...rows.values()]
}

/** Rows of an earlier release have, whole, one text that was sent before. */
function asOfToday(row: RescueRow & { sent?: { idem: string; frozenHash: string } }): RescueRow {
  const { sent, ...rest } = row
  return sent ? { ...rest, unconfirmed: [{ idem: sent.idem, hash: sent.frozenHash }] } : rest
}

/** Whether a page that left may have sent the text that waits under the key. A transaction around it must cover `rescue`. */
export async function wasLeft(
  database: LocalDatabase,
  articleId: string,
  idem: string,
): Promise<boolean> {
  const rows = await rescueRows(database)
  return rows.some((row) => row.articleId === articleId && row.idem === idem)
}
