import { expect, test } from 'vitest'
import { createDates } from '../../../../domain/calendar/dates.ts'
import { dueText, lastWordsText, wordsText } from './progress-words.ts'

const NOW = Date.parse('2026-11-25T10:42:00')
const DATES = createDates('en-GB')
const TODAY = '2026-11-25'

test.each([
  ['2026-11-25T09:48:00', 'Today, 09:48'],
  ['2026-11-24T23:59:00', 'Yesterday'],
  ['2026-11-23T00:01:00', '2 days ago'],
  ['2026-10-26T12:00:00', '30 days ago'],
  ['2026-10-25T12:00:00', '25 October'],
  ['2025-10-25T12:00:00', '25 October 2025'],
])('last words of %s are %s', (at, text) => {
  expect(lastWordsText(at, NOW, DATES)).toBe(text)
})

test.each([
  ['2026-11-19', '6 days late', '19 November', true],
  ['2026-11-24', '1 day late', '24 November', true],
  ['2026-11-25', 'Today', '25 November', false],
  ['2026-11-26', 'Tomorrow', '26 November', false],
  ['2026-12-03', 'In 8 days', '3 December', false],
  ['2027-02-28', 'In 95 days', '28 Feb 2027', false],
])('an article due on %s is due %s', (dueOn, words, day, isLate) => {
  expect(dueText({ dueOn, completed: false }, TODAY, DATES)).toEqual({ words, day, isLate })
})

test('a complete article is never late, and one without a date says nothing', () => {
  const late = { words: '19 November', day: null, isLate: false }
  expect(dueText({ dueOn: '2026-11-19', completed: true }, TODAY, DATES)).toEqual(late)
  expect(dueText({ dueOn: null, completed: false }, TODAY, DATES)).toBeNull()
})

test('words are counted against the minimum', () => {
  expect(wordsText({ words: 1_204, wordMinimum: 1_900 })).toBe('1,204 of 1,900')
  expect(wordsText({ words: 0, wordMinimum: 0 })).toBe('No minimum')
  expect(wordsText({ words: 1, wordMinimum: 0 })).toBe('1 word')
})
