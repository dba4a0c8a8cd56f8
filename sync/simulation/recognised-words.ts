import type { Triple } from './merge-triples.ts'
import type { Word } from './random-text.ts'

/** A sentence ends with this word. */
export const isEnd = ({ name }: { name: string }): boolean => /[.!?]$/.test(name)

type Line = Word[]

/** The last one may be without an end. */
export function sentencesOf(words: Line): Line[] {
  const ends = words.flatMap((word, at) => (isEnd(word) || at === words.length - 1 ? [at + 1] : []))
  return ends.map((end, at) => words.slice(ends[at - 1] ?? 0, end))
}

/**
 * The lines of a side. A word of the base that it removed and typed again at the edge of the same place is the one of
 * the base: that is how its text reads.
 */
export function recognised({ words }: Triple, side: 'mine' | 'theirs'): Line[] {
  const own = new Set(words[side].flat().map(({ id }) => id))
  const homes = new Map(
    words.base.flatMap((block) => block.map(({ id }, at) => [id, { block, at }] as const)),
  )
  const isGone = (word: Word | undefined): word is Word => word !== undefined && !own.has(word.id)
  return words[side].map((line) => {
    const read = [...line]
    const isTyped = (at: number): boolean => at in read && !homes.has(read[at]?.id ?? '')
    const pair = (at: number, gone: Word | undefined): boolean => {
      if (!isTyped(at) || !isGone(gone) || read[at]?.name !== gone.name) return false
      read[at] = { ...(read[at] as Word), id: gone.id }
      own.add(gone.id)
      return true
    }
    for (let at = 0; at < read.length; at += 1) {
      const home = homes.get(read[at]?.id ?? '')
      if (home) pair(at + 1, home.block[home.at + 1])
    }
    for (let at = read.length - 1; at >= 0; at -= 1) {
      const home = homes.get(read[at]?.id ?? '')
      if (home) pair(at - 1, home.block[home.at - 1])
    }
    return read
  })
}
