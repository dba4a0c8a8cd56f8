import type { Send } from '../ports.ts'
import type { LocalDatabase } from './database.ts'
import { type In, type Tables, transact } from './transaction.ts'

/**
 * Every response names the history of its data. Another one than before means that the server was restored from a
 * backup: the versions known here may belong to other texts now, or to none.
 */
export function heedingEpoch(send: Send, database: LocalDatabase, changed: () => void): Send {
  return async (request) => {
    const answer = await send(request)
    const epoch = answer.header('server-epoch')
    if (epoch !== null && (await enterEpoch(database, epoch))) changed()
    return answer
  }
}

/**
 * Forgets every version number when the epoch changed, but no text. The server's texts then count as newer than the
 * stored ones, and unsent words are merged over them from the text that they grew from. Returns true when there was
 * anything to forget.
 */
export async function enterEpoch(database: LocalDatabase, epoch: string): Promise<boolean> {
  const known = await database.meta.get('serverEpoch')
  if (known?.value === epoch) return false
  return transact(database, 'rw', NUMBERED, async (tables) => {
    const before = await tables.meta.get('serverEpoch')
    await tables.meta.put({ key: 'serverEpoch', value: epoch })
    if (before === undefined || before.value === epoch) return false
    await forgetNumbers(tables)
    return true
  })
}

/** The tables with version numbers, and what else refers to an epoch. */
export const NUMBERED = [
  'articles',
  'docs',
  'drafts',
  'outbox',
  'localRevs',
  'serverRevs',
  'records',
  'plans',
  'meta',
] as const

export async function forgetNumbers(tables: In<(typeof NUMBERED)[number]>): Promise<void> {
  const { articles, docs, drafts, localRevs, serverRevs, records, plans, meta } = tables
  await meta.bulkDelete(['listTag', 'changeSeq'])
  await articles.toCollection().modify((article) => {
    article.version = 0
    article.textVersion = 0
    // The date stays for the time without a connection.
    if (article.plan) article.plan.counter = 0
  })
  await docs.toCollection().modify({ textVersion: 0 })
  await drafts.toCollection().modify({ baseVersion: 0 })
  await localRevs.toCollection().modify({ baseVersion: 0, isBase: false })
  await serverRevs.clear()
  await records.toCollection().modify({ total: null })
  await plans.toCollection().modify({ counter: null })
}

/**
 * Whether a response is from the current epoch: another tab may have entered a new one since it arrived. A server that
 * names none has only one.
 */
export const isOfThisEpoch = async (
  tables: In<'meta'>,
  epoch: string | null | undefined,
): Promise<boolean> => epoch == null || epoch === (await knownEpoch(tables))

/** Null before the first response. */
export async function knownEpoch({ meta }: Tables<'meta'>): Promise<string | null> {
  const row = await meta.get('serverEpoch')
  return typeof row?.value === 'string' ? row.value : null
}
