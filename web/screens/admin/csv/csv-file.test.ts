import { describe, expect, test } from 'vitest'
import { CSV_BYTES_MAX, decodeFile, ENCODINGS, fileFault } from './csv-file.ts'

const file = (type: string, name: string, size = 10) => ({ type, name, size })

describe('which files are taken', () => {
  test('a file is required', { tags: ['@CSV-01', '@VA-12', '@ER-18'] }, () => {
    expect(fileFault(null)).toBe('A file is required')
  })

  test.each<[string, string]>([
    ['text/csv', 'list.csv'],
    ['text/csv', 'no extension'],
    ['text/csv;charset=utf-8', 'list.csv'],
    ['text/x-csv', 'list.csv'],
    ['application/vnd.ms-excel', 'list.csv'],
    ['text/plain', 'list.txt'],
    ['text/plain', 'list.html'],
    ['', 'list.csv'],
    ['', 'LIST.CSV'],
    ...['xls', 'xlm', 'xla', 'xlc', 'xlt', 'xlw'].map((end): [string, string] => ['', `a.${end}`]),
    ...['txt', 'text', 'conf', 'def', 'list', 'log', 'in', 'ini'].map((end): [string, string] => [
      '',
      `a.b.${end}`,
    ]),
  ])(
    'takes type %j of %s',
    { tags: ['@CSV-02', '@CSV-03', '@CSV-04', '@CSV-05', '@CSV-06', '@CSV-07', '@CSV-08', '@Q73'] },
    (type, name) => {
      expect(fileFault(file(type, name))).toBeNull()
    },
  )

  test.each([
    ['text/html', 'list.csv'],
    ['application/json', 'list.csv'],
    ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'list.xlsx'],
    ['image/png', 'list.png'],
    ['text/csvx', 'list.csv'],
    ['', 'list.xlsx'],
    ['', 'list.pdf'],
    ['', 'list'],
    ['', 'csv'],
    ['', 'list.'],
    ['', 'list.csv.exe'],
  ])('refuses type %j of %s', { tags: ['@CSV-09'] }, (type, name) => {
    expect(fileFault(file(type, name))).toBe('Invalid file type')
  })

  test('a file has content and at most 5 MB', () => {
    expect(fileFault(file('text/csv', 'a.csv', 0))).toBe('The file is empty')
    expect(fileFault(file('text/csv', 'a.csv', CSV_BYTES_MAX))).toBeNull()
    expect(fileFault(file('text/csv', 'a.csv', CSV_BYTES_MAX + 1))).toBe(
      'The file is too large (more than 5 MB)',
    )
  })
})

const utf8 = (text: string) => new TextEncoder().encode(text)
const utf16 = (text: string, littleEndian: boolean) => {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let index = 0; index < text.length; index += 1) {
    view.setUint16(index * 2, text.charCodeAt(index), littleEndian)
  }
  return new Uint8Array(view.buffer)
}

const LABAS = Uint8Array.from('\u017ealia'.split(''), (sign) =>
  sign === '\u017e' ? 0xfe : sign.charCodeAt(0),
)
const MARKED = Uint8Array.of(0xef, 0xbb, 0xbf, 0xc5, 0xbe, 0xe9, 0x21)

describe('bytes become text', () => {
  test.each([
    ['UTF-8', utf8('café,I,80'), 'café,I,80', 'utf-8', false],
    ['a byte order mark is no text', utf8('\ufeffKeyword'), 'Keyword', 'utf-8', false],
    [
      'Windows-1252 where UTF-8 is broken',
      Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x21),
      'café!',
      'windows-1252',
      true,
    ],
    ['Unicode text of a spreadsheet', utf16('\ufeffcafé', true), 'café', 'utf-16le', false],
    ['the same the other way round', utf16('\ufeffcafé', false), 'café', 'utf-16be', false],
    ['UTF-16 without a mark', utf16('Keyword\té', true), 'Keyword\té', 'utf-16le', false],
    ['the same the other way round', utf16('Keyword\té', false), 'Keyword\té', 'utf-16be', false],
  ] as const)('%s', { tags: ['@CSV-18', '@Q75'] }, (_, bytes, text, encoding, isGuess) => {
    expect(decodeFile(bytes)).toEqual({ text, encoding, isGuess, broken: 0 })
  })

  test.each([
    ['utf-16le', true],
    ['utf-16be', false],
  ] as const)(
    '%s without a mark, of letters that are not Latin',
    { tags: ['@Q75'] },
    (encoding, littleEndian) => {
      const text = `Keyword\tSource\tScore\n${'зелёная усадьба\tE\t4,5\n'.repeat(100)}`
      expect(decodeFile(utf16(text, littleEndian))).toMatchObject({
        text,
        encoding,
        isGuess: false,
      })
    },
  )

  test('a byte order mark decides, also where one byte is broken', { tags: ['@Q75'] }, () => {
    expect(decodeFile(MARKED)).toEqual({
      text: 'ž\ufffd!',
      encoding: 'utf-8',
      isGuess: false,
      broken: 1,
    })
  })

  test.each([
    ['windows-1257', 'žalia', true],
    ['windows-1252', 'þalia', true],
    ['utf-8', '\ufffdalia', true],
  ] as const)(
    'another encoding can be chosen: %s',
    { tags: ['@Q75'] },
    (encoding, text, isGuess) => {
      expect(decodeFile(LABAS, encoding)).toMatchObject({ text, encoding, isGuess })
    },
  )

  test('the choice is taken over a mark, and makes no sign that a list cannot have', {
    tags: ['@Q75'],
  }, () => {
    expect(decodeFile(MARKED, 'windows-1252')?.text).toBe('ï»¿Å¾é!')
    expect(decodeFile(utf16('ab', true), 'utf-8')).toMatchObject({
      text: 'a\ufffdb\ufffd',
      broken: 2,
    })
  })

  test('every encoding to choose from is known', { tags: ['@Q75'] }, () => {
    for (const name of Object.keys(ENCODINGS)) expect(new TextDecoder(name).encoding).toBe(name)
  })

  test.each([
    ['an old workbook', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1)],
    ['a workbook of 1988', Uint8Array.of(0x09, 0x00, 0x04, 0x00)],
    ['a new workbook', utf8('PK\u0003\u0004content')],
    ['a PDF', utf8('%PDF-1.7')],
    ['an archive', Uint8Array.of(0x1f, 0x8b, 0x08)],
    ['a text with NUL', utf8('Keyword,Source\0,Score')],
    ['a text with many NUL', utf8('Keyword,Source\0\0,Score\0\0,Volume\0\0\n'.repeat(9))],
    ['numbers of a program', Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 2)],
  ])('%s is no list, whatever its name says', { tags: ['@Q73'] }, (_, bytes) => {
    expect(decodeFile(bytes)).toBeNull()
  })
})
