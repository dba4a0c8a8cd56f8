import type { Send } from '../ports.ts'
import type { LocalDatabase } from './database.ts'

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
  const { meta } = database
  return database.transaction('rw', numberedTables(database), async () => {
    const before = await meta.get('serverEpoch')
    await meta.put({ key: 'serverEpoch', value: epoch })
    if (before === undefined || before.value === epoch) return false
    await forgetNumbers(database)
    return true
  })
}

export const numberedTables = (database: LocalDatabase) => {
  const { articles, docs, drafts, outbox, localRevs, serverRevs, meta } = database
  return [articles, docs, drafts, outbox, localRevs, serverRevs, meta]
}

/** In a transaction over `numberedTables`. */
export async function forgetNumbers(database: LocalDatabase): Promise<void> {
  const { articles, docs, drafts, localRevs, serverRevs, meta } = database
  await meta.bulkDelete(['listTag', 'changeSeq'])
  await articles.toCollection().modify({ version: 0, textVersion: 0 })
  await docs.toCollection().modify({ textVersion: 0 })
  await drafts.toCollection().modify({ baseVersion: 0 })
  await localRevs.toCollection().modify({ baseVersion: 0, isBase: false })
  await serverRevs.clear()
}

/**
 * Whether a response is from the current epoch: another tab may have entered a new one since it arrived. A server that
 * names none has only one. A transaction around it must cover meta.
 */
export const isOfThisHistory = async (
  database: LocalDatabase,
  epoch: string | null | undefined,
): Promise<boolean> => epoch == null || epoch === (await knownEpoch(database))

/** Null before the first response. A transaction around it must cover meta. */
export async function knownEpoch(database: LocalDatabase): Promise<string | null> {
  const row = await database.meta.get('serverEpoch')
  return typeof row?.value === 'string' ? row.value : null
}
