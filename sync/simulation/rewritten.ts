import { diff } from '../../domain/diff.ts'
import type { ArticleText } from '../../domain/document.ts'
import type { Tab } from './browser.ts'
import { plainParagraphsOf } from './prose.ts'

/**
 * What a user changed in a sentence: what is before and after it, what was removed, and all words of the sentence.
 * `isInside`: with words of the sentence on both sides.
 */
type Change = {
  articleId: string
  tab: string
  before: string
  after: string
  removed: string[]
  sentence: Set<string>
  isInside: boolean
}

export type Rewritten = ReturnType<typeof createRewritten>

/**
 * Sentences that two pages changed at the same place. Both forms stay, so the words that they have in common may be there
 * twice.
 */
export function createRewritten() {
  const changes: Change[] = []

  return {
    changed({ articleId, name }: Tab, before: ArticleText, after: ArticleText): void {
      for (const change of changesIn(tokensOf(before), tokensOf(after)))
        changes.push({ articleId, tab: name, ...change })
    },
    /** Whether a word may be twice in the text. */
    twiceIn(articleId: string): (word: string) => boolean {
      const all = changes.filter((change) => change.articleId === articleId)
      const words = new Set(
        all
          .filter((one) => all.some((other) => areOnePlace(one, other)))
          .flatMap(({ sentence }) => [...sentence].filter(isSingle)),
      )
      // Before the two forms met, more was typed into either.
      for (let size = -1; size < words.size; ) {
        size = words.size
        for (const { sentence } of all) {
          const single = [...sentence].filter(isSingle)
          if (single.some((word) => words.has(word))) for (const word of single) words.add(word)
        }
      }
      return (word) => words.has(stemOf(word))
    },
  }
}

/** Between two blocks. */
const BLOCK = '¶'

const tokensOf = (text: ArticleText): string[] =>
  plainParagraphsOf(text).flatMap((line) => [BLOCK, ...line.split(/\s+/).filter(Boolean)])

/** So many words say where it is. */
const NEAR = 2

/** A block that is split or joined is a change too; more blocks at once were moved, pasted or deleted. */
function changesIn(before: string[], after: string[]): Omit<Change, 'articleId' | 'tab'>[] {
  return diff(before, after).flatMap(({ from, to, newFrom, newTo }) => {
    const [removed, typed] = [before.slice(from, to), after.slice(newFrom, newTo)]
    if ([...removed, ...typed].filter(isBlock).length > 1) return []
    const start =
      before.findLastIndex((word, at) => at < from && (isEnd(word) || isBlock(word))) + 1
    const end = before.findIndex((word, at) => at >= to && (isEnd(word) || isBlock(word)))
    const stop = end < 0 ? before.length : end + (isBlock(before[end] ?? '') ? 0 : 1)
    return [
      {
        before: before.slice(Math.max(0, from - NEAR), from).join(' '),
        after: before.slice(to, to + NEAR).join(' '),
        removed,
        sentence: new Set([...before.slice(start, stop), ...typed].map(stemOf)),
        isInside: from > start && to < stop,
      },
    ]
  })
}

const isBlock = (word: string): boolean => word === BLOCK
const isEnd = (word: string): boolean => /[.!?]$/.test(word)

/** A word that occurs once may be longer by now. */
const stemOf = (word: string): string => /^w\d+/.exec(word)?.[0] ?? word
const isSingle = (word: string): boolean => /^w\d/.test(word)

const areOnePlace = (one: Change, other: Change): boolean =>
  one.isInside &&
  other.isInside &&
  one.tab !== other.tab &&
  (one.before === other.before ||
    one.after === other.after ||
    one.removed.some((word) => other.removed.includes(word)))
