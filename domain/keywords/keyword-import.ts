import { KEYWORD_MAX, KEYWORDS_MAX, SCORE_MAX, SOURCE_MAX } from '../limits.ts'
import type { CsvFile, CsvRows } from '../lists/csv.ts'
import { INVISIBLE } from '../text/characters.ts'
import { fold } from '../text/folding.ts'
import type { Keyword } from '../wire/articles.ts'
import { KEYWORD_CATEGORIES, normaliseKeyword } from './keyword.ts'
import {
  categoriseKeywords,
  type DecimalSign,
  type KeywordRow,
  numericScore,
  plainScore,
} from './keyword-category.ts'

/** Converts the rows of an uploaded file to the entities of an article. */

export type CsvField = { key: keyof KeywordRow; label: string; required: boolean }

/** In the order in which they are shown (CSV-21). */
export const CSV_FIELDS: readonly CsvField[] = [
  { key: 'keyword', label: 'Keyword', required: true },
  { key: 'source', label: 'Source', required: true },
  { key: 'score', label: 'Score', required: true },
]

/** Index of the column of each field; a field without one has none. */
export type CsvMapping = Partial<Record<CsvField['key'], number>>

/** The columns whose text is the label of a field, ignoring case and surrounding spaces (CSV-14, CSV-15). */
export function namedColumns(names: readonly string[]): CsvMapping {
  const columns: CsvMapping = {}
  for (const { key, label } of CSV_FIELDS) {
    const column = names.findIndex((name) => fold(name.trim()) === fold(label))
    if (column >= 0) columns[key] = column
  }
  return columns
}

export const isHeaderRow = (row: readonly string[]): boolean =>
  Object.keys(namedColumns(row)).length === CSV_FIELDS.length

/** Number of rows at the top of a file that are searched for the header row. */
export const HEADER_ROWS_MAX = 30

/** Index of the first row that names all fields; null when there is none. */
export function findHeaderRow(rows: CsvRows): number | null {
  const found = rows.slice(0, HEADER_ROWS_MAX).findIndex(isHeaderRow)
  return found < 0 ? null : found
}

/**
 * How a file is read: `headerRow` is an index, null when it has no headers. Rows above the headers are ignored.
 * `decimal` is given where the rows are a part of a list; otherwise the scores decide it.
 */
export type ListReading = {
  headerRow: number | null
  columns: CsvMapping
  decimal?: DecimalSign | undefined
}

/** Reasons why a row of an uploaded list is skipped, in the order of the notice. */
export const SKIP_REASONS = [
  'no-keyword',
  'shifted',
  'headers',
  'long-keyword',
  'long-source',
  'long-score',
  'over-limit',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

/** `row` counts from 1, as a spreadsheet does. */
export type SkippedRow = { row: number; reason: SkipReason }

/** Every row of the list is either one of `keywords`, or one of `skipped`, or counted in `empty`. */
export type KeywordImport = {
  keywords: Keyword[]
  skipped: SkippedRow[]
  /** Number of empty rows. */
  empty: number
  /** Scores of `keywords` that are not numbers and are treated as missing (Q79). */
  unreadScores: string[]
}

type Line = { row: number; cells: readonly string[] }
type Entry = { row: number; keyword: Keyword }

/**
 * The entities of a list as sent to the server. Copies are counted over the whole list (KW-18), including those that
 * are then skipped for their length. Above KEYWORDS_MAX, repeats of a keyword are skipped first, which the scorecard
 * shows only once, and then the lower categories. The order of the others is kept.
 */
export function importKeywords(
  file: CsvFile,
  { headerRow, columns, decimal: given }: ListReading,
): KeywordImport {
  const header = headerRow === null ? null : (file.rows[headerRow] ?? [])
  const first = headerRow === null ? 0 : headerRow + 1
  const lines = file.rows.slice(first).map((cells, at) => ({ row: first + at + 1, cells }))
  const filled = lines.filter(({ cells }) => cells.length > 0)
  const textOf = (line: Line, key: CsvField['key']) => line.cells[columns[key] ?? -1] ?? ''
  const decimal =
    given ??
    decimalSign(
      file.separator,
      filled.map((line) => textOf(line, 'score')),
    )
  const skipped: SkippedRow[] = []
  const skip = ({ row }: { row: number }, reason: SkipReason | null) => {
    if (reason !== null) skipped.push({ row, reason })
    return reason !== null
  }

  const { separator } = file
  const fault = placeFault({ header, columns, separator, decimal, lines: filled })
  const named = filled
    .filter((line) => !skip(line, fault(line)))
    .map((line) => ({
      row: line.row,
      keyword: normaliseKeyword(textOf(line, 'keyword')),
      source: onOneLine(textOf(line, 'source')).replace(TEXT_SIGN, ''),
      score: plainScore(onOneLine(textOf(line, 'score')).replace(TEXT_SIGN, ''), decimal),
    }))
    .filter((line) => !skip(line, line.keyword === '' ? 'no-keyword' : null))
  const entries = categoriseKeywords(named.map(({ row: _, ...entry }) => entry)).map(
    (keyword, at) => ({ row: named[at]?.row ?? 0, keyword }),
  )
  const storable = entries.filter((entry) => !skip(entry, lengthFault(entry.keyword)))
  const kept = mostUseful(storable, KEYWORDS_MAX)
  const keywords = storable.filter((entry) => !skip(entry, kept.has(entry) ? null : 'over-limit'))
  return {
    keywords: keywords.map(({ keyword }) => keyword),
    skipped: skipped.sort((a, b) => a.row - b.row),
    empty: lines.length - filled.length,
    unreadScores: keywords
      .map(({ keyword: { score } }) => score)
      .filter((score) => numericScore(score) === null)
      .map(String),
  }
}

/**
 * The decimal sign of a file: a comma with semicolons or tabs as separator (Q79), otherwise a dot. The other sign is
 * used when some scores are valid only with it and none only with this one.
 */
export function decimalSign(separator: string, cells: readonly string[]): DecimalSign {
  const [own, other]: DecimalSign[] = ';\t'.includes(separator) ? [',', '.'] : ['.', ',']
  if (own === undefined || other === undefined) return '.'
  const scores = cells.map((cell) => cell.replace(TEXT_SIGN, ''))
  const readsAlone = (sign: DecimalSign, than: DecimalSign) =>
    scores.some((score) => numericScore(score, sign) !== null && numericScore(score, than) === null)
  return readsAlone(other, own) && !readsAlone(own, other) ? other : own
}

type Placing = {
  header: readonly string[] | null
  columns: CsvMapping
  separator: string
  decimal: DecimalSign
  lines: readonly Line[]
}

/** Returns a check for rows with shifted cells, and for rows that repeat the headers. */
function placeFault({ header, columns, separator, decimal, lines }: Placing) {
  const cell = ({ cells }: Line, column: number | undefined) =>
    (cells[column ?? -1] ?? '').trim().replace(TEXT_SIGN, '')
  const afterScore = (line: Line) =>
    columns.score === undefined ? '' : cell(line, columns.score + 1)
  const isNumber = (text: string) => numericScore(plainScore(text, decimal)) !== null
  const isInPlace = (line: Line) =>
    cell(line, columns.source).length <= 1 && isNumber(cell(line, columns.score))
  const width = header?.length ?? Number.POSITIVE_INFINITY
  const beyond = lines.filter(({ cells }) => cells.length > width)
  /** `4,5` and `1,234` without quotation marks are two cells of a list with commas. */
  const isSplitNumber = (line: Line) => /^\d{1,3}\s*%?$/.test(afterScore(line))
  const isUnnamedColumn =
    beyond.filter(isInPlace).length * 2 > lines.length &&
    !(separator === ',' && beyond.every(isSplitNumber))

  /** Whether a cell before the score is missing or too many, judged by the values. */
  function looksShifted(line: Line): boolean {
    const source = cell(line, columns.source)
    const score = cell(line, columns.score)
    if (score === '') return isNumber(source)
    return source.length > 1 && /^\p{L}$/u.test(score) && isNumber(afterScore(line))
  }

  const isHeaders = ({ cells }: Line) =>
    header !== null &&
    header.length > 0 &&
    cells.length === header.length &&
    header.every((name, at) => fold(name.trim()) === fold((cells[at] ?? '').trim()))

  return (line: Line): SkipReason | null => {
    if (isHeaders(line)) return 'headers'
    const isBeyond = line.cells.length > width && !isUnnamedColumn
    return isBeyond || looksShifted(line) ? 'shifted' : null
  }
}

/** The apostrophe by which spreadsheets mark a cell as text. */
export const TEXT_SIGN = /^\s*'/

const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029]+/gu

/** Replaces line breaks and control characters, which the server refuses. Keywords are normalised separately. */
const onOneLine = (text: string): string => text.replace(INVISIBLE, '').replace(UNPRINTABLE, ' ')

function lengthFault({ keyword, source, score }: Keyword): SkipReason | null {
  if (keyword.length > KEYWORD_MAX) return 'long-keyword'
  if (source.length > SOURCE_MAX) return 'long-source'
  return String(score).length > SCORE_MAX ? 'long-score' : null
}

function mostUseful(list: readonly Entry[], most: number): Set<Entry> {
  if (list.length <= most) return new Set(list)
  const seen = new Set<string>()
  const ranks = new Map<Entry, number>()
  for (const entry of list) {
    const letters = fold(entry.keyword.keyword)
    const repeats = seen.has(letters) ? KEYWORD_CATEGORIES.length : 0
    const category = KEYWORD_CATEGORIES.findIndex((known) => known === entry.keyword.category)
    ranks.set(entry, repeats + category)
    seen.add(letters)
  }
  const rankOf = (entry: Entry) => ranks.get(entry) ?? 0
  return new Set(list.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, most))
}
