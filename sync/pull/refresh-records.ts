import type { ArticleRow } from '../store/database.ts'
import { isRecordStale } from '../store/records.ts'
import { isPlanStale } from '../store/stale-plan.ts'
import type { RecordContext } from './fetch-record.ts'

/**
 * Fetches receipts, notes and plan of the article if the server has others than this computer. Returns false when they
 * could not be read.
 */
export async function refreshRecord(context: RecordContext, articleId: string): Promise<boolean> {
  const article = await context.database.articles.get(articleId)
  if (!article) return true
  const done = [await refreshPlan(context, article), await refreshHandIns(context, article)]
  return !done.includes(false)
}

/** Both are loaded on demand: most articles have neither. */
async function refreshPlan(context: RecordContext, article: ArticleRow): Promise<boolean> {
  if (!(await isPlanStale(context.database, article))) return true
  const code = await import('./fetch-plan.ts').catch(() => null)
  return code?.fetchPlan(context, article.id) ?? false
}

async function refreshHandIns(context: RecordContext, article: ArticleRow): Promise<boolean> {
  if (!(await isRecordStale(context.database, article))) return true
  const code = await import('./fetch-record.ts').catch(() => null)
  return code?.fetchRecord(context, article.id) ?? false
}

/**
 * Those of the articles in the last listing, incomplete ones first, one after the other, until one could not be read.
 */
export async function refreshRecords(
  context: RecordContext,
  isLost: () => boolean,
): Promise<boolean> {
  const { articles, records, plans } = context.database
  const known = new Set([
    ...(await records.toCollection().primaryKeys()),
    ...(await plans.toCollection().primaryKeys()),
  ])
  const listed = await articles.where('listed').equals(1).toArray()
  const recorded = listed.filter(
    ({ id, handIns, notes, plan }) => known.has(id) || Boolean(handIns ?? notes ?? plan),
  )
  for (const { id } of recorded.sort((a, b) => a.completed - b.completed)) {
    if (isLost() || !(await refreshRecord(context, id))) return false
  }
  return true
}
