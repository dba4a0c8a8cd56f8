import { countWords, plainText } from './article-text.ts'
import { diff } from './diff.ts'
import { type ArticleText, sameDocument } from './document.ts'

/** How many words are in the later of two texts alone, and in the earlier one alone. */
export type WordChange = { added: number; removed: number }

/** How a text differs from the one before it. `formatting`: its words are the same, but not its marks or blocks. */
export type ChangedWords = WordChange & { formatting: boolean }

export function changedWords(before: ArticleText, after: ArticleText): ChangedWords {
  const change = wordChange(plainText(before), plainText(after))
  const isSame = change.added + change.removed === 0
  return { ...change, formatting: isSame && !sameDocument(before, after) }
}

/** `added` - `removed` is the difference of the word counts. A word with other punctuation is another word. */
export function wordChange(before: string, after: string): WordChange {
  const [old, fresh] = [tokensOf(before), tokensOf(after)]
  let [added, removed] = [0, 0]
  for (const { from, to, newFrom, newTo } of diff(old, fresh)) {
    removed += wordsIn(old.slice(from, to))
    added += wordsIn(fresh.slice(newFrom, newTo))
  }
  return { added, removed }
}

const tokensOf = (text: string): string[] => text.split(/\s+/u).filter(Boolean)
const wordsIn = (tokens: readonly string[]): number =>
  tokens.reduce((sum, token) => sum + countWords(token), 0)
