import { type ArticleText, asDocument, type DocumentNode } from './document.ts'

const known = new WeakMap<DocumentNode, string>()

/**
 * The document as JSON. The JSON of each block is cached with it, so that a save serializes only changed blocks: the
 * nodes of a document written this way must not be changed.
 */
export const documentJson = (text: ArticleText): string =>
  `{"type":"doc","content":[${asDocument(text).content.map(blockJson).join(',')}]}`

/** Cached with the block, which must not be changed. */
export function blockJson(block: DocumentNode): string {
  const before = known.get(block)
  if (before !== undefined) return before
  const json = JSON.stringify(block)
  known.set(block, json)
  return json
}
