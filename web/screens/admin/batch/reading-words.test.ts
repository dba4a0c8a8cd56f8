import { expect, test } from 'vitest'
import type { ColumnDays } from '../../../../domain/lists/spreadsheet-day.ts'
import { checkLabel, countFault, countParts, readingText } from './reading-words.ts'

const COUNTS = {
  rows: 2_014,
  empty: 0,
  headers: 0,
  articles: 40,
  ready: 40,
  entities: 2_000,
  withoutKeyword: 14,
  overLimit: 0,
}

test('how a list was read is said in one line', () => {
  const decoding = { encoding: 'utf-8', isGuess: false, broken: 0 } as const
  const days = { order: 'day first', signs: ['.'], isSure: true } satisfies ColumnDays
  expect(readingText({ decoding, separator: ';' }, { decimal: ',', days })).toBe(
    'Read as UTF-8, separated by semicolons, decimal commas. Dates as day.month.year.',
  )
  const unsure = { order: 'month first', signs: ['/'], isSure: false } satisfies ColumnDays
  expect(readingText({ decoding: null, separator: '\t' }, { decimal: '.', days: unsure })).toBe(
    'Separated by tabs, decimal points. In dates with ‘/’ the day or the month may come first.',
  )
  const partly = { order: 'day first', signs: ['/', '.', '-'], isSure: false } satisfies ColumnDays
  expect(readingText({ decoding: null, separator: '\t' }, { decimal: '.', days: partly })).toBe(
    'Separated by tabs, decimal points. Dates as day.month.year. In dates with ‘/’ and ‘-’ the day or the month may come first.',
  )
  const mixed = { order: 'month first', signs: ['.', '/'], isSure: true } satisfies ColumnDays
  expect(readingText({ decoding: null, separator: ';' }, { decimal: ',', days: mixed })).toBe(
    'Separated by semicolons, decimal commas. Dates as day.month.year and month/day/year.',
  )
})

test('what a list makes is counted', () => {
  const words = countParts({ counts: COUNTS }).map((part) => `${part.count} ${part.words}`)
  expect(words).toEqual(['40 articles', '2,000 entities', '14 rows without a keyword, left out'])
  const list = { articles: [], counts: COUNTS, days: null, decimal: ',' } as const
  expect(checkLabel({ ...list, articles: [] })).toBe('Check 40 articles')
  expect(checkLabel(null)).toBe('Check articles')
  expect(checkLabel({ ...list, articles: [], counts: { ...COUNTS, articles: 0 } })).toBe(
    'Check articles',
  )
})

test('too many articles, or none, are said before they are sent', () => {
  expect(countFault(0)).toBe('This list has no articles.')
  expect(countFault(200)).toBeNull()
  expect(countFault(214)).toBe('This list has 214 articles. 200 can be checked at once.')
})
