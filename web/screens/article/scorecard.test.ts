import { expect, test } from 'vitest'
import { standing } from './scorecard.tsx'

test.each([
  [0, 0, 'no minimum'],
  [7, 0, 'no minimum'],
  [0, 1_900, 'of 1,900 minimum'],
  [1_899, 1_900, 'of 1,900 minimum'],
  [1_900, 1_900, 'not above 1,900 minimum yet'],
  [1_901, 1_900, 'of 1,900 minimum'],
])('SC-03 SC-05 Q35 %i words and a minimum of %i are %j', (words, minimum, text) => {
  expect(standing(words, minimum)).toBe(text)
})
