import { expect, test } from 'vitest'
import { isMonth, offeredMonths } from './months.ts'

test('two years of months are offered, and the one of the address', () => {
  const months = offeredMonths('2026-02', '2026-01')
  expect(months.slice(0, 3)).toEqual(['2026-02', '2026-01', '2025-12'])
  expect(months).toHaveLength(24)
  expect(offeredMonths('2026-02', '2019-07').at(-1)).toBe('2019-07')
  expect(offeredMonths('2026-02', '2026-05')[0]).toBe('2026-05')
})

test('only a month with its year is a month', () => {
  expect(['2026-11', '2026-13', '2026-1', 'November', null].map(isMonth)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
})
