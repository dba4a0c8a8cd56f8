import { expect, test } from 'vitest'
import { createDates } from './dates.ts'
import { addDays, dayIn, daysUntil, dueLine, dueWords, endOfWeek, isLate } from './due-date.ts'

test.each([
  ['Pacific/Kiritimati', '2026-11-25T10:00:00.000Z', '2026-11-26'],
  ['Pacific/Kiritimati', '2026-11-25T09:59:59.999Z', '2026-11-25'],
  ['UTC', '2026-11-25T23:59:59.999Z', '2026-11-25'],
  ['UTC', '2026-11-26T00:00:00.000Z', '2026-11-26'],
  ['America/Los_Angeles', '2026-11-26T07:59:59.999Z', '2026-11-25'],
  ['America/Los_Angeles', '2026-11-26T08:00:00.000Z', '2026-11-26'],
  // The nights in which clocks change.
  ['Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29'],
  ['Europe/Berlin', '2026-03-29T21:59:59.999Z', '2026-03-29'],
  ['Europe/Berlin', '2026-03-29T22:00:00.000Z', '2026-03-30'],
  ['Europe/Berlin', '2026-10-25T22:59:59.999Z', '2026-10-25'],
  ['Europe/Berlin', '2026-10-25T23:00:00.000Z', '2026-10-26'],
])('in %s at %s it is %s', (zone, at, day) => {
  expect(dayIn(zone, Date.parse(at))).toBe(day)
})

test.each([
  ['2026-11-25', 'today', 0],
  ['2026-11-26', 'tomorrow', 1],
  ['2026-12-03', 'in 8 days', 8],
  ['2026-11-24', '1 day late', -1],
  ['2026-10-24', '32 days late', -32],
])('on 25 November 2026, %s is %s', (day, words, days) => {
  expect(dueWords(day, '2026-11-25')).toBe(words)
  expect(daysUntil(day, '2026-11-25')).toBe(days)
  expect(addDays('2026-11-25', days)).toBe(day)
})

test.each([
  ['2026-11-23', '2026-11-29'],
  ['2026-11-28', '2026-11-29'],
  ['2026-11-29', '2026-11-29'],
  ['2026-12-28', '2027-01-03'],
])('the week of %s ends on Sunday, %s', (today, sunday) => {
  expect(endOfWeek(today)).toBe(sunday)
})

test('an article is late from the day after its date, and never when it is complete', () => {
  expect(isLate('2026-11-24', false, '2026-11-25')).toBe(true)
  expect(isLate('2026-11-25', false, '2026-11-25')).toBe(false)
  expect(isLate('2026-11-24', true, '2026-11-25')).toBe(false)
  expect(isLate(null, false, '2026-11-25')).toBe(false)
})

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
