import {
  isUnspaced,
  type NearWords,
  type Reading,
  type Sought,
  UNSPACED_MIN,
} from './near-words.ts'

/** A place in two blocks; `from` and `to` are those of the first. */
type NearBlocks = NearWords & { ranges: { block: number; from: number; to: number }[] }

/** Places that begin as the last words of one block and end as the first words of the next one that has words. */
export function acrossBlocks(
  sought: Sought,
  blocks: readonly (Reading | undefined)[],
): NearBlocks[] {
  const filled = blocks.flatMap((reading, block) =>
    reading?.words.length ? [{ reading, block }] : [],
  )
  return filled.flatMap((above, at) => {
    const below = filled[at + 1]
    if (below === undefined) return []
    for (let split = 1; split < sought.words.length; split += 1) {
      if (!isSplitAt(sought, split, above.reading, below.reading)) continue
      const start = above.reading.from[above.reading.words.length - split] ?? 0
      const end = above.reading.to.at(-1) ?? 0
      const ranges = [
        { block: above.block, from: start, to: end },
        {
          block: below.block,
          from: below.reading.from[0] ?? 0,
          to: below.reading.to[sought.words.length - split - 1] ?? 0,
        },
      ]
      return [
        {
          kind: 'two paragraphs',
          from: start,
          to: end,
          between: [],
          starts: [],
          isPlural: false,
          ranges,
        },
      ]
    }
    return []
  })
}

function isSplitAt(sought: Sought, split: number, above: Reading, below: Reading): boolean {
  const { words, gaps, mayBePlural } = sought
  const first = above.words.length - split
  const gap = gaps[split] ?? ''
  const isUnspacedSplit = gap === '' && isUnspaced(words[split - 1])
  if (isUnspacedSplit ? words.length < UNSPACED_MIN : gap !== ' ' && gap !== '-') return false
  if (first < 0 || !areEdgesClose(above, below, gap)) return false
  return words.every((wanted, place) => {
    const [reading, at] = place < split ? [above, first + place] : [below, place - split]
    const isPlural = mayBePlural && place === words.length - 1
    const word = reading.words[at]
    const isSame = word === wanted || (isPlural && word === `${wanted}s`)
    return isSame && (place === 0 || place === split || reading.gaps[at] === gaps[place])
  })
}

/** No sign ends the upper block or begins the lower one; the hyphen of the keyword may. */
function areEdgesClose(above: Reading, below: Reading, gap: string): boolean {
  const end = above.text.slice(above.to.at(-1)).trim()
  const begin = below.text.slice(0, below.from[0]).trim()
  return begin === '' && (end === '' || (gap === '-' && end === '-'))
}
