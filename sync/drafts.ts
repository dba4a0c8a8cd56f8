import { wordCount } from '../domain/article-text.ts'
import { documentHash } from '../domain/canonical.ts'
import type { ArticleText } from '../domain/document.ts'
import type { DraftRow, LocalDatabase } from './database.ts'
import { merge3 } from './merge/merge3.ts'
import { queueText } from './queue.ts'

/** A text with what is derived from it; made outside transactions, because it takes time. */
export type MeasuredText = { doc: ArticleText; hash: string; words: number }

export const measure = (doc: ArticleText): MeasuredText => ({
  doc,
  hash: documentHash(doc),
  words: wordCount(doc),
})

/** What a text grew from: the server's text and its version. */
export type Base = Pick<DraftRow, 'baseDoc' | 'baseHash' | 'baseTv'>

export type DraftWrite = {
  articleId: string
  /** What the editor shows. */
  mine: MeasuredText
  /** The draft that it grew from: its number, and its text as the base of a merge. */
  seenRev: number
  seenDoc: ArticleText
  /** For the case that the row is gone, or that the server took text past the queue. */
  base: Base
  baseIsNewer: boolean
  /** The key for `mine`; a merge with what another tab wrote goes under `mergedIdem`. */
  idem: string
  mergedIdem: string
  editedAt: number
  /** True once nobody waits for this write any more: another took its place, so it must leave the row alone. */
  isGivenUp?: () => boolean
}

/**
 * `merged` when another tab had written: `draft.doc` is then more than what the editor shows. `anew` when
 * there was no row any more.
 */
export type Written = { draft: DraftRow; merged: boolean; anew: boolean }

/**
 * The draft's text for an editor, or null when this computer has none. The first opening makes the row,
 * from then on every write counts up its `localRev`.
 */
export async function openDraft(
  database: LocalDatabase,
  articleId: string,
): Promise<DraftRow | null> {
  return database.transaction('rw', database.drafts, database.docs, async () => {
    const draft = await database.drafts.get(articleId)
    if (draft) return draft
    const doc = await database.docs.get(articleId)
    if (!doc) return null
    const { hash, words, textVersion } = doc
    const opened: DraftRow = {
      articleId,
      doc: doc.doc,
      hash,
      words,
      localRev: 1,
      baseDoc: doc.doc,
      baseHash: hash,
      baseTv: textVersion,
      ackedRev: 1,
      editedAt: 0,
      dirty: 0,
      lastSentAt: null,
    }
    await database.drafts.add(opened)
    return opened
  })
}

/**
 * Writes the text of one tab and what the queue must know of it, in one transaction. Compare-and-set: if
 * another tab (or a merge) wrote since, both texts are merged, so no tab ever overwrites another's words.
 */
export async function writeDraft(database: LocalDatabase, write: DraftWrite): Promise<Written> {
  let text = write.mine
  let expectedRev = write.seenRev
  for (;;) {
    const outcome = await compareAndSet(database, write, text, expectedRev)
    if (outcome.written) {
      const { row: draft, anew } = outcome
      return { draft, merged: expectedRev !== write.seenRev, anew }
    }
    text = measure(merge3(write.seenDoc, write.mine.doc, outcome.row.doc).document)
    expectedRev = outcome.row.localRev
  }
}

async function compareAndSet(
  database: LocalDatabase,
  write: DraftWrite,
  text: MeasuredText,
  expectedRev: number,
): Promise<{ written: boolean; row: DraftRow; anew: boolean }> {
  return database.transaction('rw', database.drafts, database.outbox, async () => {
    const row = await database.drafts.get(write.articleId)
    if (write.isGivenUp?.()) throw new Error('Given up')
    if (row && row.localRev !== expectedRev) return { written: false, row, anew: false }
    const base = row && !(write.baseIsNewer && write.base.baseTv > row.baseTv) ? row : write.base
    const draft: DraftRow = {
      articleId: write.articleId,
      ...text,
      localRev: (row?.localRev ?? write.seenRev) + 1,
      baseDoc: base.baseDoc,
      baseHash: base.baseHash,
      baseTv: base.baseTv,
      ackedRev: row?.ackedRev ?? 0,
      editedAt: write.editedAt,
      dirty: 1,
      lastSentAt: row?.lastSentAt ?? null,
    }
    const idem = text.hash === write.mine.hash ? write.idem : write.mergedIdem
    draft.dirty = await queueText(database, draft, { idem, editedAt: write.editedAt })
    if (draft.dirty === 0) draft.ackedRev = draft.localRev
    await database.drafts.put(draft)
    return { written: true, row: draft, anew: row === undefined }
  })
}
