/** What must be in one piece: words of a run from `from` up to `end`; null for all that follow. */
export type Part = { from: number; end: number | null }

/** The lines of a text, with a space around each word. */
export const rowsOf = (lines: readonly string[]): string[] =>
  lines.map((line) => ` ${line.split(/\s+/).filter(Boolean).join(' ')} `)

export const isWhole = (rows: readonly string[], words: readonly string[]): boolean =>
  rows.some((row) => row.includes(` ${words.join(' ')} `))

/**
 * What is left in one piece of a part of a run, once a user changed a text from the rows `had` to the rows `has`. Of the
 * part there may have been the beginning alone, up to one of `ends`.
 */
export function leftOf(
  part: Part,
  words: readonly string[],
  ends: readonly number[],
  had: readonly string[],
  has: readonly string[],
): Part[] {
  const last = part.end ?? words.length
  const seen = ends
    .map((end) => Math.min(end, last))
    .findLast((end) => end > part.from && isWhole(had, words.slice(part.from, end)))
  if (seen === undefined || isWhole(has, words.slice(part.from, seen))) return [part]
  const parts: Part[] = []
  for (let from = part.from; from < seen; ) {
    let end = from + 1
    while (end < seen && isWhole(has, words.slice(from, end + 1))) end += 1
    parts.push({ from, end: end === seen ? part.end : end })
    from = end
  }
  return parts
}
