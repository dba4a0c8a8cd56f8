import { fold } from './folding.ts'
import { KEYWORD_CATEGORIES } from './keyword.ts'
import { categoriseKeywords, type KeywordRow } from './keyword-category.ts'
import { KEYWORD_MAX, KEYWORDS_MAX, SCORE_MAX, SOURCE_MAX } from './limits.ts'
import type { Keyword } from './wire-articles.ts'

/** Why a row of an uploaded list is not in the article's list. */
export const LEFT_OUT_REASONS = [
  'no-keyword',
  'long-keyword',
  'long-source',
  'long-score',
  'over-limit',
] as const
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number]

/** Every row given is either one of `keywords` or counted once in `leftOut`. */
export type KeywordImport = { keywords: Keyword[]; leftOut: Record<LeftOutReason, number> }

/**
 * An uploaded list as the server takes it. Copies are counted over the whole upload (KW-18), also those
 * that are then left out. Of more than KEYWORDS_MAX rows the ones of least use go: repeats of a keyword,
 * which the writer sees once anyway, and then the lower categories. What stays keeps its order.
 */
export function importKeywords(rows: readonly KeywordRow[]): KeywordImport {
  const leftOut = { 'no-keyword': 0, 'long-keyword': 0, 'long-source': 0, 'long-score': 0 }
  const named = categoriseKeywords(rows.map(onOneLine))
  leftOut['no-keyword'] = rows.length - named.length
  const storable = named.filter((entry) => {
    const fault = faultOf(entry)
    if (fault !== null) leftOut[fault] += 1
    return fault === null
  })
  const keywords = mostUseful(storable, KEYWORDS_MAX)
  return { keywords, leftOut: { ...leftOut, 'over-limit': storable.length - keywords.length } }
}

const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

/** A quoted cell may hold line breaks and worse, which the server refuses. The keyword is normalised anyway. */
function onOneLine({ keyword, source, score }: KeywordRow): KeywordRow {
  const clean = (text: string) => text.replace(UNPRINTABLE, ' ')
  return {
    keyword,
    source: clean(source),
    score: typeof score === 'string' ? clean(score) : score,
  }
}

function faultOf({
  keyword,
  source,
  score,
}: Keyword): 'long-keyword' | 'long-source' | 'long-score' | null {
  if (keyword.length > KEYWORD_MAX) return 'long-keyword'
  if (source.length > SOURCE_MAX) return 'long-source'
  return typeof score === 'string' && score.length > SCORE_MAX ? 'long-score' : null
}

function mostUseful(list: Keyword[], most: number): Keyword[] {
  if (list.length <= most) return list
  const seen = new Set<string>()
  const ranks = new Map<Keyword, number>()
  for (const entry of list) {
    const letters = fold(entry.keyword)
    const repeats = seen.has(letters) ? KEYWORD_CATEGORIES.length : 0
    ranks.set(entry, repeats + KEYWORD_CATEGORIES.findIndex((known) => known === entry.category))
    seen.add(letters)
  }
  const rankOf = (entry: Keyword) => ranks.get(entry) ?? 0
  const kept = new Set(list.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, most))
  return list.filter((entry) => kept.has(entry))
}
