import { expect, test } from 'vitest'
import { createDates } from './dates.ts'
import { dueLine } from './due-date.ts'

test.each([
  ['2026-11-25', 'Due today'],
  ['2026-11-26', 'Due tomorrow'],
  ['2026-11-27', 'Due 27 November'],
  ['2027-01-03', 'Due 3 January 2027'],
  ['2026-11-24', 'Due 24 November, 1 day late'],
  ['2025-11-25', 'Due 25 November 2025, 365 days late'],
])('what is due on %s reads %s', (dueOn, words) => {
  expect(dueLine(dueOn, '2026-11-25', createDates('en-GB'))).toBe(words)
})
