import { isRecordStale } from '../store/records.ts'
import type { RecordContext } from './article-record.ts'

/**
 * Fetches receipts and notes of the article if the server has others than this computer. Returns false when they could
 * not be read.
 */
export async function refreshRecord(context: RecordContext, articleId: string): Promise<boolean> {
  const { database } = context
  const article = await database.articles.get(articleId)
  if (!article || !(await isRecordStale(database, article))) return true
  // Loaded on demand: most articles were never completed.
  const code = await import('./article-record.ts').catch(() => null)
  return code?.fetchRecord(context, articleId) ?? false
}

/** Those of the articles in the last listing, one after the other, until one could not be read. */
export async function refreshRecords(
  context: RecordContext,
  isLost: () => boolean,
): Promise<boolean> {
  const { articles, records } = context.database
  const known = new Set(await records.toCollection().primaryKeys())
  const listed = await articles
    .where('listed')
    .equals(1)
    .filter(({ id, handIns, notes }) => known.has(id) || Boolean(handIns ?? notes))
    .toArray()
  for (const { id } of listed) {
    if (isLost() || !(await refreshRecord(context, id))) return false
  }
  return true
}
