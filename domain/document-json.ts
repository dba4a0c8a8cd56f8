import { type ArticleText, asDocument, type DocumentNode } from './document.ts'

const known = new WeakMap<DocumentNode, string>()

/**
 * The document as JSON. That of each block is kept with it, so that a save spells out only what was typed in: who
 * has a document written this way must not change its nodes any more.
 */
export const documentJson = (text: ArticleText): string =>
  `{"type":"doc","content":[${asDocument(text).content.map(blockJson).join(',')}]}`

/** Kept with the block, which must not change any more. */
export function blockJson(block: DocumentNode): string {
  const before = known.get(block)
  if (before !== undefined) return before
  const json = JSON.stringify(block)
  known.set(block, json)
  return json
}
