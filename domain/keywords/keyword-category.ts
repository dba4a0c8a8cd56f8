import { fold } from '../text/folding.ts'
import type { Keyword } from '../wire/articles.ts'
import {
  KEYWORD_CATEGORIES,
  type KeywordCategory,
  normaliseKeyword,
  normaliseSource,
  scorecardGroups,
} from './keyword.ts'

/**
 * Keywords (the screens call them entities) are put into categories when a list is uploaded. Every copy of
 * a keyword votes, and all copies take the highest category that any vote gave (spec section 9, Q80):
 *
 *   copies in the list   4 or more      2 or 3               fewer
 *   source E, score      4 or more      2 up to below 4      less, or no number
 *   source I, score      80 or more     50 up to below 80    less, or no number
 *   any other source     -              -                    always
 *   category             Must Use       Need to Use          Use When You Can
 */
export type KeywordRow = Pick<Keyword, 'keyword' | 'source' | 'score'>

/** Rows whose keyword has nothing left after normalising are left out; duplicates stay in the list. */
export function categoriseKeywords(rows: readonly KeywordRow[]): Keyword[] {
  const kept = rows
    .map(({ keyword, source, score }) => ({
      keyword: normaliseKeyword(keyword),
      source: normaliseSource(source),
      score,
    }))
    .filter(({ keyword }) => keyword !== '')
  const categories = new Map<string, KeywordCategory>()
  for (const [letters, copies] of byKeyword(kept)) categories.set(letters, categoryOf(copies))
  return kept.map((row) => ({
    ...row,
    category: categories.get(fold(row.keyword)) ?? categoryOf([row]),
  }))
}

/** The copies of each keyword, by its folded text, in the order of the list. */
export function byKeyword<Row extends KeywordRow>(rows: readonly Row[]): Map<string, Row[]> {
  const copies = new Map<string, Row[]>()
  for (const row of rows) {
    const letters = fold(row.keyword)
    const same = copies.get(letters)
    if (same) same.push(row)
    else copies.set(letters, [row])
  }
  return copies
}

function categoryOf(copies: readonly KeywordRow[]): KeywordCategory {
  const votes = [copiesRank(copies.length), ...copies.map(sourceRank)]
  return KEYWORD_CATEGORIES[Math.min(...votes)] ?? 'Use When You Can'
}

/** Place in KEYWORD_CATEGORIES of the category that this many copies give. */
export const copiesRank = (copies: number): number => rank(copies, 4, 2)

/** Place in KEYWORD_CATEGORIES of the category that a copy's own source and score give. */
export function sourceRank({ source, score }: KeywordRow): number {
  const value = numericScore(score) ?? Number.NEGATIVE_INFINITY
  if (source === 'E') return rank(value, 4, 2)
  if (source === 'I') return rank(value, 80, 50)
  return 2
}

/** Place in KEYWORD_CATEGORIES. */
const rank = (value: number, must: number, need: number): number =>
  value >= must ? 0 : value >= need ? 1 : 2

export type DecimalSign = '.' | ','

/** Patterns of numbers and of thousands separators, by decimal sign. */
const WRITING = { '.': writing('.', ",'’\\s"), ',': writing(',', ".'’\\s") } as const

function writing(decimal: DecimalSign, separators: string) {
  const digits = `\\d+|[1-9]\\d{0,2}([${separators}]\\d{3})+`
  return {
    number: new RegExp(`^[+−-]?(?=.*\\d)(${digits})?([${decimal}]\\d+)?$`, 'u'),
    between: new RegExp(`(?<=\\d)[${separators}](?=\\d)`, 'gu'),
  }
}

/** Percent sign and thousands separators are tolerated; null when it is not a number (Q79). */
export function numericScore(score: number | string, decimal: DecimalSign = '.'): number | null {
  if (typeof score === 'number') return Number.isFinite(score) ? score : null
  const text = score.trim().replace(/^%\s*|\s*%$/gu, '')
  if (!WRITING[decimal].number.test(text)) return null
  return Number(plainDigits(text, decimal).replace('−', '-'))
}

const plainDigits = (text: string, decimal: DecimalSign): string =>
  text.replace(WRITING[decimal].between, '').replace(decimal, '.')

/**
 * The score with a decimal dot, as it is stored. `decimal` is the decimal sign of the file; a number that is valid only
 * with the other sign is read with that. Text that is no number is returned unchanged.
 */
export function plainScore(score: string, decimal: DecimalSign): string {
  const signs: DecimalSign[] = decimal === '.' ? ['.', ','] : [',', '.']
  const sign = signs.find((each) => numericScore(score, each) !== null)
  return sign === ',' ? plainDigits(score, sign) : score
}

/**
 * The entities as text for the clipboard: the name of each category that has any, its keywords below, one in each line,
 * and an empty line between categories (spec section 2, Q65). Normalised here too: an earlier release stored what it
 * was sent.
 */
export function entitiesText(list: readonly Keyword[]): string {
  return scorecardGroups(list)
    .map(({ category, keywords }) => [category, ...keywords.map(normaliseKeyword).filter(Boolean)])
    .filter(([, first]) => first !== undefined)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}
