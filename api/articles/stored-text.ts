import { createHash } from 'node:crypto'
import { wordCount } from '../../domain/article-text.ts'
import { canonicalJson } from '../../domain/canonical.ts'
import { type ArticleText, normalForm } from '../../domain/document.ts'

/** A document as the rows keep it. */
export type StoredText = {
  json: string
  /** Equal for equal texts, whatever their form. A laptop has hashes of its own for its rows. */
  hash: string
  words: number
}

export function storedText(text: ArticleText): StoredText {
  return {
    json: JSON.stringify(text),
    hash: sha256(canonicalJson(normalForm(text))),
    words: wordCount(text),
  }
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
