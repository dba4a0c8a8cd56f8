import { diff } from '../../domain/diff.ts'
import type { ArticleText } from '../../domain/document.ts'
import type { Tab } from './browser.ts'
import { plainParagraphsOf } from './prose.ts'

/** What a user changed inside a sentence: what is before and after it, what was removed, and all words around it. */
type Change = {
  articleId: string
  tab: string
  before: string
  after: string
  removed: string[]
  sentence: Set<string>
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
      const [had, has] = [before, after].map((text) => plainParagraphsOf(text)) as [
        string[],
        string[],
      ]
      const [line, ...others] = had.filter((line) => !has.includes(line))
      const [changed, ...more] = has.filter((line) => !had.includes(line))
      if (line === undefined || changed === undefined || others.length + more.length > 0) return
      for (const change of changesIn(wordsOf(line), wordsOf(changed)))
        changes.push({ articleId, tab: name, ...change })
    },
    mayBeTwice(articleId: string, word: string): boolean {
      const around = changes.filter(
        (change) => change.articleId === articleId && change.sentence.has(word),
      )
      return around.some((one) => around.some((other) => areOnePlace(one, other)))
    },
  }
}

const wordsOf = (line: string): string[] => line.split(/\s+/).filter(Boolean)

/** So many words say where it is. */
const NEAR = 2

/** Only those inside a sentence: at its ends words are not part of it. */
function changesIn(line: string[], changed: string[]): Omit<Change, 'articleId' | 'tab'>[] {
  return diff(line, changed).flatMap(({ from, to }) => {
    const start = line.findLastIndex((word, at) => at < from && isEnd(word)) + 1
    const stop = line.findIndex((word, at) => at >= from && isEnd(word)) + 1 || line.length
    if (from === start || to >= stop) return []
    return [
      {
        before: line.slice(Math.max(0, from - NEAR), from).join(' '),
        after: line.slice(to, to + NEAR).join(' '),
        removed: line.slice(from, to),
        sentence: new Set(line.slice(start, stop)),
      },
    ]
  })
}

const isEnd = (word: string): boolean => /[.!?]$/.test(word)

const areOnePlace = (one: Change, other: Change): boolean =>
  one.tab !== other.tab &&
  (one.before === other.before ||
    one.after === other.after ||
    one.removed.some((word) => other.removed.includes(word)))
