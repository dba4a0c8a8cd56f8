import { expect, test } from 'vitest'
import { wholeNumber } from './whole-number.ts'

test.each([
  ['900', 900],
  [' 0 ', 0],
  ['1,200', 1_200],
  ['1.200', 1_200],
  ['1 200', 1_200],
  ['1\u00a0200', 1_200],
  ['1\u202f200', 1_200],
  ["1'200", 1_200],
  ['1’000’000', 1_000_000],
  ['1200.00', 1_200],
  ['1.200,00', 1_200],
  ['1,200.0', 1_200],
  ['900 words', null],
  ['about 900', null],
  ['900-1200', null],
  ['1.5', null],
  ['1,20', null],
  ['1,200.5', null],
  ['1.200.00', null],
  ['0,900', null],
  ['-5', null],
  ['1,200 300', null],
  ['', null],
])('%j is %j', (cell, number) => {
  expect(wholeNumber(cell)).toBe(number)
})
