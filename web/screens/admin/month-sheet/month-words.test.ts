import { expect, test } from 'vitest'
import { createDates } from '../../../../domain/calendar/dates.ts'
import type { MonthRow, MonthSheet } from '../../../../domain/wire/progress.ts'
import {
  belowText,
  handedInAt,
  isBelow,
  numberText,
  shortFingerprint,
  totalText,
} from './month-words.ts'

const sheet = (ids: string[], totalResults = ids.length, belowMinimum = 0) =>
  ({
    results: ids.map((articleId) => ({ articleId }) as MonthRow),
    totalResults,
    belowMinimum,
  }) as MonthSheet

test('the time of a hand-in is that of the agency, as its month is', () => {
  expect(handedInAt('2026-10-31T23:30:00.000Z', createDates('en-GB', 'Europe/Berlin'))).toBe(
    '1 November, 00:30',
  )
})

test('the total counts articles, or hand-ins where one article has several', () => {
  expect(totalText(sheet(['a', 'b']))).toBe('2 articles')
  expect(totalText(sheet(['a']))).toBe('1 article')
  expect(totalText(sheet(['a', 'a']))).toBe('2 hand-ins')
  expect(totalText(sheet(['a', 'b'], 12))).toBe('12 hand-ins')
})

test('the foot says how many were below their minimum', () => {
  expect(belowText(sheet(['a']))).toBeNull()
  expect(belowText(sheet(['a', 'b'], 2, 1))).toBe(
    '1 article was below its minimum when it was handed in.',
  )
  expect(belowText(sheet(['a', 'b', 'c'], 3, 2))).toBe(
    '2 articles were below their minimum when they were handed in.',
  )
  expect(belowText(sheet(['a', 'a'], 2, 2))).toBe(
    '2 hand-ins were below their minimum when they were handed in.',
  )
})

test('a row is below its minimum by the rule that the foot counts by', () => {
  const below = [699, 700, 701].map((words) => isBelow({ words, wordMinimum: 700 }))
  expect(below).toEqual([true, true, false])
  expect(isBelow({ words: 0, wordMinimum: 0 })).toBe(false)
})

test('numbers and fingerprints are short', () => {
  expect(numberText({ number: 1, of: 1 })).toBe('1')
  expect(numberText({ number: 2, of: 3 })).toBe('2 of 3')
  expect(shortFingerprint('9f2c41d7e5b1')).toBe('9f2c 41d7')
})
