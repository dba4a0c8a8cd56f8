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
  const seen = endsOf(part, words, ends).find((end) => isWhole(had, words.slice(part.from, end)))
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

/** Returns the ends of the pieces of a part in descending order. */
const endsOf = ({ from, end: last }: Part, words: readonly string[], ends: readonly number[]) =>
  ends
    .map((end) => Math.min(end, last ?? words.length))
    .filter((end) => end > from)
    .reverse()

/** `count`: occurrences of the part before the change. `left`: the unbroken pieces of the changed copy. */
export type ChangedCopy = { count: number; left: Part[] }

/**
 * Returns the changed copy of a part or of its beginning, if another copy is unchanged; null if no copy or the only copy was
 * changed. A merge creates copies when two users change one sentence.
 */
export function changedCopyOf(
  part: Part,
  words: readonly string[],
  ends: readonly number[],
  had: readonly string[],
  has: readonly string[],
): ChangedCopy | null {
  for (const end of endsOf(part, words, ends)) {
    const copy = ` ${words.slice(part.from, end).join(' ')} `
    const [{ count }, { rows, count: kept }] = [withoutCopies(had, copy), withoutCopies(has, copy)]
    if (kept > 0 && kept < count)
      return { count, left: leftOf({ from: part.from, end }, words, ends, had, rows) }
  }
  return null
}

function withoutCopies(rows: readonly string[], copy: string): { rows: string[]; count: number } {
  let count = 0
  const without = rows.map((row) => {
    let rest = row
    for (; rest.includes(copy); count += 1) rest = rest.replace(copy, ' \0 ')
    return rest
  })
  return { rows: without, count }
}

/** Returns the unbroken pieces of a part once all of its copies were changed; null while one copy is unchanged. */
export function leftOfCopies(part: Part, copies: readonly ChangedCopy[]): Part[] | null {
  const [most, ...counts] = copies.map(({ count }) => count).sort((a, b) => b - a)
  if (most === undefined || counts.length + 1 < most) return null
  const starts = new Set(copies.flatMap(({ left }) => left.map(({ from }) => from)))
  const sorted = [...starts].sort((a, b) => a - b)
  return sorted.map((from, at) => ({ from, end: sorted[at + 1] ?? part.end }))
}
