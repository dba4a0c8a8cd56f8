import type { ArticleText } from '../domain/document.ts'
import type { LocalDatabase, RescueRow } from './database.ts'
import { type DraftWrite, measure, openDraft, writeDraft } from './drafts.ts'
import { keepRevision } from './revisions.ts'

/** The part of IndexedDB that the raw write needs. */
type RawDatabase = {
  transaction(store: string, mode: 'readwrite'): RawTransaction
}
type RawTransaction = {
  objectStore(name: string): { put(row: RescueRow): unknown }
  commit?(): void
}

/**
 * Writes the text of a page that may be gone in a moment. Not by Dexie, whose writes start a task later
 * and are lost with the page; the explicit commit is what makes this one survive a navigation. The draft
 * is left alone: who writes last would win there.
 */
export function writeRescue(database: LocalDatabase, row: RescueRow): void {
  try {
    const raw: RawDatabase = database.backendDB()
    const transaction = raw.transaction('rescue', 'readwrite')
    transaction.objectStore('rescue').put(row)
    transaction.commit?.()
  } catch {
    // A closed database cannot be written; the flush that is under way is then all there is.
  }
}

/**
 * Folds what leaving pages wrote into the drafts, by the rule of every other write. Answers their articles.
 * `leastAge` in milliseconds spares the rows of pages that were only hidden and are about to write them.
 */
export async function foldRescued(
  database: LocalDatabase,
  effects: { now: () => number; newId: () => string },
  leastAge = 0,
): Promise<string[]> {
  const latest = effects.now() - leastAge
  const kept = await database.rescue.toArray()
  const rows = leastAge === 0 ? kept : kept.filter(({ at }) => at <= latest)
  for (const row of rows) {
    const draft = await openDraft(database, row.articleId)
    const mine = measure(row.doc)
    if (draft?.hash !== mine.hash) {
      const { articleId } = row
      const revision = { articleId, ...mine, baseTv: draft?.baseTv ?? 0 }
      await keepRevision(database, 'rescue', revision, effects.now())
      await writeDraft(database, {
        articleId,
        mine,
        seenRev: row.seenRev,
        seenDoc: row.base,
        base: draft ?? unknownBase(row.base),
        baseIsNewer: false,
        idem: row.idem ?? effects.newId(),
        mergedIdem: effects.newId(),
        editedAt: row.at,
      })
    }
    await database.rescue.delete([row.articleId, row.tabId])
  }
  return rows.map(({ articleId }) => articleId)
}

/** The row was let go meanwhile; what the tab last saw is then all that is known of the server's text. */
function unknownBase(base: ArticleText): DraftWrite['base'] {
  return { baseDoc: base, baseHash: measure(base).hash, baseTv: 0 }
}
