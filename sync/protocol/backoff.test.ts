import { expect, test } from 'vitest'
import { retryDelay } from './backoff.ts'

test('waits longer after each failure, from 1 s to 30 s, scattered', { tags: ['@SY-08'] }, () => {
  const least = [1, 2, 3, 4, 5, 6, 1_000].map((attempts) => retryDelay(attempts, () => 0))
  expect(least).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000])
  const most = [1, 2, 3, 4, 5].map((attempts) => retryDelay(attempts, () => 1))
  expect(most).toEqual([2_000, 4_000, 8_000, 16_000, 30_000])
})
