import { diffNumbers, type Hunk } from './diff.ts'

/**
 * A text as numbers: equal lines and equal words have equal ones. `starts` has the first word of each line, and the
 * end.
 */
export type Numbered = { words: Int32Array; lines: Int32Array; starts: Int32Array }

/** Reads texts that have most of their lines in common. `wordsIn` splits a line. */
export function createReader(wordsIn: (line: string) => string[]): (text: string) => Numbered {
  const numbers = new Map<string, number>()
  const known = new Map<string, { number: number; words: Int32Array }>()
  const numberOf = (word: string) => {
    const number = numbers.get(word) ?? numbers.size
    numbers.set(word, number)
    return number
  }
  return (text) => {
    const lines = text.split('\n').map((line) => {
      const read = known.get(line) ?? {
        number: known.size,
        words: Int32Array.from(wordsIn(line), numberOf),
      }
      known.set(line, read)
      return read
    })
    const starts = new Int32Array(lines.length + 1)
    for (const [index, { words }] of lines.entries()) {
      starts[index + 1] = (starts[index] ?? 0) + words.length
    }
    const all = new Int32Array(starts.at(-1) ?? 0)
    for (const [index, { words }] of lines.entries()) all.set(words, starts[index])
    return { words: all, lines: Int32Array.from(lines, ({ number }) => number), starts }
  }
}

/** Where runs of `run` words begin that have a word of these parts of a text of `length` words, or span an empty part. */
export function runStarts(
  parts: readonly { from: number; to: number }[],
  length: number,
  run: number,
): Set<number> {
  const starts = new Set<number>()
  for (const { from, to } of parts) {
    const until = Math.min(Math.max(from, to) - 1, length - run)
    for (let start = Math.max(0, from - run + 1); start <= until; start += 1) starts.add(start)
  }
  return starts
}

/** Where the words of two texts differ. Only lines that differ are compared word by word. */
export function differences(text: Numbered, other: Numbered): Hunk[] {
  return diffNumbers(text.lines, other.lines).flatMap(({ at, end, from, to }) => {
    const [first, firstOther] = [text.starts[at] ?? 0, other.starts[from] ?? 0]
    const words = text.words.subarray(first, text.starts[end])
    const others = other.words.subarray(firstOther, other.starts[to])
    return diffNumbers(words, others).map((hunk) => ({
      at: first + hunk.at,
      end: first + hunk.end,
      from: firstOther + hunk.from,
      to: firstOther + hunk.to,
    }))
  })
}
