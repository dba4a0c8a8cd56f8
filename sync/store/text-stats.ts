import { wordCount } from '../../domain/text/article-text.ts'
import { documentHash } from '../../domain/text/canonical.ts'
import type { ArticleText } from '../../domain/text/document.ts'

/** A text with its derived values; computed outside transactions, because that takes time. */
export type TextStats = { doc: ArticleText; hash: string; words: number }

export const measure = (doc: ArticleText): TextStats => ({
  doc,
  hash: documentHash(doc),
  words: wordCount(doc),
})
