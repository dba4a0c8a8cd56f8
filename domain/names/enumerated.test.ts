import { expect, test } from 'vitest'
import { enumerated } from './enumerated.ts'

test.each([
  [[], ''],
  [['A'], 'A'],
  [['A', 'B'], 'A and B'],
  [['A', 'B', 'C'], 'A, B and C'],
])('%j is enumerated', (parts, text) => {
  expect(enumerated(parts)).toBe(text)
})
