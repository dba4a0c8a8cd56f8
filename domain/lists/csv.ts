import Papa from 'papaparse'
import { CSV_COLUMNS_MAX, CSV_ROWS_MAX } from '../limits.ts'

/** Reads and writes CSV and its dialects: other separators, `sep=` lines, spaces around quotes, `="text"` cells. */

export type CsvRows = string[][]
export type CsvFile = { separator: string; rows: CsvRows }

/** `row` counts from 1, as a spreadsheet does. */
export type CsvFault = { kind: 'empty' | 'rows' } | { kind: 'quote' | 'columns'; row: number }

const PROGRESS_ROWS = 1_000
const NO_CELLS: string[] = []

/**
 * All rows of a file without empty ones at its end, for every kind of line ending. A misplaced quotation mark is an
 * error, because the rows up to the next mark would become one cell. `isHeader` is used to detect the separator.
 * `onProgress` is called with the fraction that is done, 0 to 1.
 */
export function readCsv(
  text: string,
  isHeader: (row: string[]) => boolean,
  onProgress: (part: number) => void = () => {},
): ({ ok: true } & CsvFile) | { ok: false; fault: CsvFault } {
  const lines = text.replace(/\r\n?/g, '\n')
  const { separator, start } = csvLayout(lines, isHeader)
  const rows: CsvRows = []
  let fault: CsvFault | null = null
  let filled = 0
  let last = 0
  eachRow(lines.slice(start), separator, ({ cells, isClosed }, part) => {
    rows.push(cells.length > 0 ? cells : NO_CELLS)
    const row = rows.length
    if (cells.length > 0) {
      filled += 1
      last = row
    }
    if (!isClosed) fault = { kind: 'quote', row }
    else if (cells.length > CSV_COLUMNS_MAX) fault = { kind: 'columns', row }
    // One row more than the limit, for the headers.
    else if (filled > CSV_ROWS_MAX + 1) fault = { kind: 'rows' }
    else if (row % PROGRESS_ROWS === 0) onProgress(part)
    return fault === null
  })
  if (fault) return { ok: false, fault }
  if (last === 0) return { ok: false, fault: { kind: 'empty' } }
  const read = { separator, rows: rows.slice(0, last) }
  return { ok: true, ...(quotedLines(read.rows, isHeader) ?? read) }
}

/**
 * Programs that show a list in one column save each line as one quoted cell. Null when the cells are not the lines of a
 * list with headers.
 */
function quotedLines(rows: CsvRows, isHeader: (row: string[]) => boolean): CsvFile | null {
  if (rows.some(({ length }) => length > 1)) return null
  const lines = rows.map(([cell = '']) => cell.replaceAll('\n', ' ')).join('\n')
  const { separator } = csvLayout(lines, isHeader)
  const inner: CsvRow[] = []
  eachRow(lines, separator, (row) => inner.push(row) <= rows.length)
  const isList = inner.length === rows.length && inner.every(isWhole)
  if (!isList || !inner.slice(0, SAMPLE_ROWS).some(({ cells }) => isHeader(cells))) return null
  return { separator, rows: inner.map(({ cells }) => cells) }
}

type CsvRow = {
  cells: string[]
  /** False where a cell begins with a quotation mark and does not end with one. */
  isClosed: boolean
}

const isWhole = ({ cells, isClosed }: CsvRow) => isClosed && cells.length <= CSV_COLUMNS_MAX

/**
 * Calls `visit` for each row, including empty ones, with the fraction of the text that is done, until it returns false. Line
 * ends are `\n`. Marks are removed from cells, and empty cells from the end of rows.
 */
function eachRow(
  text: string,
  separator: string,
  visit: (row: CsvRow, part: number) => boolean,
): void {
  const plain = inPlainMarks(text, separator)
  Papa.parse<string[]>(plain, {
    delimiter: separator,
    newline: '\n',
    step({ data, errors, meta }, parser) {
      const cells = data.map((cell) => unmarked(cell))
      while (cells.length > 0 && isBlank(cells.at(-1) ?? '')) cells.pop()
      const isClosed = errors.every(({ type }) => type !== 'Quotes')
      if (!visit({ cells, isClosed }, meta.cursor / plain.length)) parser.abort()
    },
  })
}

const BLANKS = ' \t\u00a0\u200b\ufeff'

/**
 * Rewrites quoted cells to the form of RFC 4180: removes blanks around their quotation marks, replaces a text formula (`="E"`)
 * by its text, and quotes a cell like `"Best" knives`, which Google Sheets copies unquoted between tabs.
 */
function inPlainMarks(text: string, separator: string): string {
  const end = `[\\n${separator.replace(/[\\\]^-]/, '\\$&')}]`
  const blanks = `[${BLANKS.replace(separator, '')}]*`
  const quoted = `${blanks}=?("[^"]*(?:""[^"]*)*")(?!")${blanks}`
  const copied = separator === '\t' ? '("[^\\n\\t]*)' : '(?!)()'
  const cells = new RegExp(`(^|${end})(?:${quoted}|${copied})(?=${end}|$)`, 'g')
  return text.replace(cells, (all, before: string, inMarks?: string, withMarks?: string) => {
    if (inMarks !== undefined) return before + inMarks
    const isPaired = withMarks !== undefined && withMarks.split('"').length % 2 === 1
    return isPaired ? `${before}"${withMarks.replaceAll('"', '""')}"` : all
  })
}

const MARKS = ['“”', '„“', '„”', '«»', '‘’', "''"]
const FORMULA = /^\s*="((?:[^"]|"")*)"\s*$/
/** What `csvText` puts before a sign that begins a formula. */
const GUARD = /^'(?=[=+\-@\t])/

const QUOTED = /^("+)([^"]+)\1$/
const NESTED_MAX = 8

/** Removes quotation marks, also nested ones, and formulas that some programs leave around a value. */
function unmarked(value: string, nested = NESTED_MAX): string {
  const first = value.trimStart()[0] ?? ''
  if (!'="“„«‘\''.includes(first) || first === '') return value
  const text = value.trim()
  const quoted = QUOTED.exec(text)?.[2]
  if (quoted !== undefined) return unmarked(quoted, 0)
  const isPaired = text.length > 2 && MARKS.includes(first + text.slice(-1))
  if (isPaired && nested > 0) return unmarked(text.slice(1, -1), nested - 1)
  return (FORMULA.exec(value)?.[1]?.replaceAll('""', '"') ?? value).replace(GUARD, '')
}

const isBlank = (cell: string): boolean =>
  cell === '' || !/[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u.test(cell)

const SEPARATORS = ['\t', ';', '|', ','] as const
const SAMPLE_ROWS = 60
/** In characters; usually more than the sampled rows need. */
const SAMPLE_LENGTH = 50_000

/**
 * The separator of a file, and the offset of its rows. A first line `sep=;` sets it. Otherwise it is the one by which a
 * row `isHeader`, or by which most of the first rows have three cells, or at least two.
 */
function csvLayout(
  text: string,
  isHeader: (row: string[]) => boolean,
): { separator: string; start: number } {
  const said = /^"?sep=([^\w"\n])\1*"?[ \t]*(?:\n|$)/i.exec(text)
  if (said?.[1] !== undefined) return { separator: said[1], start: said[0].length }
  let best = { separator: ',', rank: [0, 0, 0, 0] }
  for (const separator of SEPARATORS) {
    const rank = rankOf(sampleOf(text, separator), isHeader)
    if (isHigher(rank, best.rank)) best = { separator, rank }
  }
  return { separator: best.separator, start: 0 }
}

/** The first rows that are not empty. Only the beginning of a long text is read where it has enough of them. */
function sampleOf(text: string, separator: string): CsvRow[] {
  const beginning = text.slice(0, SAMPLE_LENGTH)
  // The last of these rows may be cut.
  const rows = firstRows(beginning, separator, SAMPLE_ROWS + 1)
  return rows.length > SAMPLE_ROWS
    ? rows.slice(0, SAMPLE_ROWS)
    : firstRows(text, separator, SAMPLE_ROWS)
}

function firstRows(text: string, separator: string, most: number): CsvRow[] {
  const rows: CsvRow[] = []
  eachRow(text, separator, (row) => {
    if (row.cells.length > 0) rows.push(row)
    return rows.length < most
  })
  return rows
}

/** Criteria in order of precedence, for isHigher. */
function rankOf(sample: readonly CsvRow[], isHeader: (row: string[]) => boolean): number[] {
  const widths = sample.map(({ cells }) => cells.length)
  const alike = (width: number) => widths.filter((other) => other === width).length
  return [
    sample.some(({ cells }) => isHeader(cells)) ? 1 : 0,
    widths.some((width) => width > 1) && sample.every(({ isClosed }) => isClosed) ? 1 : 0,
    widths.filter((width) => width > 2).length,
    Math.max(0, ...widths.filter((width) => width > 1).map(alike)),
  ]
}

function isHigher(rank: readonly number[], than: readonly number[]): boolean {
  const place = rank.findIndex((value, index) => value !== than[index])
  return place >= 0 && (rank[place] ?? 0) > (than[place] ?? 0)
}

/** Writes rows as CSV. Cells that begin like a formula are prefixed with an apostrophe. */
export function csvText(rows: CsvRows, separator: string): string {
  const cellText = (value: string) => {
    const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
    const isPlain = !/["\n\r]|^\s|\s$/.test(safe) && !safe.includes(separator)
    return isPlain ? safe : `"${safe.replaceAll('"', '""')}"`
  }
  return rows.map((row) => `${row.map(cellText).join(separator)}\r\n`).join('')
}

/** Rows as a file that spreadsheets open: they need the byte order mark to detect UTF-8. */
export const csvFileText = (rows: CsvRows): string => `\ufeff${csvText(rows, ',')}`
