import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { randomRuns } from '../../scripts/test-depth.ts'
import { importKeywords } from '../keywords/keyword-import.ts'
import { listedArticleBody } from '../wire/article-lists.ts'
import {
  type ArticleListReading,
  type ReadArticle,
  readArticleList,
  recogniseArticleList,
} from './article-list.ts'
import { type CellFault, columnName } from './article-list-cells.ts'
import {
  findListHeader,
  isListHeader,
  type ListColumns,
  namedListColumns,
} from './article-list-fields.ts'
import { csvText, readCsv } from './csv.ts'

const ALL: ListColumns = {
  article: 0,
  client: 1,
  minimum: 2,
  due: 3,
  brief: 4,
  outline: 5,
  keyword: 6,
  source: 7,
  score: 8,
}
const LABELS = [
  'Article',
  'Client',
  'Minimum',
  'Due',
  'Brief',
  'Outline',
  'Keyword',
  'Source',
  'Score',
]

/** A list with all columns; each row is text with / between its cells. */
const listOf = (rows: string[], reading: Partial<ArticleListReading> = {}) =>
  readArticleList(
    { separator: ';', rows: [LABELS, ...rows.map((row) => (row === '' ? [] : row.split('/')))] },
    { headerRow: 0, columns: ALL, shape: 'entity', ...reading },
  )

/** Row, column, value and reason of each fault. */
const faultOf = ({ row, column, value, also, reason: { kind, ...about } }: CellFault): string =>
  [
    row,
    column,
    value,
    kind,
    ...Object.values(about),
    ...(also.length ? [`also ${also}`] : []),
  ].join(' ')

const articleOf = ({ name, client, rows, entities }: ReadArticle): string =>
  `${name} | ${client} | ${rows} | ${entities}`

describe('rows of one article', () => {
  test.each<[about: string, rows: string[], articles: string[], faults?: string[]]>([
    [
      'are grouped by name',
      ['A//////k1', 'B//////k2', 'A//////k3'],
      ['A |  | 2,4 | 2', 'B |  | 3 | 1'],
    ],
    ['without case and with other spaces', ['Öl//////k1', 'öL\u00a0//////k2'], ['Öl |  | 2,3 | 2']],
    [
      'by name and client',
      ['A/X/////k1', 'A/Y/////k2', 'A/x/////k3', 'B/X/////k'],
      ['A | X | 2,3,4 | 3', 'B | X | 5 | 1'],
      ['3 B Y differs 2'],
    ],
    [
      'of two clients one after the other',
      ['A/X/////k1', 'A/X/////k2', 'A/Y/////k3'],
      ['A | X | 2,3 | 2', 'A | Y | 4 | 1'],
    ],
    [
      'of two clients, with others between',
      ['A/X/////k1', 'B/X/////k2', 'A/Y/////k3', 'B/X/////k4', 'A/X/////k5'],
      ['A | X | 2,6 | 2', 'B | X | 3,5 | 2', 'A | Y | 4 | 1'],
    ],
    [
      'with the client in the first alone',
      ['A/X/////k1', 'A//////k2', 'B//////k3'],
      ['A | X | 2,3 | 2', 'B |  | 4 | 1'],
    ],
    ['with the client in a later one', ['A//////k1', 'A/X/////k2'], ['A | X | 2,3 | 2']],
    [
      'without a name below',
      ['A/X/9////k1', '//////k2', '/X/9////k3', 'B//////k4'],
      ['A | X | 2,3,4 | 3', 'B |  | 5 | 1'],
    ],
    [
      'without a name after an empty row',
      ['A//////k1', '', '//////k2'],
      ['A |  | 2 | 1', ' |  | 4 | 1'],
      ['4 A  empty'],
    ],
    [
      'without a name and with another client',
      ['A/X/////k1', '/Y/////k2', '/Y/////k3'],
      ['A | X | 2 | 1', ' | Y | 3,4 | 2'],
      ['3 A  empty also 4'],
    ],
    [
      'without a name and a keyword',
      ['A//////k1', '/////// E'],
      ['A |  | 2 | 1', ' |  | 3 | 0'],
      ['3 A  empty'],
    ],
    [
      'above every name',
      ['//////k1', 'A//////k2'],
      [' |  | 2 | 1', 'A |  | 3 | 1'],
      ['2 A  empty'],
    ],
  ])('%s', (_, rows, articles, faults = []) => {
    const list = listOf(rows)
    expect(list.articles.map(articleOf)).toEqual(articles)
    expect(list.articles.flatMap((article) => article.faults.map(faultOf))).toEqual(faults)
  })

  test('where each row is an article, none is joined with another', () => {
    const rows = ['A/X/////k1, k2', 'A/X/////k3', '///////E']
    expect(listOf(rows, { shape: 'article' }).articles.map(articleOf)).toEqual([
      'A | X | 2 | 2',
      'A | X | 3 | 1',
      ' |  | 4 | 0',
    ])
  })
})

describe('faults', () => {
  test('all of them are named, with row, column, label and value', () => {
    const long = 'how to limewash '.repeat(14).trim()
    const rows = [
      'Limewash/Larkspur/about 900/31.02.2027///lime/E/4',
      'Limewash/Larkspur/about 900/01.03.2027/x//brick/E/4',
      `Limewash/Larkspur/1200/02.03.2027/y//${long}/source code/4`,
      'Limewash/Larkspur/2000001////sand/E/4',
      'Fine//900/01.03.2027///lime/E/4',
    ]
    const { articles, counts } = listOf(rows)
    expect(articles[0]?.faults.map(faultOf)).toEqual([
      '2 C about 900 not-a-number also 3',
      '2 D 31.02.2027 not-a-day',
      '4 D 02.03.2027 differs 3',
      '4 E y differs 3',
      `4 G ${long} too-long 223 200`,
      '5 C 2000001 too-large 1000000',
    ])
    expect(articles[0]?.article).toBeNull()
    expect(articles[1]?.faults).toEqual([])
    expect([counts.articles, counts.ready]).toEqual([2, 1])
    expect(articles[0]?.faults[0]).toMatchObject({ field: 'minimum', label: 'Minimum' })
  })

  test('of what is too long or too many', () => {
    const headings = Array.from({ length: 201 }, (_, at) => `Heading ${at}`).join('\n')
    const rows = [
      `${'n'.repeat(201)}/${'c'.repeat(202)}///${'b'.repeat(20_001)}/${headings}/k/E/${'1'.repeat(201)}`,
      `A/////${'h'.repeat(201)}/k/${'s'.repeat(11)}`,
    ]
    const faults = listOf(rows).articles.map((article) =>
      article.faults.map(({ column, reason }) => [column, ...Object.values(reason)].join(' ')),
    )
    expect(faults).toEqual([
      [
        'A too-long 201 200',
        'B too-long 202 200',
        'E too-long 20001 20000',
        'F too-many 201 200',
        'I too-long 201 200',
      ],
      ['F too-long 201 200', 'H too-long 11 10'],
    ])
  })

  test('of shifted cells, and of values that do not go with the keywords', () => {
    expect(listOf(['A//////jugs/ copper/I/80']).articles[0]?.faults.map(faultOf)).toEqual([
      '2 G jugs shifted',
    ])
    const rows = ['A//////a;b;c/E;I/4', 'B//////a;b/E;I/4;80', 'C//////a, b/E/4,5']
    const { articles } = listOf(rows, { shape: 'article' })
    expect(articles.flatMap(({ faults }) => faults.map(faultOf))).toEqual(['2 H E;I uneven 2 3'])
    expect(
      articles.map(({ article }) => article?.keywordList?.map((k) => `${k.source}${k.score}`)),
    ).toEqual([undefined, ['E4', 'I80'], ['E4', 'E5']])
  })

  test('columns are named as in spreadsheets', () => {
    expect([0, 25, 26, 51, 52, 99].map(columnName)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'CV'])
  })
})

describe('cells', () => {
  test('a sign of a formula is text, and the apostrophe before it is dropped', () => {
    const text = csvText(
      [
        ['Title', 'Words', 'Deadline', 'Notes', 'Keyword'],
        ['=SUM(A1)', "'900", "'03.12.2026", '@home', '-5'],
        ["'Tis the season", '', '', '+1', 'k'],
      ],
      ';',
    )
    const file = readCsv(text, isListHeader)
    if (!file.ok) throw new Error('not read')
    const { articles } = readArticleList(file, recogniseArticleList(file))
    expect(articles.map(({ article }) => article)).toMatchObject([
      { name: '=SUM(A1)', wordMinimum: 900, dueOn: '2026-12-03', brief: '@home' },
      { name: "'Tis the season", brief: '+1' },
    ])
  })

  test('an article without a keyword keeps its entities', () => {
    const { articles, counts } = listOf(['A//900////!!', 'B//900////'])
    expect(articles.map(({ article }) => article)).toEqual([
      { name: 'A', wordMinimum: 900 },
      { name: 'B', wordMinimum: 900 },
    ])
    expect(counts.withoutKeyword).toBe(2)
  })

  test('dates and decimals are read as they are chosen', () => {
    const rows = ['A///03-12-2026', 'B///04-12-2026', 'C///04.12.2026']
    const list = listOf(rows, { dayOrder: 'month first' })
    expect(list.articles.map(({ article }) => article?.dueOn)).toEqual([
      '2026-03-12',
      '2026-04-12',
      '2026-12-04',
    ])
    const scores = ['A//////k/E/1.234', 'A//////l/E/4,5']
    const read = (decimal?: '.' | ',') =>
      listOf(scores, { decimal }).articles[0]?.article?.keywordList?.map(({ score }) => score)
    expect([read(), read('.')]).toEqual([
      ['1234', '4.5'],
      ['1.234', '4.5'],
    ])
  })
})

describe('recognising', () => {
  test.each<[rows: string[], header: number | null, shape: string]>([
    [['Title;Keyword', 'A;k', 'A;l', 'B;m'], 0, 'entity'],
    [['Title;Keyword', 'A;k', ';l', 'B;m'], 0, 'entity'],
    [['Title;Keyword', 'A;k', 'B;l', 'C;m'], 0, 'article'],
    [['Title;Keyword', 'A;"k;l"', 'A;"m;n"'], 0, 'article'],
    [['Title;Client;Keywords', 'A;X;shade fern, moss, damp soil', 'A;Y;fern,moss'], 0, 'article'],
    [['Title;Client;Keywords', 'A;X;shade fern, moss', 'A;Y;fern'], 0, 'article'],
    [['Title;Client;Keyword', 'A;X;fern', 'A;;moss'], 0, 'entity'],
    [['Title;Client;Keyword', 'A;X;fern', 'B;X;peat', 'A;X;moss'], 0, 'entity'],
    [['Title;Keyword', 'A;1,5 l bottle', 'A;2,5 l bottle'], 0, 'entity'],
    [['Title;Words', 'A;5', 'A;6'], 0, 'article'],
    [['A plan;for December', '', 'Titel*;Kunde:;Keyword(s)', 'A;X;k', 'A;X;l'], 2, 'entity'],
    [['A;k', 'A;l'], null, 'article'],
  ])('%j', (rows, header, shape) => {
    const file = readCsv(rows.join('\n'), isListHeader)
    if (!file.ok) throw new Error('not read')
    const reading = recogniseArticleList(file)
    expect([reading.headerRow, reading.shape]).toEqual([header, shape])
  })

  test('of two labels of a field the more usual one is taken, and a column has one field', () => {
    expect(namedListColumns(['Name', 'Title', 'Type', 'Note', 'Date', 'Due date'])).toEqual({
      article: 1,
      source: 2,
      brief: 3,
      due: 5,
    })
    expect(
      findListHeader([
        ['Notes', 'x'],
        ['Title', 'Words', 'Deadline'],
        ['Title', 'Words'],
      ]),
    ).toBe(1)
  })
})

const filled = fc.constantFrom(
  'k',
  'green tea',
  'K',
  'x, y',
  '5',
  'E',
  'I',
  '',
  ' ',
  '!!',
  'Article',
)
const value = fc.constantFrom('', '900', '1.200', 'about', '03.12.2026', '31.02.2027', 'x')
const score = fc.constantFrom('', '4', '4,5', '80', '1.234', 'high', '2.5')
const rowOf: fc.Arbitrary<string[]> = fc.tuple(
  fc.constantFrom('A', 'a', 'B', 'C', '', ''),
  fc.constantFrom('', 'X', 'Y'),
  value,
  value,
  value,
  value,
  filled,
  fc.constantFrom('E', 'I', 'X', '', '4'),
  score,
)
const anyRow = fc.oneof<fc.MaybeWeightedArbitrary<string[]>[]>(
  { weight: 12, arbitrary: rowOf },
  fc.constant<string[]>([]),
  fc.constant<string[]>(LABELS),
  fc.constant<string[]>([...LABELS, 'more']),
)
const anyRows = fc.array(anyRow, { maxLength: 40 })

describe('any list', () => {
  test('every row is counted once, and what is ready is valid', () => {
    fc.assert(
      fc.property(
        anyRows,
        fc.constantFrom<'entity' | 'article'>('entity', 'article'),
        (rows, shape) => {
          const file = { separator: ';', rows: [LABELS, ...rows] }
          const { articles, counts } = readArticleList(file, { headerRow: 0, columns: ALL, shape })
          const listed = articles.flatMap((article) => article.rows)
          expect(new Set(listed).size).toBe(listed.length)
          expect(listed.length + counts.empty + counts.headers).toBe(rows.length)
          expect(counts.rows).toBe(rows.length)
          if (shape === 'entity') {
            const faulty = articles.flatMap(({ faults }) =>
              faults
                .filter(({ reason }) => reason.kind === 'shifted')
                .flatMap(({ row, also }) => [row, ...also]),
            )
            expect(counts.entities + counts.withoutKeyword + counts.overLimit + faulty.length).toBe(
              listed.length,
            )
          }
          for (const { article, faults } of articles) {
            expect(article === null).toBe(faults.length > 0)
            if (article !== null) expect(listedArticleBody.parse(article)).toEqual(article)
          }
        },
      ),
      { numRuns: randomRuns(2_500) },
    )
  })

  test('the entities of an article are those of an upload of its rows alone', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const file = { separator: ';', rows: [LABELS, ...rows] }
        const { articles, decimal } = readArticleList(file, {
          headerRow: 0,
          columns: ALL,
          shape: 'entity',
        })
        for (const { article, rows: own } of articles) {
          const alone = {
            separator: ';',
            rows: [LABELS, ...own.map((row) => file.rows[row - 1] ?? [])],
          }
          const columns = { keyword: 6, source: 7, score: 8 }
          const { keywords } = importKeywords(alone, { headerRow: 0, columns, decimal })
          if (article !== null) expect(article.keywordList ?? []).toEqual(keywords)
        }
      }),
      { numRuns: randomRuns(2_500) },
    )
  })
})
