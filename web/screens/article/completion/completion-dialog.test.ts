import { expect, test } from 'vitest'
import { shortfalls } from './completion-dialog.tsx'

test.each([
  { words: 458, minimum: 700, empty: [], lines: ['242 words below the minimum.'] },
  { words: 700, minimum: 700, empty: [], lines: ['At the minimum: one more word.'] },
  { words: 701, minimum: 700, empty: [], lines: [] },
  { words: 0, minimum: 0, empty: ['Care'], lines: ['1 heading has no text below it: ‘Care’.'] },
  {
    words: 9,
    minimum: 0,
    empty: ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'],
    lines: [
      '10 headings have no text below them: ‘A’, ‘B’, ‘C’, ‘D’, ‘E’, ‘F’, ‘G’, ‘H’ and 2 more.',
    ],
  },
])(
  '$words of $minimum words, nothing below $empty: $lines',
  { tags: ['@CO-17', '@Q53'] },
  ({ words, minimum, empty, lines }) => {
    expect(shortfalls({ words }, minimum, empty)).toEqual(lines)
  },
)

test('headings of the brief that the text does not have are named', { tags: ['@CO-17'] }, () => {
  expect(shortfalls({ words: 9 }, 0, [], ['Light', 'Shade'])).toEqual([
    'The brief asks for headings that are not here: ‘Light’, ‘Shade’.',
  ])
})
