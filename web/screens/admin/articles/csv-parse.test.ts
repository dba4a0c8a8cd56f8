import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import { importKeywords } from '../../../../domain/keyword-import.ts'
import { CSV_COLUMNS_MAX, CSV_ROWS_MAX, parseCsv } from './csv-parse.ts'
import { keywordRows, matchColumns, sampleOf } from './csv-table.ts'

const rowsOf = (text: string) => {
  const parsing = parseCsv(text)
  return parsing.ok ? parsing.rows : parsing.fault
}

describe('parsing', () => {
  test.each<[string, string, string[][]]>([
    [
      'commas',
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'Q75 semicolons',
      'a;b;1,5\nc;d;2,5',
      [
        ['a', 'b', '1,5'],
        ['c', 'd', '2,5'],
      ],
    ],
    [
      'Q75 tabs',
      'a\tb\nc\td',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'Q75 bars',
      'a|b\nc|d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'quoted commas',
      '"a, b",c\nd,e',
      [
        ['a, b', 'c'],
        ['d', 'e'],
      ],
    ],
    [
      'quoted line breaks',
      '"a\nb",c\r\n"d\r\ne",f',
      [
        ['a\nb', 'c'],
        ['d\ne', 'f'],
      ],
    ],
    [
      'doubled quotation marks',
      '"5"" pipe",E\nb,I',
      [
        ['5" pipe', 'E'],
        ['b', 'I'],
      ],
    ],
    [
      'quotation marks inside a cell',
      '5" pipe,E\nb,I',
      [
        ['5" pipe', 'E'],
        ['b', 'I'],
      ],
    ],
    [
      'mixed line ends',
      'a,b\r\nc,d\ne,f\rg,h',
      [
        ['a', 'b'],
        ['c', 'd'],
        ['e', 'f'],
        ['g', 'h'],
      ],
    ],
    [
      'CSV-16 empty lines',
      '\n\na,b\n\n , \n,\nc,d\n\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'rows of different lengths',
      'a,b,c\nd,e\nf,g,h',
      [
        ['a', 'b', 'c'],
        ['d', 'e'],
        ['f', 'g', 'h'],
      ],
    ],
    ['one column', 'a\nb', [['a'], ['b']]],
    [
      'names that objects have',
      '__proto__,constructor\na,b',
      [
        ['__proto__', 'constructor'],
        ['a', 'b'],
      ],
    ],
    [
      'no comments',
      '#a,b\nc,d',
      [
        ['#a', 'b'],
        ['c', 'd'],
      ],
    ],
  ])('%s', (_, text, rows) => {
    expect(rowsOf(text)).toEqual(rows)
  })

  test.each([
    ['', 'The file is empty'],
    [' \n,,\n', 'The file is empty'],
    ['a,b\nc,"d\ne,f', 'Row 2 has a quotation mark that is not closed'],
    ['a,b\n"c"d,e\nf,g', 'Row 2 has a quotation mark that is not closed'],
    [`a,b\n${'x,'.repeat(CSV_COLUMNS_MAX)}x`, `Row 2 has more than ${CSV_COLUMNS_MAX} columns`],
  ])('%j is refused: %s', (text, fault) => {
    expect(rowsOf(text)).toBe(fault)
  })

  test('a list may have 20,000 rows and headers, and not one more', () => {
    const lines = Array.from({ length: CSV_ROWS_MAX + 1 }, (_, index) => `k ${index},E,1`)
    expect(rowsOf(lines.join('\n'))).toHaveLength(CSV_ROWS_MAX + 1)
    expect(rowsOf([...lines, 'k,E,1'].join('\n'))).toBe('The file has more than 20,000 rows')
  })

  test('tells how far it is', () => {
    const parts: number[] = []
    parseCsv('garden path,E,5\n'.repeat(2_000), (part) => parts.push(part))
    expect(parts).toEqual([0.5, 1])
  })
})

const cell = fc.oneof(
  fc.constantFrom('moon', 'owl', '', ' ', '"', 'a "quoted" word', 'a,b', 'a;b', '=1+1', "it's"),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('two\nlines', 'two\r\nlines', '\r', '★'),
)
const lines = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 40 })

describe('any list', () => {
  test('every row that is not empty is imported or counted as left out', () => {
    fc.assert(
      fc.property(lines, fc.constantFrom(',', ';', '\t'), (data, delimiter) => {
        const headed = [['Keyword', 'Source', 'Score'], ...data]
        const parsing = parseCsv(Papa.unparse(headed, { delimiter, newline: '\r\n' }))
        if (!parsing.ok) throw new Error(parsing.fault)
        const mapping = matchColumns({}, sampleOf(parsing.rows, true))
        const given = keywordRows(parsing.rows, true, mapping)
        const filled = data.filter((row) => row.join('').trim() !== '')
        const { keywords, leftOut } = importKeywords(given)
        const left = Object.values(leftOut).reduce((sum, count) => sum + count, 0)
        expect(mapping).toEqual({ keyword: 0, source: 1, score: 2 })
        expect(keywords.length + left).toBe(filled.length)
        expect(given.map(({ keyword }) => keyword)).toEqual(
          filled.map(([keyword]) => keyword.replace(/\r\n?/g, '\n')),
        )
      }),
      { numRuns: 1_000 },
    )
  })
})
