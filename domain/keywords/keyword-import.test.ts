import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { KEYWORDS_MAX } from '../limits.ts'
import { csvText, readCsv } from '../lists/csv.ts'
import { articleSettingsBody, type Keyword } from '../wire/articles.ts'
import { categoriseKeywords, entitiesText, type KeywordRow } from './keyword-category.ts'
import {
  findHeaderRow,
  importKeywords,
  isHeaderRow,
  type KeywordImport,
  type ListReading,
  namedColumns,
} from './keyword-import.ts'

const row = (keyword: string, source = 'X', score: string | number = '1'): KeywordRow => ({
  keyword,
  source,
  score,
})

const COLUMNS = { keyword: 0, source: 1, score: 2 }
const NO_HEADERS: ListReading = { headerRow: null, columns: COLUMNS }

/** A list without headers, separated by commas. */
const importRows = (rows: readonly KeywordRow[]) =>
  importKeywords(
    {
      separator: ',',
      rows: rows.map(({ keyword, source, score }) => [keyword, source, String(score)]),
    },
    NO_HEADERS,
  )

/** Reads a file with the detected header row, or the first row. */
function importText(text: string, reading?: ListReading) {
  const file = readCsv(text, isHeaderRow)
  if (!file.ok) throw new Error(JSON.stringify(file.fault))
  const headerRow = findHeaderRow(file.rows) ?? 0
  const columns = namedColumns(file.rows[headerRow] ?? [])
  const used = reading ?? { headerRow, columns }
  const below = file.rows.length - (used.headerRow === null ? 0 : used.headerRow + 1)
  return { ...importKeywords(file, used), below }
}

const MUST = 'Must Use'
const NEED = 'Need to Use'
const WHEN = 'Use When You Can'

type Outcome = {
  /** Keyword / source / score / category of each entity. */
  read: string[]
  /** Row and reason. */
  skipped?: string[]
  empty?: number
  unread?: string[]
}

const outcomeOf = ({ keywords, skipped, empty, unreadScores }: KeywordImport): Outcome => ({
  read: keywords.map((entry) =>
    [entry.keyword, entry.source, entry.score, entry.category].join('/'),
  ),
  skipped: skipped.map(({ row, reason }) => `${row} ${reason}`),
  empty,
  unread: unreadScores,
})

const H = 'Keyword,Source,Score\n'
const S = 'Keyword;Source;Score\n'
const T = 'Keyword\tSource\tScore\n'
const JUGS = [`jugs/E/5/${MUST}`]

const DIALECTS: [string, string, Outcome][] = [
  [
    'German spreadsheet: semicolons and decimal commas',
    `${S}jugs;E;4,5\ncups;I;79,5\nmugs;I;80,0\n`,
    { read: [`jugs/E/4.5/${MUST}`, `cups/I/79.5/${NEED}`, `mugs/I/80.0/${MUST}`] },
  ],
  [
    'French spreadsheet: thousands apart, a percent sign after a blank',
    `${S}jugs;E;1\u202f234,5\ncups;I;79,9 %\nmugs;I;0,8\n`,
    { read: [`jugs/E/1234.5/${MUST}`, `cups/I/79.9 %/${NEED}`, `mugs/I/0.8/${WHEN}`] },
  ],
  [
    'dots for thousands under semicolons',
    `${S}jugs;I;1.234\ncups;I;1.234.567,8\nmugs;E;-4,5\n`,
    { read: [`jugs/I/1234/${MUST}`, `cups/I/1234567.8/${MUST}`, `mugs/E/-4.5/${WHEN}`] },
  ],
  [
    'the file decides, not the cell: 1.234 among decimal commas is a thousand',
    `${S}jugs;I;1.234\ncups;E;4,5\nmugs;E;3.9\n`,
    { read: [`jugs/I/1234/${MUST}`, `cups/E/4.5/${MUST}`, `mugs/E/3.9/${NEED}`] },
  ],
  [
    '1.234 among decimal dots is one',
    `${S}jugs;E;1.234\ncups;E;4.5\n`,
    { read: [`jugs/E/1.234/${WHEN}`, `cups/E/4.5/${MUST}`] },
  ],
  [
    'the same between commas',
    `${H}jugs,E,"1,234"\ncups,E,"4,5"\n`,
    { read: [`jugs/E/1.234/${WHEN}`, `cups/E/4.5/${MUST}`] },
  ],
  [
    'decimal dots in all of a file with tabs',
    `${T}jugs\tE\t4.5\ncups\tI\t0.79\nmugs\tI\t80\n`,
    { read: [`jugs/E/4.5/${MUST}`, `cups/I/0.79/${WHEN}`, `mugs/I/80/${MUST}`] },
  ],
  [
    'tabs and decimal commas',
    `${T}jugs\tE\t4,5\ncups\tI\t79,5\n`,
    { read: [`jugs/E/4.5/${MUST}`, `cups/I/79.5/${NEED}`] },
  ],
  [
    'commas for thousands between commas',
    `${H}jugs,I,"1,234"\ncups,I,"1,234.5"\nmugs,E,4.5\n`,
    { read: [`jugs/I/1,234/${MUST}`, `cups/I/1,234.5/${MUST}`, `mugs/E/4.5/${MUST}`] },
  ],
  [
    'decimal commas in marks between commas',
    `${H}"jugs","E","4,5"\n"cups","I","79,5"\n`,
    { read: [`jugs/E/4.5/${MUST}`, `cups/I/79.5/${NEED}`] },
  ],
  [
    'Swiss thousands, and a minus sign of typesetting',
    `${S}jugs;I;1’234\ncups;I;1'234,5\nmugs;E;−3,5\n`,
    { read: [`jugs/I/1234/${MUST}`, `cups/I/1234.5/${MUST}`, `mugs/E/−3.5/${WHEN}`] },
  ],
  [
    'scores that are no numbers count as none',
    `${H}jugs,E,high\ncups,E,n/a\nmugs,E,\npots,E,4/5\npans,X,5\n`,
    {
      read: ['jugs/E/high', 'cups/E/n/a', 'mugs/E/', 'pots/E/4/5', 'pans/X/5'].map(
        (entry) => `${entry}/${WHEN}`,
      ),
      unread: ['high', 'n/a', '', '4/5'],
    },
  ],
  ['a shifted row', `${H}jugs, copper,I,80\njugs,E,5\n`, { read: JUGS, skipped: ['2 shifted'] }],
  [
    'shifted rows with columns behind, without one cell, and with two more',
    'Keyword,Source,Score,Volume\njugs, copper,I,80\njugs,E,5,1200\ncups,80\na, b, c,E,5,9\n',
    { read: JUGS, skipped: ['2 shifted', '4 shifted', '5 shifted'] },
  ],
  [
    'a column without a header is no shift',
    `${H}jugs,E,5,note\ncups,E,4,note\nmugs,I,80\n`,
    { read: [...JUGS, `cups/E/4/${MUST}`, `mugs/I/80/${MUST}`] },
  ],
  [
    'decimal commas without marks between commas are shifted rows, not a column without a header',
    `${H}jugs,E,5\ncups,E,4,5\nmugs,I,79,5\npots,I,1,234\n`,
    { read: JUGS, skipped: ['3 shifted', '4 shifted', '5 shifted'] },
  ],
  [
    'the same with columns behind the score',
    'Score,Source,Keyword,Volume\n4,5,E,cups,90\n9,5,I,mugs,1200\n5,E,jugs,90\n',
    { read: JUGS, skipped: ['2 shifted', '3 shifted'] },
  ],
  [
    'numbers in a column without a header are no decimals where one has four digits',
    `${H}jugs,E,5,90\ncups,E,4,1200\n`,
    { read: [...JUGS, `cups/E/4/${MUST}`] },
  ],
  ['separators at the end of a row', `${H}jugs,E,5,,,\n`, { read: JUGS }],
  [
    'three columns and 253 empty ones behind',
    `Keyword,Source,Score${','.repeat(253)}\njugs,E,5${','.repeat(253)}\na, b,E,5${','.repeat(252)}\n`,
    { read: JUGS, skipped: ['3 shifted'] },
  ],
  ['a column before that is empty', ',Keyword,Source,Score\n,jugs,E,5\n', { read: JUGS }],
  ['a line that says the separator', 'sep=;\nKeyword;Source;Score\njugs;E;5\n', { read: JUGS }],
  [
    'rows are counted below the line that says the separator',
    `sep=;\r\n${S};E;5\njugs;E;5\n`,
    { read: JUGS, skipped: ['2 no-keyword'] },
  ],
  [
    'title and date lines above the headers',
    `Keyword stats, 2026\n"1 November 2026 - 30 November 2026"\n\n${T}jugs\tE\t5\n\tE\t5\n`,
    { read: JUGS, skipped: ['6 no-keyword'] },
  ],
  [
    'the headers again in the middle, from two lists in one file',
    `${H}jugs,E,5\nkeyword,SOURCE, Score\ncups,E,4\n`,
    { read: [...JUGS, `cups/E/4/${MUST}`], skipped: ['3 headers'] },
  ],
  ['a blank before the marks', '"Keyword", "Source", "Score"\n"jugs", "E", "5"\n', { read: JUGS }],
  ['cells that are formulas of a text', `${H}="jugs",="E",="5"\n`, { read: JUGS }],
  ['the same in marks', '"=""Keyword""",Source,Score\n"=""jugs""","=""E""",5\n', { read: JUGS }],
  [
    'a list that was quoted twice',
    '"""Keyword""","""Source""","""Score"""\n"""jugs""","""E""","""5"""\n',
    { read: JUGS },
  ],
  [
    'whole lines in marks, from a list that was opened in one column',
    '"Keyword,Source,Score"\n"jugs,E,5"\n\n"""cups, blue"",""E"",""4"""\n"a, b,E,5"\n',
    { read: [...JUGS, `cups blue/E/4/${MUST}`], skipped: ['5 shifted'], empty: 1 },
  ],
  [
    'the same with semicolons, and a title above',
    '"List"\n"Keyword;Source;Score"\n"jugs;E;4,5"\n',
    { read: [`jugs/E/4.5/${MUST}`] },
  ],
  [
    'a byte order mark inside the text, before a mark',
    '\ufeff"Keyword","Source","Score"\n"jugs",\u200b"E","5"\n',
    { read: JUGS },
  ],
  ['the apostrophe that makes a cell text in spreadsheets', `${H}jugs,'E,'5\n`, { read: JUGS }],
  ['marks of typesetting', '“Keyword”,“Source”,“Score”\n“jugs”,“E”,“5”\n', { read: JUGS }],
  ['single marks', "'Keyword','Source','Score'\n'jugs','E','5'\n", { read: JUGS }],
  [
    'marks that are not seen around a value',
    `\u200bKeyword,Source\u200e,\u2060Score\njugs,\u200fE,5\u200b\n`,
    { read: JUGS },
  ],
  ['full-width headers', 'Ｋｅｙｗｏｒｄ,Ｓｏｕｒｃｅ,Ｓｃｏｒｅ\njugs,E,5\n', { read: JUGS }],
  [
    'empty rows and rows without a keyword',
    `${H}jugs,E,5\n\n,,\n,E,4\n★,E,4\n \ncups,E,4\n\n,,\n`,
    {
      read: [...JUGS, `cups/E/4/${MUST}`],
      skipped: ['5 no-keyword', '6 no-keyword'],
      empty: 3,
    },
  ],
  ['old Mac line ends and bars', 'Keyword|Source|Score\rjugs|E|5\r', { read: JUGS }],
]

describe('lists as they come', () => {
  test.each(DIALECTS)('%s', { tags: ['@CSV-16', '@CSV-19', '@Q79'] }, (_, text, outcome) => {
    const { below, ...found } = importText(text)
    expect(outcomeOf(found)).toEqual({ skipped: [], empty: 0, unread: [], ...outcome })
    expect(found.keywords.length + found.skipped.length + found.empty).toBe(below)
  })

  test('with headers their row is dropped', { tags: ['@CSV-19'] }, () => {
    expect(outcomeOf(importText(`${H}jugs,E,5\n`)).read).toEqual(JUGS)
  })

  test('without headers the first row is data', { tags: ['@CSV-20'] }, () => {
    expect(outcomeOf(importText('jugs,E,5\n', NO_HEADERS)).read).toEqual(JUGS)
    expect(outcomeOf(importText(`${H}jugs,E,5\n`, NO_HEADERS)).read).toHaveLength(2)
  })

  test('without headers a row is shifted by what its cells look like', () => {
    const text = 'jugs, copper,I,80\ncups,E,4,5\nmugs,E,5,a note\npots,E\npans,80\n'
    expect(outcomeOf(importText(text, NO_HEADERS))).toMatchObject({
      skipped: ['1 shifted', '5 shifted'],
      unread: [''],
    })
  })

  test('a score without decimal comma is kept as it was uploaded', { tags: ['@Q79'] }, () => {
    const { keywords } = importText(`${S}jugs;E; 85% \ncups;E;n/a\n`)
    expect(keywords.map(({ score }) => score)).toEqual([' 85% ', 'n/a'])
  })

  test('another row can be the headers', () => {
    const text = 'A list\n\nTerm;Source;Score\njugs;E;5\n'
    const reading = { headerRow: 2, columns: COLUMNS }
    expect(outcomeOf(importText(text, reading))).toMatchObject({ read: JUGS, skipped: [] })
  })
})

describe('importing an uploaded list', () => {
  it('counts every row that is skipped once, by its first reason', { tags: ['@Q77'] }, () => {
    const { keywords, skipped } = importRows([
      row('Garden Path', 'E', '5'),
      row('', 'E'),
      row('★'),
      row('a'.repeat(201)),
      row('b'.repeat(200)),
      row('c', 'eleven char'),
      row('d', 'X', '1'.repeat(201)),
      row('', 'eleven char', '1'.repeat(201)),
    ])
    expect(keywords.map(({ keyword }) => keyword)).toEqual(['garden path', 'b'.repeat(200)])
    expect(skipped.map(({ row, reason }) => `${row} ${reason}`)).toEqual([
      '2 no-keyword',
      '3 no-keyword',
      '4 long-keyword',
      '6 long-source',
      '7 long-score',
      '8 no-keyword',
    ])
  })

  it('rows that are skipped for their length count as copies', { tags: ['@KW-18'] }, () => {
    const { keywords } = importRows([row('moon'), row('moon', 'much too long')])
    expect(keywords).toEqual([{ ...row('moon'), category: 'Need to Use' }])
  })

  it('line breaks and control characters in a cell become spaces', () => {
    const [entry] = importRows([row('garden\npath', 'E\r\n', '5\u202e\n0\ud800')]).keywords
    expect(entry).toMatchObject({ keyword: 'garden path', source: 'E', score: '5 0 ' })
  })

  it('of more rows than an article holds the most useful stay, in the order of the file', () => {
    const low = Array.from({ length: KEYWORDS_MAX }, (_, index) => row(`low ${index}`))
    const repeats = Array.from({ length: 4 }, () => row('often'))
    const { keywords, skipped } = importRows([...low, row('top', 'E', '4'), ...repeats])
    expect(skipped.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 5 }, () => 'over-limit'),
    )
    expect(keywords).toHaveLength(KEYWORDS_MAX)
    expect(keywords.slice(-3).map(({ keyword }) => keyword)).toEqual(['low 4997', 'top', 'often'])
    expect(keywords.at(-1)?.category).toBe('Must Use')
  })
})

const cell = fc.oneof(
  fc.constantFrom('moon', 'Moon', 'owl', '', ' ', '★', 'x'.repeat(300)),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const anyRow = fc.record({
  keyword: cell,
  source: fc.oneof(fc.constantFrom('E', 'e', 'I', 'X', 'toolongsource'), cell),
  score: fc.oneof(fc.nat(100), fc.constantFrom('4', '80%', '1'.repeat(300)), cell),
})
const upload = fc.array(anyRow, { maxLength: 30 })
const numRuns = 500

const cells = fc.array(cell, { maxLength: 5 })

describe('any upload', () => {
  it('every row is imported, skipped or empty, and the server takes the list', () => {
    fc.assert(
      fc.property(
        fc.array(cells, { maxLength: 30 }),
        fc.constantFrom(',', ';', '\t'),
        (rows, separator) => {
          const file = readCsv(
            `${S.replaceAll(';', separator)}${csvText(rows, separator)}`,
            isHeaderRow,
          )
          if (!file.ok) throw new Error(JSON.stringify(file.fault))
          const { keywords, skipped, empty } = importKeywords(file, {
            headerRow: 0,
            columns: COLUMNS,
          })
          expect(keywords.length + skipped.length + empty).toBe(file.rows.length - 1)
          expect(new Set(skipped.map(({ row }) => row)).size).toBe(skipped.length)
          expect(articleSettingsBody.safeParse({ keywordList: keywords }).success).toBe(true)
        },
      ),
      { numRuns },
    )
  })

  it('categories do not depend on the order of the rows', { tags: ['@KW-16', '@Q80'] }, () => {
    const shuffled = upload.chain((rows) =>
      fc.tuple(
        fc.constant(rows),
        fc.shuffledSubarray(rows, { minLength: rows.length, maxLength: rows.length }),
      ),
    )
    const sorted = (list: Keyword[]) => list.map((entry) => JSON.stringify(entry)).sort()
    fc.assert(
      fc.property(shuffled, ([rows, others]) => {
        expect(sorted(categoriseKeywords(others))).toEqual(sorted(categoriseKeywords(rows)))
      }),
      { numRuns },
    )
  })

  it('importing what was imported changes nothing', { tags: ['@KW-01'] }, () => {
    fc.assert(
      fc.property(upload, (rows) => {
        const { keywords } = importRows(rows)
        expect(importRows(keywords).keywords.map(({ keyword }) => keyword)).toEqual(
          keywords.map(({ keyword }) => keyword),
        )
      }),
      { numRuns },
    )
  })
})

describe('the entities as text', () => {
  const entry = (keyword: string, category: string): Keyword => ({ ...row(keyword), category })

  it('groups in order, each keyword once and on its own line', {
    tags: ['@AA-19', '@AA-20', '@AA-21', '@Q65'],
  }, () => {
    expect(
      entitiesText([
        entry('lumen', 'Use When You Can'),
        entry('garden path', 'Must Use'),
        entry('glare', 'Need to Use'),
        entry('path light', 'Must Use'),
        entry('garden path', 'Must Use'),
        entry('moth', 'Some Day'),
      ]),
    ).toBe('Must Use\ngarden path\npath light\n\nNeed to Use\nglare\n\nUse When You Can\nlumen')
  })

  it('leaves empty groups out', { tags: ['@Q65'] }, () => {
    expect(entitiesText([entry('glare', 'Need to Use')])).toBe('Need to Use\nglare')
    expect(entitiesText([])).toBe('')
    expect(entitiesText([entry('=SUM(A1)', 'Must Use'), entry('=+@', 'Need to Use')])).toBe(
      'Must Use\nsuma1',
    )
  })
})
