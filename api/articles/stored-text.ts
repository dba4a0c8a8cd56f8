import { hash } from 'node:crypto'
import { wordCountOnce } from '../../domain/text/article-text.ts'
import { type ArticleText, EMPTY_DOCUMENT } from '../../domain/text/document.ts'

/** A document as stored in a row. */
export type StoredText = { json: string; words: number }

/** `text` is in normal form, as returned when a document is read. */
export const storedText = (text: ArticleText): StoredText => ({
  json: JSON.stringify(text),
  words: wordCountOnce(text),
})

const EMPTY = ['{}', JSON.stringify(EMPTY_DOCUMENT)]

/** Whether both stored documents are the same text. In normal form only the empty document has two spellings. */
export const isSameText = (a: string, b: string): boolean =>
  a === b || (EMPTY.includes(a) && EMPTY.includes(b))

/** Whether the stored document has links. A quotation mark in a text is escaped, so none reads like this. */
export const hasStoredLinks = (json: string): boolean => json.includes('"type":"link"')

export const sha256 = (text: string): string => hash('sha256', text)
