import { diff } from '../../domain/text/diff.ts'

/**
 * What a user changed in a sentence: what is before and after it, what was removed, and all words of the sentence.
 * `isInside`: with words of the sentence on both sides, or in the place of some.
 */
type Change = {
  text: string
  page: string
  before: string
  after: string
  removed: string[]
  sentence: Set<string>
  isInside: boolean
}

export type Rewritten = ReturnType<typeof createRewritten>

/**
 * Sentences that two pages changed at the same place. Both forms stay, so the words that they have in common may be there
 * twice. `nameIn` returns the name of a word that occurs once, which may grow longer, or null for any other word.
 */
export function createRewritten(nameIn: (word: string) => string | null) {
  const changes: Change[] = []
  const isName = (word: string): boolean => nameIn(word) !== null

  return {
    /** A page changed a text from these lines to those. */
    changed(text: string, page: string, before: readonly string[], after: readonly string[]): void {
      for (const change of changesIn(tokensOf(before), tokensOf(after))) {
        const sentence = new Set([...change.sentence].map((word) => nameIn(word) ?? word))
        changes.push({ ...change, text, page, sentence })
      }
    },
    /** The words of each sentence of the text that may be there twice. */
    twiceIn(text: string): Set<string>[] {
      const all = changes.filter((change) => change.text === text)
      const found = new Set(metIn(all).filter(({ isInside }) => isInside))
      const names = new Set<string>()
      // Before the two forms met, more was typed into either.
      for (let size = -1; size < found.size; ) {
        size = found.size
        for (const { sentence } of found) for (const word of sentence) names.add(word)
        for (const change of all)
          if ([...change.sentence].some((word) => isName(word) && names.has(word)))
            found.add(change)
      }
      return [...found].map(({ sentence }) => sentence)
    },
  }
}

const without = (word: string): string => `without ${word}`

/** Those at whose place another page changed something too: at the same one, or directly at words that it removed. */
function metIn(changes: readonly Change[]): Change[] {
  const pages = new Map<string, Set<string>>()
  const keysOf = (change: Change) => {
    const { before, after } = change
    const removed = change.removed.filter((word) => !isBlock(word))
    const touched = [before.split(' ').at(-1) ?? '', after.split(' ')[0] ?? '', ...removed]
    return {
      places: [`before ${before}`, `after ${after}`],
      removed,
      touched: touched.filter((word) => !isBlock(word)),
    }
  }
  for (const change of changes) {
    const { places, removed, touched } = keysOf(change)
    for (const key of [...places, ...removed.map(without), ...touched])
      pages.set(key, (pages.get(key) ?? new Set<string>()).add(change.page))
  }
  return changes.filter((change) => {
    const isMet = (key: string) => [...(pages.get(key) ?? [])].some((page) => page !== change.page)
    const { places, removed, touched } = keysOf(change)
    return [...places, ...touched.map(without), ...removed].some(isMet)
  })
}

/** Between two blocks. */
const BLOCK = '¶'

const tokensOf = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => [BLOCK, ...line.split(/\s+/).filter(Boolean)])

/** So many words say where it is. */
const NEAR = 2

/** A block that is split or joined is a change too; more blocks at once were moved, pasted or deleted. */
function changesIn(before: string[], after: string[]): Omit<Change, 'text' | 'page'>[] {
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
        sentence: new Set([...before.slice(start, stop), ...typed]),
        isInside: removed.length > 0 || (from > start && to < stop),
      },
    ]
  })
}

const isBlock = (word: string): boolean => word === BLOCK
const isEnd = (word: string): boolean => /[.!?]$/.test(word)
