import { diff } from '../../domain/text/diff.ts'
import { type ArticleText, normalForm, sameDocument } from '../../domain/text/document.ts'
import { type BlockKind, blocksOf, documentOf } from './prose.ts'

/**
 * A merge that loses no word and tears sentences: what both typed at one place is united word by word, so that equal
 * words of two sentences are one. Texts are lines of words for it, without marks and nested blocks.
 */
export function mergeWordByWord(base: ArticleText, mine: ArticleText, theirs: ArticleText) {
  if (sameDocument(mine, base)) return { document: normalForm(theirs), conflict: false, both: [] }
  if (sameDocument(theirs, base)) return { document: normalForm(mine), conflict: false, both: [] }
  const [o, a, b] = [base, mine, theirs].map(tokensOf) as [string[], string[], string[]]
  const [left, right] = [placed(o, a), placed(o, b)]
  const tokens = o.flatMap((token, at) => [
    ...united(right.typed[at] ?? [], left.typed[at] ?? []),
    ...(left.kept.has(at) && right.kept.has(at) ? [token] : []),
  ])
  tokens.push(...united(right.typed[o.length] ?? [], left.typed[o.length] ?? []))
  return { document: normalForm(textOf(tokens)), conflict: true, both: [] }
}

const LINE = '\n'

const tokensOf = (text: ArticleText): string[] =>
  blocksOf(text).flatMap(({ kind, text }) => [LINE + kind, ...text.split(' ').filter(Boolean)])

function textOf(tokens: readonly string[]) {
  const lines: { kind: BlockKind; words: string[] }[] = []
  for (const token of tokens) {
    if (token.startsWith(LINE)) lines.push({ kind: token.slice(1) as BlockKind, words: [] })
    else if (lines.length > 0) lines.at(-1)?.words.push(token)
    else lines.push({ kind: 'paragraph', words: [token] })
  }
  return documentOf(lines.map(({ kind, words }) => ({ kind, text: words.join(' ') })))
}

/** Which tokens of the base a side kept, and what it put in before each of them, or at the end. */
function placed(base: readonly string[], side: readonly string[]) {
  const kept = new Set(base.keys())
  const typed: string[][] = []
  for (const { from, to, newFrom, newTo } of diff(base, side)) {
    for (let at = from; at < to; at += 1) kept.delete(at)
    typed[from] = side.slice(newFrom, newTo)
  }
  return { kept, typed }
}

/** The words of both, the common ones once. */
function united(first: readonly string[], second: readonly string[]): string[] {
  const words: string[] = []
  let at = 0
  for (const { to, newFrom, newTo } of diff(first, second)) {
    words.push(...first.slice(at, to), ...second.slice(newFrom, newTo))
    at = to
  }
  return [...words, ...first.slice(at)]
}
