import { expect, test } from 'vitest'
import { dayHead } from './day-head.ts'

const NOW = new Date(2026, 2, 4, 9, 30)

test.each([
  [new Date(2026, 2, 4, 0, 5), 'Today, 4 March'],
  [new Date(2026, 2, 3, 23, 59), 'Yesterday, 3 March'],
  [new Date(2026, 2, 2, 18, 5), '2 March'],
  [new Date(2025, 10, 18, 11, 5), '18 November 2025'],
])('%s is below %s', (at, head) => {
  expect(dayHead(at, NOW)).toBe(head)
})
