import { type Difference, diff } from './diff.ts'

/** Of a line too. */
const SENTENCE_END = /[.!?…\n\u2028"”»)]$/u

/**
 * As `diff`, of the words, spaces and signs of a text. Words that were only put in, or only taken out, can often be named
 * in several ways ('It [was hot. It ]was wet.' is also '[It was hot. ]It was wet.'): here they begin behind the end of a
 * sentence where they can, so that those who wrote a sentence keep it whole.
 */
export function diffWords(before: readonly string[], after: readonly string[]): Difference[] {
  const found = diff(before, after)
  return found.map((part, index) => {
    const { from, to, newFrom, newTo } = part
    if (from < to && newFrom < newTo) return part
    const [words, start, end] = from < to ? [before, from, to] : [after, newFrom, newTo]
    const last = found[index - 1]
    const next = found[index + 1]
    // Differences must not touch.
    const least = -(last ? from - last.to - 1 : from)
    const most = next ? next.from - to - 1 : before.length - to
    const begins = (by: number) => {
      const word = words[start + by - 1]
      return word === undefined || SENTENCE_END.test(word)
    }
    let best = begins(0) ? 0 : null
    for (let by = -1; best === null && by >= least; by -= 1) {
      if (words[start + by] !== words[end + by]) break
      if (begins(by)) best = by
    }
    for (let by = 1; best === null && by <= most; by += 1) {
      if (words[start + by - 1] !== words[end + by - 1]) break
      if (begins(by)) best = by
    }
    const by = best ?? 0
    return { from: from + by, to: to + by, newFrom: newFrom + by, newTo: newTo + by }
  })
}
