import { expect, test } from 'vitest'
import { figure } from './figure.ts'

test.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1,000'],
  [12_500, '12,500'],
  [1_234_567, '1,234,567'],
  [-123_456, '-123,456'],
])('%i is written %s', { tags: ['@SC-01'] }, (value, text) => {
  expect(figure(value)).toBe(text)
})
