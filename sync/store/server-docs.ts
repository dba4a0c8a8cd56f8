import type { ArticleText } from '../../domain/text/document.ts'
import { documentJson } from '../../domain/text/document-json.ts'
import type { Author } from '../../domain/wire/articles.ts'
import type { DocRow } from './database.ts'
import { keepRevision } from './revisions.ts'
import type { TextStats } from './text-stats.ts'
import type { In } from './transaction.ts'

export type ServerText = TextStats & {
  articleId: string
  textVersion: number
  by?: Author | null
  /** Name of its revision; missing where the server named none. */
  revision?: string | undefined
  /** The epoch that its version is from; null or missing when the server named none. */
  epoch?: string | null
}

/** The stored server text only ever moves forward: returns false when it is as new. */
export async function moveDocForward(
  tables: In<'docs' | 'localRevs'>,
  text: ServerText,
  at: number,
): Promise<boolean> {
  const known = await tables.docs.get(text.articleId)
  if (known && known.textVersion >= text.textVersion) return false
  if (known && known.hash !== text.hash) await keepOfOtherEpoch(tables, known, at)
  await tables.docs.put(docRow(text))
  return true
}

export const docRow = ({ doc, epoch: _, by = null, ...text }: ServerText): DocRow => ({
  ...text,
  json: documentJson(doc),
  by,
})

/** The row with its parsed text. */
export const readDoc = ({ json, doc = {}, ...row }: DocRow) => ({
  ...row,
  doc: json === undefined ? doc : (JSON.parse(json) as ArticleText),
})

/**
 * Keeps a text that is about to be replaced: if the server was restored from a backup without it, this may be the only
 * copy.
 */
export async function keepOfOtherEpoch(tables: In<'localRevs'>, known: DocRow, at: number) {
  if (known.textVersion > 0) return
  await keepRevision(tables, 'other-history', { ...readDoc(known), baseVersion: 0 }, at)
}
