import { plainText } from './article-text.ts'
import { canonicalJson } from './canonical.ts'
import { type ArticleText, normalForm } from './document.ts'
import { withoutLineEndSpaces } from './line-ends.ts'

/**
 * What the fingerprints of a text are the SHA-256 of: `document` differs with every letter, mark and heading, `words` with
 * every letter and line, whatever their formatting, but not with the white space at the ends of lines. Two forms of one
 * document have the same.
 */
export function fingerprinted(text: ArticleText): { document: string; words: string } {
  const normal = normalForm(text)
  return { document: canonicalJson(normal), words: plainText(withoutLineEndSpaces(normal)) }
}
