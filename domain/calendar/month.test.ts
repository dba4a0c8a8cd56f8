import { expect, test } from 'vitest'
import { dayIn } from './due-date.ts'
import { monthIn, monthName, startOfDay } from './month.ts'

test.each([
  ['UTC', '2026-11', '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
  ['UTC', '2026-12', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-02', '2026-01-31T10:00:00.000Z', '2026-02-28T10:00:00.000Z'],
  ['America/Los_Angeles', '2028-02', '2028-02-01T08:00:00.000Z', '2028-03-01T08:00:00.000Z'],
  ['Asia/Kathmandu', '2026-11', '2026-10-31T18:15:00.000Z', '2026-11-30T18:15:00.000Z'],
  // Months in which clocks change.
  ['Europe/Berlin', '2026-03', '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z'],
  ['Europe/Berlin', '2026-10', '2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z'],
  ['America/Los_Angeles', '2026-11', '2026-11-01T07:00:00.000Z', '2026-12-01T08:00:00.000Z'],
  ['Australia/Lord_Howe', '2026-04', '2026-03-31T13:00:00.000Z', '2026-04-30T13:30:00.000Z'],
])('in %s the month %s lasts from %s until %s', (zone, month, from, until) => {
  expect(monthIn(zone, month)).toEqual({ from, until })
})

test.each([
  // Clocks are put forward at midnight: the day has no such time.
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
  // Clocks are put back at midnight: the day before has its last hour twice.
  ['America/Santiago', '2026-04-05', '2026-04-05T04:00:00.000Z'],
])('in %s the day %s begins at %s', (zone, day, at) => {
  const start = startOfDay(zone, day)
  expect(new Date(start).toISOString()).toBe(at)
  expect(dayIn(zone, start)).toBe(day)
  expect(dayIn(zone, start - 1) < day).toBe(true)
})

test('a month has a name', () => {
  expect(monthName('2026-11')).toBe('November 2026')
})
