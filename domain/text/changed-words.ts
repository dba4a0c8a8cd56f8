import { countWords, plainText } from './article-text.ts'
import { diff } from './diff.ts'
import { type ArticleText, sameDocument } from './document.ts'

/** How a text differs from the one before it. `formatting`: its words are the same, but not its marks or blocks. */
export type ChangedWords = { added: number; removed: number; formatting: boolean }

/**
 * Counts the words that are in one of two texts alone. `added` - `removed` is the difference of their word counts. A
 * word with other punctuation is another word.
 */
export function changedWords(before: ArticleText, after: ArticleText): ChangedWords {
  const [old, fresh] = [tokensOf(before), tokensOf(after)]
  let [added, removed] = [0, 0]
  for (const { from, to, newFrom, newTo } of diff(old, fresh)) {
    removed += wordsIn(old.slice(from, to))
    added += wordsIn(fresh.slice(newFrom, newTo))
  }
  const isSame = added + removed === 0
  return { added, removed, formatting: isSame && !sameDocument(before, after) }
}

const tokensOf = (text: ArticleText): string[] => plainText(text).split(/\s+/u).filter(Boolean)
const wordsIn = (tokens: readonly string[]): number =>
  tokens.reduce((sum, token) => sum + countWords(token), 0)
