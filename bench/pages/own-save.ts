import type { ArticleText } from '../../domain/text/document.ts'
import { writeDraft } from '../../sync/editing/write-draft.ts'
import { type LocalDatabase, openLocalDatabase } from '../../sync/store/database.ts'
import { type Draft, openDraft } from '../../sync/store/draft-rows.ts'
import { docRow } from '../../sync/store/server-docs.ts'
import { measure } from '../../sync/store/text-stats.ts'

/** One save as the product's editor does it. */

let database: LocalDatabase
let seen: Draft
let queued: string | null = null

/** Stores the article that is saved afterwards. */
export async function openOwn(articleId: string, doc: ArticleText): Promise<void> {
  database = openLocalDatabase('bench')
  await database.docs.put(docRow({ articleId, textVersion: 1, ...measure(doc) }))
  const draft = await openDraft(database, articleId)
  if (draft === null) throw new Error(`No text of ${articleId}`)
  seen = draft
}

/**
 * Hash, words, compare-and-set of the draft, its text and its outbox entry. Returns the milliseconds until all is on
 * disk.
 */
export async function product(doc: ArticleText): Promise<number> {
  const startedAt = performance.now()
  const { draft, key } = await writeDraft(database, {
    articleId: seen.articleId,
    mine: measure(doc),
    seenRev: seen.localRev,
    seenDoc: seen.doc,
    base: seen,
    epoch: null,
    baseIsNewer: false,
    key: crypto.randomUUID(),
    mergedKey: crypto.randomUUID(),
    unusedKey: queued,
    editedAt: Date.now(),
  })
  seen = draft
  queued = key
  return performance.now() - startedAt
}
