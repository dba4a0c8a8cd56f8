import { normaliseKeyword } from '../keywords/keyword.ts'
import type { DecimalSign } from '../keywords/keyword-category.ts'
import {
  type CsvField,
  type CsvMapping,
  importKeywords,
  type KeywordImport,
  type SkipReason,
} from '../keywords/keyword-import.ts'
import { KEYWORD_MAX, SCORE_MAX, SOURCE_MAX } from '../limits.ts'
import type { Keyword } from '../wire/articles.ts'
import { cellOf, type FaultList, isFilled, type ListLine } from './article-list-cells.ts'
import type { ListColumns, ListField } from './article-list-fields.ts'

/** The entities of one article of a list: those of an upload of its rows alone. */
export type ListedKeywords = {
  keywords: Keyword[]
  /** Rows, or parts of a cell, in which no keyword is left. */
  withoutKeyword: number
  /** Left out because an article can have no more. */
  overLimit: number
  /** Scores that are no numbers and count as none. */
  unreadScores: number
}

export type KeywordSource = {
  header: readonly string[] | null
  columns: ListColumns
  separator: string
  decimal: DecimalSign
}

const NONE: ListedKeywords = { keywords: [], withoutKeyword: 0, overLimit: 0, unreadScores: 0 }

/** Each of the rows is one entity. */
export function keywordsOfRows(
  lines: readonly ListLine[],
  { header, columns, separator, decimal }: KeywordSource,
  faults: FaultList,
): ListedKeywords {
  if (columns.keyword === undefined) return NONE
  const rows = lines.map(({ cells }) => [...cells])
  const file = { separator, rows: header === null ? rows : [[...header], ...rows] }
  const above = header === null ? 0 : 1
  const reading = { headerRow: header === null ? null : 0, columns: mapping(columns), decimal }
  const read = importKeywords(file, reading)
  for (const { row, reason } of read.skipped) {
    const line = lines[row - above - 1]
    if (line === undefined) continue
    const cell = (field: CsvField['key']) => cellOf(line, columns, field)
    const cells = { keyword: cell('keyword'), source: cell('source'), score: cell('score') }
    addFault(faults, line, reason, cells)
  }
  return listed(read)
}

const mapping = ({ keyword, source, score }: ListColumns): CsvMapping => ({
  ...(keyword !== undefined && { keyword }),
  ...(source !== undefined && { source }),
  ...(score !== undefined && { score }),
})

/** The cell of keywords of the row has all entities of the article. */
export function keywordsOfCell(
  line: ListLine,
  { columns, decimal }: Omit<KeywordSource, 'header' | 'separator'>,
  faults: FaultList,
): ListedKeywords {
  const cell = cellOf(line, columns, 'keyword')
  if (!isFilled(cell)) return NONE
  const { parts, sign } = partsOf(cell)
  const [sources, scores] = (['source', 'score'] as const).map((field) =>
    valuesFor(parts.length, line, { columns, field, sign }, faults),
  )
  const rows = parts.map((part, at) => [part, sources?.[at] ?? '', scores?.[at] ?? ''])
  const reading = { headerRow: null, columns: { keyword: 0, source: 1, score: 2 }, decimal }
  const read = importKeywords({ separator: ',', rows }, reading)
  for (const { row, reason } of read.skipped) {
    const [keyword = '', source = '', score = ''] = rows[row - 1] ?? []
    addFault(faults, line, reason, { keyword, source, score })
  }
  return listed(read)
}

/** What is between the values of a cell, the first that it has. */
const SIGNS = [/[\n\r]+/, /;/, /,/] as const
const BULLET = /^\s*[-–•*·]\s+/u

/** The values of a cell, without empty ones, and the sign between them. */
export function partsOf(cell: string): { parts: string[]; sign: RegExp } {
  const sign = SIGNS.find((each) => each.test(cell.trim())) ?? SIGNS[0]
  const parts = cell
    .split(sign)
    .map((part) => part.replace(BULLET, ''))
    .filter(isFilled)
  return { parts, sign }
}

/** One value for each keyword; a single one is for all. */
function valuesFor(
  keywords: number,
  line: ListLine,
  { columns, field, sign }: { columns: ListColumns; field: ListField; sign: RegExp },
  faults: FaultList,
): string[] {
  const cell = cellOf(line, columns, field).trim()
  // A comma may be a decimal sign, so it divides only where it divides the keywords.
  const own = keywords === 1 ? undefined : SIGNS.slice(0, 2).find((each) => each.test(cell))
  const values = keywords === 1 ? [cell] : cell.split(own ?? sign).map((value) => value.trim())
  if (values.length === 1) return Array<string>(keywords).fill(values[0] ?? '')
  if (values.length !== keywords)
    faults.add(field, line, cell, { kind: 'uneven', count: values.length, keywords })
  return values
}

function listed({ keywords, skipped, unreadScores }: KeywordImport): ListedKeywords {
  const count = (reason: SkipReason) => skipped.filter((row) => row.reason === reason).length
  return {
    keywords,
    withoutKeyword: count('no-keyword') + count('headers'),
    overLimit: count('over-limit'),
    unreadScores: unreadScores.filter((score) => score !== '').length,
  }
}

type Cells = Record<CsvField['key'], string>

function addFault(faults: FaultList, line: ListLine, reason: SkipReason, cells: Cells): void {
  const tooLong = (field: CsvField['key'], length: number, limit: number) =>
    faults.add(field, line, cells[field], { kind: 'too-long', length, limit })
  const { keyword, source, score } = cells
  if (reason === 'shifted') faults.add('keyword', line, keyword, { kind: 'shifted' })
  if (reason === 'long-keyword') tooLong('keyword', normaliseKeyword(keyword).length, KEYWORD_MAX)
  if (reason === 'long-source') tooLong('source', source.trim().length, SOURCE_MAX)
  if (reason === 'long-score') tooLong('score', score.length, SCORE_MAX)
}
