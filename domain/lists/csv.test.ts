import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { randomRuns } from '../../scripts/test-depth.ts'
import { isHeaderRow } from '../keywords/keyword-import.ts'
import { CSV_COLUMNS_MAX, CSV_ROWS_MAX } from '../limits.ts'
import { csvText, readCsv } from './csv.ts'

const read = (text: string) => {
  const reading = readCsv(text, isHeaderRow)
  return reading.ok ? reading.rows : reading.fault
}
const separatorOf = (text: string) => {
  const reading = readCsv(text, isHeaderRow)
  return reading.ok ? reading.separator : reading.fault
}

describe('reading', () => {
  // Each list as lines of cells, with / between the cells.
  test.each<[string, string, string[]]>([
    ['commas', 'a,b\nc,d', ['a/b', 'c/d']],
    ['semicolons', 'a;b;1,5\nc;d;2,5', ['a/b/1,5', 'c/d/2,5']],
    ['tabs', 'a\tb\nc\td', ['a/b', 'c/d']],
    ['bars', 'a|b\nc|d', ['a/b', 'c/d']],
    ['quoted commas', '"a, b",c\nd,e', ['a, b/c', 'd/e']],
    ['quoted line breaks', '"a\nb",c\r\n"d\r\ne",f', ['a\nb/c', 'd\ne/f']],
    ['doubled quotation marks', '"5"" pipe",E\nb,I', ['5" pipe/E', 'b/I']],
    ['quotation marks inside a cell', '5" pipe,E\nb,I', ['5" pipe/E', 'b/I']],
    ['mixed line ends', 'a,b\r\nc,d\ne,f\rg,h', ['a/b', 'c/d', 'e/f', 'g/h']],
    ['empty lines in between', '\na,b\n , \n,\nc,d\n\n,,\n', ['', 'a/b', '', '', 'c/d']],
    ['rows of different lengths', 'a,b,c\nd,e\nf,g,h', ['a/b/c', 'd/e', 'f/g/h']],
    ['one column', 'a\nb', ['a', 'b']],
    ['names that objects have', '__proto__,constructor\na,b', ['__proto__/constructor', 'a/b']],
    ['no comments', '#a,b\nc,d', ['#a/b', 'c/d']],
    ['blanks before and after the marks', '"a", "b, c" ,\u00a0"d"\ne,f,g', ['a/b, c/d', 'e/f/g']],
    ['formulas of a text', '="a, b",="5"\n"=""c""",d', ['a, b/5', 'c/d']],
    ['a formula that is none of a text', '="a"&"b",c\n=1+1,d', ['="a"&"b"/c', '=1+1/d']],
    ['a cell that begins with a quotation, copied', '"a" b\tc\nd\te', ['"a" b/c', 'd/e']],
    ['a mark inside a cell after a blank', ' "hello" world,b\nc,d', [' "hello" world/b', 'c/d']],
    ['marks of typesetting', '“a”,„b“\n«c»,‘d’\n', ['a/b', 'c/d']],
    ['marks in marks', '"""a""","""""b"""""\n“‘c’”,d', ['a/b', 'c/d']],
    ['marks around several marks', '"""a"" and ""b""",c\nd,e', ['"a" and "b"/c', 'd/e']],
    ['single marks', "'a','b'\n'rock 'n' roll,it's", ['a/b', "'rock 'n' roll/it's"]],
    ['the mark before a formula', "'=1+1,'-5\n'+3,'@x", ['=1+1/-5', '+3/@x']],
    ['empty cells at the end', `a,b${','.repeat(253)}\nc,d${','.repeat(253)}`, ['a/b', 'c/d']],
    ['invisible cells at the end', 'a,b,\u200b,\ufeff\nc,d,\u00a0', ['a/b', 'c/d']],
    ['a line that says the separator', 'sep=;\na,x;b', ['a,x/b']],
    ['the same in marks, saved again', '"SEP=;"\r\na;b', ['a/b']],
    ['the same with its own cells', 'sep=;;;\na;b;c', ['a/b/c']],
    ['a tab that is said', 'sep=\t\na;b\tc', ['a;b/c']],
    ['a sign that no file is expected to have', 'sep=^\na,b^c', ['a,b/c']],
  ])('%s', { tags: ['@CSV-16', '@Q75'] }, (_, text, rows) => {
    expect(read(text)).toEqual(rows.map((row) => (row === '' ? [] : row.split('/'))))
  })

  test.each([
    ['commas in cells under semicolons', 'Keyword;Source;Score\na, b;E;4,5\nc, d;I;7,5', ';'],
    ['without headers', 'jugs;E;4,5\ncups;I;79,5\nmugs;E;3,5', ';'],
    ['a title with commas above tabs', 'List, of 1, 2, 3\nKeyword\tSource\tScore\na\tE\t1', '\t'],
    ['semicolons in cells', 'Keyword,Source,Score\na; b; c; d,E,1', ','],
    ['marks that only fit one', '"a;b";"E";"4,5"\n"c";"I";"5,5"', ';'],
    ['more columns in some rows', 'a;E;4,5\nb;E;3,5;note\nc;I;9,5', ';'],
    ['nothing to see', 'moon\nowl', ','],
  ])('the separator of %s', (_, text, separator) => {
    expect(separatorOf(text)).toBe(separator)
  })

  test('the separator of long rows, of which the first part of the text has few', () => {
    const row = `E,4,"${'Lamps; posts\n'.repeat(500)}"`
    expect(separatorOf(Array(20).fill(row).join('\n'))).toBe(',')
  })

  test.each([
    ['', { kind: 'empty' }],
    [' \n,,\n', { kind: 'empty' }],
    ['sep=;\n', { kind: 'empty' }],
    ['a,b\nc,"d\ne,f', { kind: 'quote', row: 2 }],
    ['a,b\n"c"d,e\nf,g', { kind: 'quote', row: 2 }],
    ['a\tb\n"c\td\ne\tf', { kind: 'quote', row: 2 }],
    [`a,b\n${'x,'.repeat(CSV_COLUMNS_MAX)}x`, { kind: 'columns', row: 2 }],
  ])('%j is refused: %j', (text, fault) => {
    expect(read(text)).toEqual(fault)
  })

  test('a list may have 20,000 rows and headers, and not one more; empty rows do not count', () => {
    const lines = Array.from({ length: CSV_ROWS_MAX + 1 }, (_, index) => `k ${index},E,1`)
    expect(read(lines.join('\n'))).toHaveLength(CSV_ROWS_MAX + 1)
    expect(read(lines.join('\n\n'))).toHaveLength(2 * CSV_ROWS_MAX + 1)
    expect(read([...lines, 'k,E,1'].join('\n'))).toEqual({ kind: 'rows' })
  })

  test('reports its progress', () => {
    const parts: number[] = []
    readCsv('garden path,E,5\n'.repeat(2_000), isHeaderRow, (part) => parts.push(part))
    expect(parts).toEqual([0.5, 1])
  })
})

describe('writing', () => {
  test('no cell begins as a formula', () => {
    expect(csvText([['=1+1', '-5', '+x', '@y', '\tz', 'a-b']], ',')).toBe(
      `'=1+1,'-5,'+x,'@y,'\tz,a-b\r\n`,
    )
  })

  const cell = fc.oneof(
    fc.constantFrom('moon', 'owl', '"', 'a "quoted" word', 'a,b', 'a;b', '=1+1', "it's", '-5'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    fc.constantFrom('two\nlines', ' blanks ', '★', '| and\t;'),
  )
  const list = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 40 })

  test('what was read is written and read again', () => {
    fc.assert(
      fc.property(list, fc.constantFrom(',', ';', '\t'), (rows, separator) => {
        const headed = [['Keyword', 'Source', 'Score'], ...rows]
        const first = read(csvText(headed, separator))
        expect(first).not.toHaveProperty('kind')
        if (Array.isArray(first)) expect(read(csvText(first, separator))).toEqual(first)
      }),
      { numRuns: randomRuns(1_000) },
    )
  })
})
