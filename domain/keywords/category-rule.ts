import { fold } from '../text/folding.ts'
import type { Keyword } from '../wire/articles.ts'
import { KEYWORD_CATEGORIES } from './keyword.ts'
import { byKeyword, copiesRank, sourceRank } from './keyword-category.ts'

/** The rules of spec section 9 in their order. */
export const CATEGORY_RULES = ['copies', 'source-e', 'source-i', 'otherwise', 'other-copy'] as const
export type CategoryRule = (typeof CATEGORY_RULES)[number]

export type DecidingRule = {
  rule: CategoryRule
  /** How often the list has the keyword. */
  copies: number
  /** The copy whose source and score gave the category; the entry itself unless the rule is `other-copy`. */
  by: Keyword
}

/**
 * Returns a function that gives, for an entry of `list`, the first rule that yields its category (Q72). It returns null
 * when no rule does: the list is not as it was uploaded.
 */
export function decidingRules(list: readonly Keyword[]): (entry: Keyword) => DecidingRule | null {
  const copiesByKeyword = byKeyword(list)
  return (entry) => {
    const copies = copiesByKeyword.get(fold(entry.keyword)) ?? [entry]
    const rank = KEYWORD_CATEGORIES.findIndex((known) => known === entry.category)
    const best = Math.min(copiesRank(copies.length), ...copies.map(sourceRank))
    const by = copies.find((copy) => sourceRank(copy) === rank)
    if (rank !== best) return null
    const found = { copies: copies.length, by: entry }
    if (copiesRank(copies.length) === rank && copies.length > 1) return { ...found, rule: 'copies' }
    if (sourceRank(entry) === rank) return { ...found, rule: sourceRule(entry) }
    return by === undefined ? null : { ...found, rule: 'other-copy', by }
  }
}

function sourceRule({ source }: Keyword): CategoryRule {
  if (source === 'E') return 'source-e'
  return source === 'I' ? 'source-i' : 'otherwise'
}
