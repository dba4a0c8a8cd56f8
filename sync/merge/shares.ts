import { isWord, type Token } from './tokens.ts'

/** Whether two runs have the same words, or at least a row of words in common. */
export function shares(a: Token[], b: Token[]): boolean {
  const [some = [], others = []] = [a, b].map((run) => run.filter(isWord).map(({ text }) => text))
  if (some.length === 0 || others.length === 0) return false
  const least = some.length === others.length ? Math.min(ROW, some.length) : ROW
  const rows = new Set(rowsOf(some, least))
  return rowsOf(others, least).some((row) => rows.has(row))
}

/** Words in a row that two runs hardly have in common by chance. */
export const ROW = 3

const rowsOf = (words: string[], length: number): string[] =>
  words.slice(length - 1).map((_, at) => words.slice(at, at + length).join(' '))
