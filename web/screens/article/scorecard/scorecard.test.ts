import { expect, test } from 'vitest'
import { handedInText } from '../../../ui/words/minimum-text.ts'
import { standing } from './scorecard.tsx'

test.each([
  [0, 0, 'no minimum'],
  [7, 0, 'no minimum'],
  [0, 1_900, 'of at least 1,900'],
  [1_899, 1_900, 'of at least 1,900'],
  [1_900, 1_900, 'at the minimum: one more word'],
  [1_901, 1_900, 'of at least 1,900'],
])(
  '%i words and a minimum of %i are %j',
  { tags: ['@SC-03', '@SC-05', '@Q35'] },
  (words, minimum, text) => {
    expect(standing(words, minimum)).toBe(text)
  },
)

test.each([
  [483, 700, '217 below the minimum'],
  [1, 1_900, '1,899 below the minimum'],
  [700, 700, 'at the minimum'],
  [701, 700, 'of at least 700'],
  [0, 0, 'no minimum'],
])('%i words that were handed in of %i are %j', { tags: ['@SC-03'] }, (words, minimum, text) => {
  expect(handedInText(words, minimum)).toBe(text)
})
