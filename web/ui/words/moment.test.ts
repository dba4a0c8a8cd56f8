import { expect, test } from 'vitest'
import { dateOf, momentInSentence, momentOf } from './moment.ts'

const NOW = new Date(2026, 2, 4, 9, 30)

test.each([
  [new Date(2026, 2, 4, 0, 5), 'Today, 00:05', 'today at 00:05'],
  [new Date(2026, 2, 3, 23, 59), 'Yesterday, 23:59', 'yesterday at 23:59'],
  [new Date(2026, 2, 2, 18, 5), 'Monday, 18:05', 'on Monday at 18:05'],
  [new Date(2026, 1, 26, 18, 5), 'Thursday, 18:05', 'on Thursday at 18:05'],
  [new Date(2026, 1, 25, 11, 5), '25 February, 11:05', 'on 25 February at 11:05'],
  [new Date(2025, 10, 18, 11, 5), '18 November 2025, 11:05', 'on 18 November 2025 at 11:05'],
])('%s is formatted as %s', (at, label, sentence) => {
  const { day, time } = momentOf(at, NOW)
  expect(`${day}, ${time}`).toBe(label)
  expect(momentInSentence(at, NOW)).toBe(sentence)
})

test.each([
  [new Date(2026, 2, 4, 0, 5), 'Today'],
  [new Date(2026, 2, 3, 23, 59), 'Yesterday'],
  [new Date(2026, 2, 2, 18, 5), '2 March'],
  [new Date(2025, 10, 18, 11, 5), '18 November 2025'],
])('%s is on the day %s', (at, day) => {
  expect(dateOf(at, NOW)).toBe(day)
})
