import type { Copies, Copy } from '../../domain/wire/copies.ts'
import { isOfThisEpoch } from '../store/epoch.ts'
import { putPlan } from '../store/fetched-plan.ts'
import { isHandIn, storeRecord } from '../store/fetched-record.ts'
import { isNote } from '../store/records.ts'
import { transact } from '../store/transaction.ts'
import { isPlan } from './fetch-plan.ts'
import type { RecordContext } from './fetch-record.ts'
import { isArticle } from './store-pulled.ts'

/** Copies of several articles in one response. Loaded on demand: few pages have several texts to fetch. */

/** Null if the body has another shape or names articles that were not requested. */
export function readCopies(json: unknown, articleIds: readonly string[]): Copies | null {
  const { results, rest } = (json ?? {}) as Partial<Record<keyof Copies, unknown>>
  if (!Array.isArray(results) || !results.every(isCopy) || !Array.isArray(rest)) return null
  const named = [...results.map(({ article }) => article.id), ...rest]
  const areAsked = named.every((id) => articleIds.includes(id))
  return areAsked && results.length > 0 ? { results, rest } : null
}

function isCopy(value: unknown): value is Copy {
  const { article, plan, handIns, notes } = (value ?? {}) as Partial<Copy>
  return (
    isArticle(article) &&
    isPlan(plan) &&
    Array.isArray(handIns) &&
    handIns.every(isHandIn) &&
    Array.isArray(notes) &&
    notes.every(isNote)
  )
}

/** Stores the plans, receipts and notes of a response of the epoch `epoch`. */
export async function storeCopiedRecords(
  { database, userId, effects, dueNow }: RecordContext,
  copies: readonly Copy[],
  epoch: string | null,
): Promise<void> {
  const names = ['plans', 'records', 'articles', 'outbox', 'meta'] as const
  await transact(database, 'rw', names, async (tables) => {
    if (!(await isOfThisEpoch(tables, epoch))) return
    for (const { article, plan, handIns, notes } of copies) {
      const { id, handIns: total = 0 } = article
      await putPlan(tables, id, plan, false)
      const isRecorded = handIns.length + notes.length > 0 || (await tables.records.get(id))
      if (!isRecorded) continue
      await storeRecord(tables, id, { handIns, total, notes }, { userId, now: effects.now() })
    }
  })
  dueNow()
}
