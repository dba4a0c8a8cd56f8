import { diff } from './diff.ts'
import { diffWords } from './word-diff.ts'

/** A part of a plain text. The end is exclusive. */
export type Letters = { from: number; to: number }

/** A part that another text still has. `newFrom`: where it begins there. */
export type Kept = Letters & { newFrom: number }

/** What the plain text `after` still has of `before`, in order. */
export function keptLetters(before: string, after: string): Kept[] {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  const kept: Kept[] = []
  let [line, at, newAt] = [0, 0, 0]
  const keep = (parts: readonly string[]) => {
    const length = lengthOf(parts)
    if (length > 0) kept.push({ from: at, to: at + length, newFrom: newAt })
    at += length
    newAt += length
  }
  for (const { from, to, newFrom, newTo } of diff(old, fresh)) {
    keep(old.slice(line, from))
    const [words, newWords] = [wordsOf(old.slice(from, to)), wordsOf(fresh.slice(newFrom, newTo))]
    let word = 0
    for (const part of diffWords(words, newWords)) {
      keep(words.slice(word, part.from))
      at += lengthOf(words.slice(part.from, part.to))
      newAt += lengthOf(newWords.slice(part.newFrom, part.newTo))
      word = part.to
    }
    keep(words.slice(word))
    line = to
  }
  keep(old.slice(line))
  return kept
}

/** Where these letters are now; those that are gone are left out. Parts that touch are one. */
export function followLetters(kept: readonly Kept[], letters: readonly Letters[]): Letters[] {
  const found: Letters[] = []
  for (const part of letters) {
    for (const { from, to, newFrom } of kept) {
      const shift = newFrom - from
      const [start, end] = [Math.max(from, part.from) + shift, Math.min(to, part.to) + shift]
      const last = found.at(-1)
      if (start >= end) continue
      if (last?.to === start) last.to = end
      else found.push({ from: start, to: end })
    }
  }
  return found
}

/** Each with its end. */
const linesOf = (text: string): string[] => text.split('\n').map((line) => `${line}\n`)

const wordsOf = (lines: readonly string[]): string[] =>
  lines.join('').match(/[\p{L}\p{M}\p{N}'’_-]+|[^\S\n]+|[^\p{L}\p{M}\p{N}'’_-]/gu) ?? []

const lengthOf = (parts: readonly string[]): number =>
  parts.reduce((length, part) => length + part.length, 0)
