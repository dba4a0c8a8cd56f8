import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CategoryRule, decidingRules } from './category-rule.ts'
import { categoriseKeywords } from './keyword-category.ts'

/** 'E5 I10' are two copies of one keyword with these sources and scores. */
const copiesOf = (text: string) =>
  categoriseKeywords(
    text
      .split(' ')
      .map((copy) => ({ keyword: 'moon', source: copy.slice(0, 1), score: copy.slice(1) })),
  )

describe('the rule that decided', () => {
  it.each<[string, CategoryRule[]]>([
    ['E3', ['source-e']],
    ['E1', ['source-e']],
    ['I80', ['source-i']],
    ['I1', ['source-i']],
    ['X99', ['otherwise']],
    ['X1 X1', ['copies', 'copies']],
    ['X1 X1 X1 E9', ['copies', 'copies', 'copies', 'copies']],
    ['E5 I10', ['source-e', 'other-copy']],
    ['X1 I80 X1', ['other-copy', 'source-i', 'other-copy']],
    ['E2 X1', ['copies', 'copies']],
  ])('%s: %j', { tags: ['@Q72'] }, (text, rules) => {
    const list = copiesOf(text)
    const ruleOf = decidingRules(list)
    expect(list.map((entry) => ruleOf(entry)?.rule)).toEqual(rules)
  })

  it('names the copy that another copy follows', { tags: ['@Q72'] }, () => {
    const list = copiesOf('E5 I10')
    const ruleOf = decidingRules(list)
    expect(list.map(ruleOf)[1]).toEqual({ rule: 'other-copy', copies: 2, by: list[0] })
  })

  it('a category that no rule gives has no rule', () => {
    const list = ['Must Use', 'Maybe'].map((category, index) => ({
      keyword: `moon ${index}`,
      source: 'X',
      score: 1,
      category,
    }))
    expect(list.map(decidingRules(list))).toEqual([null, null])
  })

  it('every row of a freshly uploaded list has one, and it gives the category of the row', {
    tags: ['@Q72'],
  }, () => {
    const row = fc.record({
      keyword: fc.constantFrom('a', 'b', 'c'),
      source: fc.constantFrom('E', 'I', 'X'),
      score: fc.integer({ min: 0, max: 100 }),
    })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), (rows) => {
        const list = categoriseKeywords(rows)
        const ruleOf = decidingRules(list)
        for (const entry of list) {
          const decided = ruleOf(entry)
          expect(decided?.by.category).toBe(entry.category)
          expect(decided?.by.keyword).toBe(entry.keyword)
        }
      }),
    )
  })
})
