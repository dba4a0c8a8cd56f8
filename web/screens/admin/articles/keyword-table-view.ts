import { KEYWORD_CATEGORIES } from '../../../../domain/keywords/keyword.ts'
import { numericScore } from '../../../../domain/keywords/keyword-category.ts'
import { fold } from '../../../../domain/text/folding.ts'
import type { Keyword } from '../../../../domain/wire/articles.ts'
import type { TableSort } from '../../../ui/lists/data-table.tsx'

/** Which entities of a list the keyword table shows, and in which order. */

const KEYWORD_FIELDS = ['keyword', 'source', 'score', 'category'] as const
export type KeywordField = (typeof KEYWORD_FIELDS)[number]

/** Duplicate keywords are distinguished by their position in the list. */
export type KeywordLine = { place: number; entry: Keyword }

/** All entries in which any of the four columns contains the letters of `search` (Q81). */
export function keywordLines(
  list: readonly Keyword[],
  search: string,
  sort: TableSort<KeywordField>,
): KeywordLine[] {
  const term = fold(search.trim())
  const lines = list
    .map((entry, place) => ({ place, entry }))
    .filter(({ entry }) => KEYWORD_FIELDS.some((field) => contains(entry[field], term)))
  if (sort === null) return lines
  const compare = COMPARERS[sort.field]
  const sign = sort.direction === 'asc' ? 1 : -1
  return lines.sort((a, b) => sign * compare(a.entry, b.entry) || a.place - b.place)
}

const contains = (value: string | number, term: string): boolean =>
  fold(String(value)).includes(term)

type Compare = (a: Keyword, b: Keyword) => number

const collator = new Intl.Collator(undefined, { numeric: true })

/** Scores by their number, those without one before all others; categories by priority, highest first. */
const COMPARERS: Record<KeywordField, Compare> = {
  keyword: (a, b) => collator.compare(a.keyword, b.keyword),
  source: (a, b) => collator.compare(a.source, b.source),
  score: (a, b) => compareNumbers(scoreOf(a), scoreOf(b)),
  category: (a, b) => priorityOf(a) - priorityOf(b),
}

const scoreOf = ({ score }: Keyword): number => numericScore(score) ?? Number.NEGATIVE_INFINITY

/** A difference of two infinities would be no number. */
const compareNumbers = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1)

function priorityOf({ category }: Keyword): number {
  const place = KEYWORD_CATEGORIES.findIndex((known) => known === category)
  return place < 0 ? KEYWORD_CATEGORIES.length : place
}
