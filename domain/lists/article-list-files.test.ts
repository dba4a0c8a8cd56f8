import { readFileSync } from 'node:fs'
import { TextDecoder } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type ReadArticle, readArticleList, recogniseArticleList } from './article-list.ts'
import { isListHeader, LIST_FIELDS, type ListColumns } from './article-list-fields.ts'
import { readCsv } from './csv.ts'

/** Exports of keyword tools and spreadsheets, and sheets of agencies, as files. */

const textOf = (name: string, encoding: string) =>
  new TextDecoder(encoding).decode(readFileSync(new URL(`files/${name}`, import.meta.url)))

function readList(text: string) {
  const file = readCsv(text, isListHeader)
  if (!file.ok) throw new Error(JSON.stringify(file.fault))
  const reading = recogniseArticleList(file)
  return { file, reading, list: readArticleList(file, reading) }
}

/** name | client | minimum | due | brief | headings | keyword score category, … */
function lineOf({ article, faults, name }: ReadArticle): string {
  if (article === null) return `${name} ! ${faults.length}`
  const keywords = article.keywordList?.map(
    ({ keyword, score, category }) => `${keyword} ${score} ${category.split(' ')[0]}`,
  )
  return [
    article.name,
    article.client ?? '',
    article.wordMinimum ?? '',
    article.dueOn ?? '',
    article.brief ?? '',
    article.outline?.map(({ level, text }) => `${level} ${text}`).join(', ') ?? '',
    keywords?.join(', ') ?? '',
  ].join(' | ')
}

const columnsOf = (columns: ListColumns): string =>
  LIST_FIELDS.flatMap(({ key }) =>
    columns[key] === undefined ? [] : [`${key} ${columns[key]}`],
  ).join(', ')

const FILES: [
  name: string,
  encoding: string,
  columns: string,
  about: string,
  articles: string[],
][] = [
  [
    'ahrefs.csv',
    'utf-16le',
    'article 6, keyword 1',
    'row 1, entity',
    [
      'scythe sharpening |  |  |  |  |  | sharpening a scythe  Use, peening jig  Use',
      'oiling a worktop |  |  |  |  |  | oak worktop oil  Use, danish oil or hard wax  Use',
    ],
  ],
  [
    'semrush.csv',
    'utf-8',
    'article 2, keyword 0',
    'row 1, entity',
    [
      'Frost Pockets and Walls |  |  |  |  |  | frost pocket  Use, walls warm  Use',
      'When the Last Frost Comes |  |  |  |  |  | late frost dates  Use',
    ],
  ],
  ['search-console.csv', 'utf-8', 'keyword 0', 'row 1, entity', [' ! 1']],
  [
    'keyword-planner.csv',
    'utf-16le',
    'article 0, keyword 1',
    'row 3, entity',
    [
      'Limewash |  |  |  |  |  | limewash brick  Use, how to limewash  Use',
      'Barrel ponds |  |  |  |  |  | barrel pond  Use',
    ],
  ],
  [
    'excel-english.csv',
    'utf-8',
    'article 0, client 1, minimum 2, due 3, brief 4, keyword 5, source 6, score 7',
    'row 1, entity, month first /',
    [
      'Sharpening a Scythe in Ten Minutes | Larkspur Gardens | 900 | 2026-12-03 | For beginners, with one photo |  | scythe 4.5 Must, whetstone 80 Must',
      'Which Oak for a Worktop | Harbour and Hearth | 1200 | 2026-12-14 | Two finishes\nand what each costs |  | oak worktop 3.5 Need, hard wax oil  Use',
    ],
  ],
  [
    'excel-german.csv',
    'windows-1252',
    'article 0, client 1, minimum 2, due 3, brief 4, keyword 5, source 6, score 7',
    'row 1, entity, day first .',
    [
      'Äpfel für kleine Gärten | Gärtnerei Süd | 900 | 2026-12-03 | Für Anfänger |  | apfelbaum 4.5 Must, spalierobst 79.5 Need, wühlmaus  Use',
      'Mörtel mischen | Haus & Höfe | 1200 | 2026-12-31 | Erst «Kalk», dann Sand |  | kalkmörtel 2.0 Need',
    ],
  ],
  [
    'excel-french.csv',
    'windows-1252',
    'article 0, client 1, minimum 2, due 3, brief 4, keyword 5, source 6, score 7',
    'row 1, entity, day first / ?',
    [
      'Tailler les rosiers | Jardins du Lac | 900 | 2026-12-03 | Pour débuter |  | taille des rosiers 4.5 Must, rosier grimpant 1234.5 Must',
      "La chaux à l'ancienne | Maison & Château | 1200 | 2026-12-04 |  |  | badigeon 2 Need",
    ],
  ],
  [
    'excel-spanish.csv',
    'utf-8',
    'article 0, client 1, minimum 2, due 3, brief 4, keyword 5, source 6, score 7',
    'row 1, entity, day first /',
    [
      'Poda de rosales | Jardines del Río | 900 | 2026-12-03 | Para principiantes |  | poda 4.5 Must, rosal trepador 80 Must',
      'Cal en ladrillo | Casa Niño | 1200 | 2026-12-14 |  |  | cal apagada 3.9 Need',
    ],
  ],
  [
    'agency-entities.csv',
    'utf-8',
    'article 0, client 1, minimum 2, due 3, brief 4, keyword 5, source 6, score 7',
    'row 3, entity',
    [
      'Limewash on Old Brick | Larkspur Gardens | 900 | 2026-12-03 | No cement. |  | limewash 4 Must, brick 2 Need, slaked lime 55 Need',
      'A Barrel Pond |  | 700 | 2026-12-04 |  |  | barrel pond 4 Must, oxygenator 85 Must',
      'What to Plant under a Birch | Fathom Coffee |  |  |  |  | ',
    ],
  ],
  [
    'agency-articles.csv',
    'utf-8',
    'article 0, client 1, minimum 2, due 3, brief 6, outline 4, keyword 5',
    'row 1, article',
    [
      'A Quiet Guide to Garden Path Lighting | Larkspur Gardens | 900 | 2026-12-03 | Write for a cold evening.\nNo shop names. | 2 Before you begin, 3 What you need, 3 What it costs, 2 Three lamps, 3 Bollards, 2 Afterwards | path light  Use, glare  Use, lumen  Use',
      'Twelve Ferns | Larkspur Gardens | 700 | 2026-12-04 | =1+1 |  | fern  Use',
      'Oiling a Worktop | Harbour & Hearth | 1200 |  | -5 is a note |  | hard wax oil  Use, danish oil  Use, beeswax  Use',
    ],
  ],
]

describe('files', () => {
  test.each(FILES)('%s', (name, encoding, columns, about, articles) => {
    const { reading, list } = readList(textOf(name, encoding))
    const { order, signs, isSure } = list.days ?? { order: '', signs: [], isSure: true }
    const days = order && `, ${order} ${signs.join('')}${isSure ? '' : ' ?'}`
    expect(columnsOf(reading.columns)).toBe(columns)
    expect(`row ${(reading.headerRow ?? -1) + 1}, ${reading.shape}${days}`).toBe(about)
    expect(list.articles.map(lineOf)).toEqual(articles)
  })

  test('what is left out is counted', () => {
    expect(readList(textOf('agency-entities.csv', 'utf-8')).list.counts).toEqual({
      rows: 9,
      empty: 1,
      headers: 1,
      articles: 3,
      ready: 3,
      entities: 5,
      withoutKeyword: 2,
      overLimit: 0,
    })
  })
})

/** Cells as they are copied: tabs between them, marks only around those with line breaks or, in Excel, with marks. */
const CLIPBOARDS: [program: string, text: string][] = [
  [
    'Excel',
    'Title\tWords\tDeadline\tNotes\tKeywords\r\nTwelve Ferns\t900\t03/12/2026\t"Two lines,\none ""quoted"""\t"fern\nfrond"\r\n"""Best"" Knives"\t1,200\t14/12/2026\t5" blade\tknife; steel\r\n',
  ],
  [
    'Google Sheets',
    'Title\tWords\tDeadline\tNotes\tKeywords\nTwelve Ferns\t900\t03/12/2026\t"Two lines,\none ""quoted"""\t"fern\nfrond"\n"Best" Knives\t1,200\t14/12/2026\t5" blade\tknife; steel',
  ],
  [
    'LibreOffice',
    'Title\tWords\tDeadline\tNotes\tKeywords\nTwelve Ferns\t900\t03/12/2026\t"Two lines,\none ""quoted"""\t"fern\nfrond"\n"""Best"" Knives"\t1,200\t14/12/2026\t"5"" blade"\tknife; steel\n',
  ],
]

test.each(CLIPBOARDS)('cells copied from %s', (_, text) => {
  const { file, reading, list } = readList(text)
  expect([file.separator, reading.shape]).toEqual(['\t', 'article'])
  expect(list.articles.map(lineOf)).toEqual([
    'Twelve Ferns |  | 900 | 2026-12-03 | Two lines,\none "quoted" |  | fern  Use, frond  Use',
    '"Best" Knives |  | 1200 | 2026-12-14 | 5" blade |  | knife  Use, steel  Use',
  ])
})
