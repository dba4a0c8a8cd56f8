import { kindAt, WORD } from '../text/characters.ts'
import { fold, unify } from '../text/folding.ts'
import type { Keyword } from '../wire/articles.ts'

/**
 * Keywords (the screens call them entities) as a list has them and as the scorecard groups them. Highest priority
 * first.
 */
export const KEYWORD_CATEGORIES = ['Must Use', 'Need to Use', 'Use When You Can'] as const
export type KeywordCategory = (typeof KEYWORD_CATEGORIES)[number]

export type KeywordGroup = { category: KeywordCategory; keywords: string[] }

/**
 * Lower case; only letters with their marks, digits, single spaces, apostrophes and hyphens stay (spec section 5, Q77).
 * Empty when nothing is left. Letters are not folded, so `ß` stays: folding decides which keywords are equal.
 */
export function normaliseKeyword(text: string): string {
  if (PLAIN.test(text)) return text
  const kept = [...unify(text).toLowerCase()].filter(isOfKeyword).join('')
  return kept.replaceAll('i\u0307', 'i').replace(/\s+/g, ' ').trim().normalize('NFC')
}

/** Most keywords of a list: nothing in them changes. */
const PLAIN = /^[a-z\d]+(?: [a-z\d]+)*$/

export const normaliseSource = (source: string): string => source.trim().toUpperCase()

const isOfKeyword = (character: string): boolean =>
  " \n'-".includes(character) || (character !== '_' && (kindAt(character, 0) & WORD) > 0)

/**
 * The three groups of the scorecard in order, also when empty. Other categories are ignored; of duplicates the one with
 * the highest category is kept, else the first (spec section 3, Q39).
 */
export function scorecardGroups(list: readonly Keyword[]): KeywordGroup[] {
  const seen = new Set<string>()
  return KEYWORD_CATEGORIES.map((category) => {
    const keywords: string[] = []
    for (const entry of list) {
      if (entry.category !== category) continue
      const same = fold(normaliseKeyword(entry.keyword)) || entry.keyword
      if (seen.has(same)) continue
      seen.add(same)
      keywords.push(entry.keyword)
    }
    return { category, keywords }
  })
}

/** Whether the scorecard has anything to show: entries of ignored categories do not count (Q38). */
export function hasEntities(list: readonly Keyword[]): boolean {
  return list.some(({ category }) => KEYWORD_CATEGORIES.some((known) => known === category))
}

/** How many entities groups have together. */
export const countEntities = (groups: readonly { total: number }[]): number =>
  groups.reduce((sum, { total }) => sum + total, 0)
