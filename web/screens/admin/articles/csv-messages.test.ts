import { expect, test } from 'vitest'
import { encodingText, leftOutText, UPLOAD_SUCCESSFUL, unmatchedText } from './csv-messages.ts'

const NONE = {
  'no-keyword': 0,
  'long-keyword': 0,
  'long-source': 0,
  'long-score': 0,
  'over-limit': 0,
}

test('AF-21 the notice is letter for letter that of the specification', () => {
  expect(UPLOAD_SUCCESSFUL).toBe('Upload successful, click "Modify" to save any changes.')
})

test.each([
  [{}, null],
  [{ 'no-keyword': 1 }, '1 row was skipped: no keyword.'],
  [
    { 'no-keyword': 10, 'long-keyword': 2 },
    '12 rows were skipped: 10 no keyword, 2 a keyword of more than 200 characters.',
  ],
  [
    { 'over-limit': 15_000 },
    '15,000 rows were skipped: beyond the 5,000 entities that an article can have.',
  ],
])('Q77 %j is said as %j', (counts, text) => {
  expect(leftOutText({ ...NONE, ...counts })).toBe(text)
})

test('Q75 only a guessed encoding is worth a notice', () => {
  expect(encodingText('utf-8')).toBeNull()
  expect(encodingText('utf-16')).toBeNull()
  expect(encodingText('windows-1252')).toContain('Windows-1252')
})

test.each([
  [['Source'], 'Choose a column for Source to import the file.'],
  [
    ['Keyword', 'Source', 'Score'],
    'Choose a column for Keyword, Source and Score to import the file.',
  ],
])('CSV-13 what is missing is named: %j', (labels, text) => {
  expect(unmatchedText(labels)).toBe(text)
})
