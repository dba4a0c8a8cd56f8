import { expect, test } from 'vitest'
import { dayName, dayWords, shortDay } from './day-words.ts'

test('a day has its year where that is not this one', () => {
  expect(dayName('2026-12-03', '2026-11-25')).toBe('3 December')
  expect(dayName('2027-01-09', '2026-11-25')).toBe('9 January 2027')
  expect(shortDay('2026-11-28', '2026-11-25')).toBe('28 Nov')
  expect(shortDay('2025-11-28', '2026-11-25')).toBe('28 Nov 2025')
})

test('a sentence of its own always has the year', () => {
  expect(dayWords('2026-12-03', null, 'en-GB')).toBe('3 December 2026')
})
