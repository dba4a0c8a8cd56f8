import type { LocalDatabase } from './database.ts'
import { deleteDraft } from './draft-rows.ts'
import { entriesOf } from './queue.ts'
import { transact } from './transaction.ts'

/**
 * Frees room on a full disk by deleting what the server can return: first its earlier texts that were viewed and the
 * texts of completed articles, then checkpoints that equal its versions, except the newest of each article. Never a
 * word that the server lacks. Returns true when anything was deleted.
 */
export async function evict(database: LocalDatabase): Promise<boolean> {
  database.isShortOfRoom = true
  const dropped = [await dropEarlierTexts(database), await dropCompletedTexts(database)]
  return dropped.includes(true) || (await dropOldCheckpoints(database))
}

async function dropEarlierTexts({ serverRevs }: LocalDatabase): Promise<boolean> {
  const read = serverRevs.filter(({ text }) => text !== null)
  return (await read.modify({ text: null })) > 0
}

async function dropCompletedTexts(database: LocalDatabase): Promise<boolean> {
  const names = ['articles', 'docs', 'drafts', 'texts', 'outbox'] as const
  return transact(database, 'rw', names, async (tables) => {
    const { articles, docs, drafts } = tables
    let dropped = false
    for (const articleId of await articles.where('completed').equals(1).primaryKeys()) {
      const [doc, draft, entries] = await Promise.all([
        docs.get(articleId),
        drafts.get(articleId),
        entriesOf(tables, articleId),
      ])
      if (draft?.dirty === 1 || entries.length > 0 || (!doc && !draft)) continue
      // From an earlier epoch of the server: this may be the only copy.
      if (doc?.textVersion === 0 || draft?.baseVersion === 0) continue
      await docs.delete(articleId)
      await deleteDraft(tables, articleId)
      dropped = true
    }
    return dropped
  })
}

async function dropOldCheckpoints(database: LocalDatabase): Promise<boolean> {
  return transact(database, 'rw', ['localRevs'], async ({ localRevs }) => {
    const newest = new Map<string, number>()
    await localRevs
      .where('reason')
      .equals('checkpoint')
      .each(({ articleId, id }) => {
        newest.set(articleId, Math.max(id, newest.get(articleId) ?? 0))
      })
    const kept = new Set(newest.values())
    const old = localRevs
      .where('reason')
      .equals('checkpoint')
      .and(({ id, isBase }) => !kept.has(id) && isBase === true)
    return (await old.delete()) > 0
  })
}
