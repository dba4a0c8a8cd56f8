import { expect, test } from 'vitest'
import { decidingRules } from '../../../../domain/keywords/category-rule.ts'
import { categoriseKeywords } from '../../../../domain/keywords/keyword-category.ts'
import { ruleText } from './category-rules.tsx'

const textsOf = (...copies: [string, string][]) => {
  const list = categoriseKeywords(
    copies.map(([source, score]) => ({ keyword: 'moon', source, score })),
  )
  return list.map(decidingRules(list)).map(ruleText)
}

test.each<[[string, string][], string[]]>([
  [[['E', '5']], ['Rule 2: source E with score 5.']],
  [[['I', ' 72% ']], ['Rule 3: source I with score 72%.']],
  [[['I', '']], ['Rule 3: source I with no score.']],
  [[['X', '99']], ['Rule 4: no other rule gives it a category.']],
  [
    [
      ['E', '5'],
      ['I', '10'],
    ],
    ['Rule 2: source E with score 5.', 'Rule 5: another copy has source E with score 5.'],
  ],
  [
    [
      ['X', ''],
      ['X', ''],
    ],
    ['Rule 1: the keyword is in the list 2 times.', 'Rule 1: the keyword is in the list 2 times.'],
  ],
])('%j: %j', { tags: ['@Q72'] }, (copies, texts) => {
  expect(textsOf(...copies)).toEqual(texts)
})

test('a category of another origin has no rule', { tags: ['@Q72'] }, () => {
  expect(ruleText(null)).toBe('No rule assigns this category.')
})
