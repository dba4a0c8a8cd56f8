import { HAND_INS_LIMIT_MAX } from '../../domain/limits.ts'
import type { Effects, Ports } from '../ports.ts'
import { goneReason } from '../protocol/push-result.ts'
import { getAnswer } from '../protocol/revision-requests.ts'
import type { LocalDatabase } from '../store/database.ts'
import { isOfThisEpoch } from '../store/epoch.ts'
import { isHandIn, storeRecord } from '../store/fetched-record.ts'
import { isNote } from '../store/records.ts'
import { transact } from '../store/transaction.ts'

export type RecordContext = Pick<Ports, 'send'> & {
  database: LocalDatabase
  userId: string
  effects: Effects
  /** Entries of the queue became due. */
  dueNow: () => void
}

/**
 * Fetches receipts and notes of the article. Returns false when they could not be read. A server of an earlier release
 * has none.
 */
export async function fetchRecord(
  { send, database, userId, effects, dueNow }: RecordContext,
  articleId: string,
): Promise<boolean> {
  const path = `/articles/${encodeURIComponent(articleId)}`
  const [handIns, notes] = await Promise.all([
    getAnswer(send, `${path}/hand-ins?limit=${HAND_INS_LIMIT_MAX}`),
    getAnswer(send, `${path}/notes`),
  ])
  if (handIns && goneReason(handIns.status)) return true
  const [listed, noted] = [listIn(handIns?.json, isHandIn), listIn(notes?.json, isNote)]
  if (!listed || !noted) return false
  const epoch = handIns?.header('server-epoch')
  await transact(database, 'rw', ['records', 'outbox', 'meta'], async (tables) => {
    if (!(await isOfThisEpoch(tables, epoch))) return
    const { results, total } = listed
    const given = { handIns: results, total, notes: noted.results }
    await storeRecord(tables, articleId, given, { userId, now: effects.now() })
  })
  dueNow()
  return true
}

function listIn<Row>(json: unknown, isRow: (value: unknown) => value is Row) {
  const { results, totalResults } = (json ?? {}) as { results?: unknown; totalResults?: unknown }
  return Array.isArray(results) && results.every(isRow) && typeof totalResults === 'number'
    ? { results, total: totalResults }
    : null
}
