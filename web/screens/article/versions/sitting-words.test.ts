import { describe, expect, it } from 'vitest'
import { createDates } from '../../../../domain/calendar/dates.ts'
import { authorWords, marksOf, shownMarks, spanWords } from './sitting-words.ts'

describe('a folded sitting', { tags: ['@VL-08'] }, () => {
  it.each([
    ['09:12:00', '09:58:59', '09:12–09:58', '09:12 to 09:58'],
    ['09:12:00', '09:12:59', '09:12', '09:12'],
  ])('says from when to when it was', (from, to, shown, read) => {
    const at = (time: string) => Date.parse(`2026-03-02T${time}Z`)
    const dates = createDates('en-GB', 'UTC')
    expect(spanWords({ from: at(from), to: at(to) }, dates)).toEqual({ shown, read })
  })

  it.each<[string, (string | null)[], string, string]>([
    ['one', ['Imogen Hale', null, 'Imogen Hale'], 'Imogen Hale', 'Imogen Hale'],
    ['two', ['Imogen Hale', 'Tobias Wren'], 'Imogen, Tobias', 'Imogen and Tobias'],
    [
      'two of one first name',
      ['Ida Hale', 'Ida Wren'],
      'Ida Hale, Ida Wren',
      'Ida Hale and Ida Wren',
    ],
    ['three', ['Ida Hale', 'Emil Wren', 'Ines Fox'], 'Ida and 2 more', 'Ida, Emil and Ines'],
    ['none', [null], '', ''],
  ])('names %s', (_, authors, shown, read) => {
    expect(authorWords(authors)).toEqual({ shown, read })
  })

  const version = (reason: string, handIn: number | null = null) => ({
    reason,
    server: { textVersion: 1, author: null, handIn },
  })

  it('keeps the marks of its versions, each once', () => {
    const versions = ['autosave', 'merge', 'restore', 'merge', 'created', 'pre-merge-mine']
    const marks = marksOf([
      ...versions.map((reason) => version(reason)),
      version('pre-merge-theirs'),
      version('autosave', 2),
    ])
    expect(marks).toEqual([
      { kind: 'hand-in', words: 'Handed in, hand-in 2' },
      { kind: 'other', words: 'Merged' },
      { kind: 'other', words: 'Restored' },
      { kind: 'other', words: 'Original' },
      { kind: 'merge', words: 'Before a merge' },
    ])
    expect(shownMarks(marks).map(({ words }) => words)).toEqual([
      'Handed in, hand-in 2',
      'Merged',
      'and 3 more',
    ])
    expect(shownMarks(marks.slice(0, 2))).toEqual(marks.slice(0, 2))
  })
})
