import { expect, test } from 'vitest'
import type { SkipReason } from '../../../../domain/keywords/keyword-import.ts'
import {
  csvFaultText,
  encodingText,
  skippedText,
  UPLOAD_SUCCESSFUL,
  unmatchedText,
  unreadScoresText,
} from './csv-messages.ts'

test('the notice is letter for letter that of the specification', { tags: ['@AF-21'] }, () => {
  expect(UPLOAD_SUCCESSFUL).toBe('Upload successful, click "Modify" to save any changes.')
})

const list = (read: number, skipped: Partial<Record<SkipReason, number[]>>, empty = 0) => ({
  keywords: Array.from({ length: read }, (_, at) => ({
    keyword: `k${at}`,
    source: 'E',
    score: '5',
    category: 'Must Use',
  })),
  skipped: Object.entries(skipped).flatMap(([reason, rows]) =>
    rows.map((row) => ({ row, reason: reason as SkipReason })),
  ),
  empty,
  unreadScores: [],
})

test.each<[string, ReturnType<typeof list>, string]>([
  [
    'three reasons',
    list(52, { shifted: [22, 23], 'no-keyword': [18, 40, 41] }, 2),
    '52 of 59 rows were read, 7 were skipped: 3 without a keyword (rows 18, 40 and 41), 2 with shifted columns (rows 22 and 23), 2 empty.',
  ],
  [
    'one row of one',
    list(0, { 'no-keyword': [2] }),
    '0 of 1 row were read, 1 was skipped: 1 without a keyword (row 2).',
  ],
  [
    'more rows than are named',
    list(1, { 'no-keyword': [18, 40, 41, ...Array.from({ length: 9 }, (_, at) => 1042 + at)] }),
    '1 of 13 rows was read, 12 were skipped: 12 without a keyword (rows 18, 40, 41 and 9 more).',
  ],
  [
    'every other reason',
    list(2, {
      headers: [1_030],
      'long-keyword': [31],
      'long-source': [32],
      'long-score': [33],
      'over-limit': [34],
    }),
    '2 of 7 rows were read, 5 were skipped: 1 with the headers again (row 1,030), 1 with a keyword of more than 200 characters (row 31), 1 with a source of more than 10 characters (row 32), 1 with a score of more than 200 characters (row 33), 1 beyond the 5,000 entities that an article can have (row 34).',
  ],
])('skipped rows are reported: %s', { tags: ['@Q77'] }, (_, given, text) => {
  const said = skippedText(given)
  expect(`${said?.counts} ${said?.reasons}`).toBe(text)
})

test('there is no notice when all rows were read', { tags: ['@Q77'] }, () => {
  expect(skippedText(list(3, {}))).toBeNull()
})

test.each<[string[], string | null]>([
  [[], null],
  [
    ['high', 'n/a', 'high', ' n/a '],
    '4 scores could not be read (‘high’, ‘n/a’) and count as none.',
  ],
  [['high'], '1 score could not be read (‘high’) and counts as none.'],
  [['high', '', ' '], '3 scores could not be read (‘high’, 2 empty) and count as none.'],
  [
    ['a', 'b', 'c', 'd', 'e', ''],
    '6 scores could not be read (‘a’, ‘b’, ‘c’, 2 more, 1 empty) and count as none.',
  ],
  [['x'.repeat(200)], `1 score could not be read (‘${'x'.repeat(30)}…’) and counts as none.`],
])('scores that are no numbers are reported: %j', { tags: ['@Q79'] }, (scores, text) => {
  expect(unreadScoresText(scores)).toBe(text)
})

test.each([
  [{ encoding: 'utf-8', isGuess: false, broken: 0 }, null],
  [{ encoding: 'utf-16le', isGuess: false, broken: 0 }, null],
  [{ encoding: 'windows-1252', isGuess: false, broken: 0 }, null],
  [
    { encoding: 'windows-1257', isGuess: true, broken: 0 },
    'This file isn’t UTF-8; it was read as Windows-1257. Please check accented letters.',
  ],
  [
    { encoding: 'utf-8', isGuess: false, broken: 1 },
    '1 character of this file could not be read as UTF-8. Please check accented letters.',
  ],
  [
    { encoding: 'utf-8', isGuess: true, broken: 1_200 },
    '1,200 characters of this file could not be read as UTF-8. Please check accented letters.',
  ],
] as const)('a notice about doubtful letters: %j', { tags: ['@Q75'] }, (decoding, text) => {
  expect(encodingText(decoding)).toBe(text)
})

test.each([
  [{ kind: 'empty' }, 'The file is empty'],
  [{ kind: 'rows' }, 'The file has more than 20,000 rows'],
  [{ kind: 'columns', row: 1_002 }, 'Row 1,002 has more than 100 columns'],
  [{ kind: 'quote', row: 2 }, 'Row 2 has a quotation mark that is not closed'],
] as const)('a file that cannot be read shows the reason: %j', (fault, text) => {
  expect(csvFaultText(fault)).toBe(text)
})

test.each([
  [['Source'], 'Choose a column for Source to import the file.'],
  [
    ['Keyword', 'Source', 'Score'],
    'Choose a column for Keyword, Source and Score to import the file.',
  ],
])('what is missing is named: %j', { tags: ['@CSV-13'] }, (labels, text) => {
  expect(unmatchedText(labels)).toBe(text)
})
