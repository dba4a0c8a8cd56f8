import { expect, test } from 'vitest'
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
