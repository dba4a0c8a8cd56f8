import type { ExitSnapshotRow } from './database.ts'
import { asSnapshot, type SnapshotOf7 } from './database-upgrades.ts'
import type { In, Tables } from './transaction.ts'

/**
 * Exit snapshots, in the two places where pages write them: a table, and the synchronous store. Only read here;
 * sync/editing/exit-snapshot.ts writes and restores them.
 */

/** A small synchronous store. What it has outlives a page that ends, but not always a crash. */
export type SnapshotStore = {
  readonly length: number
  key(index: number): string | null
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

export type Whose = Pick<ExitSnapshotRow, 'articleId' | 'tabId'>

const keysOf = ({ name }: Tables<never>): string => `${name}:last-words:`

export const snapshotKey = (database: Tables<never>, { articleId, tabId }: Whose): string =>
  `${keysOf(database)}${articleId}:${tabId}`

export const snapshotKeys = (database: Tables<never>): string[] =>
  storedKeys(database, keysOf(database))

/** The keys of the synchronous store that begin with the prefix. */
export function storedKeys({ snapshotStore }: Tables<never>, prefix: string): string[] {
  const { length } = snapshotStore ?? { length: 0 }
  const keys = Array.from({ length }, (_, index) => snapshotStore?.key(index) ?? '')
  return keys.filter((key) => key.startsWith(prefix))
}

/** The articles with exit snapshots that are not restored yet, as far as the synchronous store has them. */
export const articlesLeft = (database: Tables<never>): Set<string> =>
  new Set(
    snapshotKeys(database).flatMap((key) =>
      readRow(database, key).map(({ articleId }) => articleId),
    ),
  )

/** Those that could not be restored because the disk is full. */
export const articlesWithoutRoom = (database: Tables<never>): string[] =>
  [...articlesLeft(database)].filter((articleId) => database.withoutRoom.has(articleId))

/** An unreadable one must not keep the others from being restored. */
function readRow({ snapshotStore }: Tables<never>, key: string): ExitSnapshotRow[] {
  try {
    const row: ExitSnapshotRow & SnapshotOf7 = JSON.parse(snapshotStore?.getItem(key) ?? '')
    return [asSnapshot(row)]
  } catch {
    return []
  }
}

/** The same page may have left the same text in both places; the later of the two counts. */
export async function exitSnapshotRows(
  tables: Tables<'exitSnapshots'>,
): Promise<ExitSnapshotRow[]> {
  const atOnce = snapshotKeys(tables).flatMap((key) => readRow(tables, key))
  const rows = new Map<string, ExitSnapshotRow>()
  for (const row of [...(await tables.exitSnapshots.toArray()), ...atOnce]) {
    const key = snapshotKey(tables, row)
    if ((rows.get(key)?.at ?? 0) <= row.at) rows.set(key, row)
  }
  return [...rows.values()]
}

/** Whether a closed page may have sent the text that is pending under the key. */
export async function wasLeft(
  tables: In<'exitSnapshots'>,
  articleId: string,
  key: string,
): Promise<boolean> {
  const rows = await exitSnapshotRows(tables)
  return rows.some((row) => row.articleId === articleId && row.key === key)
}
