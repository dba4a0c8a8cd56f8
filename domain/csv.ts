import { CSV_COLUMNS_MAX, CSV_ROWS_MAX } from './limits.ts'

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
  let filled = 0
  let last = 0
  for (const { cells, closed, end } of csvRows(lines, separator, start)) {
    rows.push(cells.length > 0 ? cells : NO_CELLS)
    const row = rows.length
    if (cells.length > 0) {
      filled += 1
      last = row
    }
    if (!closed) return { ok: false, fault: { kind: 'quote', row } }
    if (cells.length > CSV_COLUMNS_MAX) return { ok: false, fault: { kind: 'columns', row } }
    // One row more than the limit, for the headers.
    if (filled > CSV_ROWS_MAX + 1) return { ok: false, fault: { kind: 'rows' } }
    if (row % PROGRESS_ROWS === 0) onProgress(end / lines.length)
  }
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
  const inner = [...csvRows(lines, separator)]
  const isList = inner.length === rows.length && inner.every(isWhole)
  if (!isList || !inner.slice(0, SAMPLE_ROWS).some(({ cells }) => isHeader(cells))) return null
  return { separator, rows: inner.map(({ cells }) => cells) }
}

type CsvRow = {
  cells: string[]
  /** False where a cell begins with a quotation mark and does not end with one. */
  closed: boolean
  /** Offset of the end of the row in the text. */
  end: number
}

const isWhole = ({ cells, closed }: CsvRow) => closed && cells.length <= CSV_COLUMNS_MAX

/**
 * The rows from `start` on, including empty ones. Line ends are `\n`. A quoted cell may have spaces around its marks,
 * or be a text formula (`="E"`). Marks are removed from cells, and empty cells from the end of rows.
 */
function* csvRows(text: string, separator: string, start = 0): Generator<CsvRow> {
  let at = start
  while (at < text.length) {
    const cells: string[] = []
    let closed = true
    let isLast = false
    while (!isLast) {
      const cell = cellAt(text, at, separator)
      cells.push(unmarked(cell.value))
      closed &&= cell.closed
      isLast = text[cell.end] !== separator
      at = cell.end + 1
    }
    while (cells.length > 0 && isBlank(cells.at(-1) ?? '')) cells.pop()
    yield { cells, closed, end: Math.min(at, text.length) }
  }
}

type Cell = { value: string; end: number; closed: boolean }

function cellAt(text: string, at: number, separator: string): Cell {
  const start = afterBlanks(text, at, separator)
  const isFormula = text[start] === '=' && text[start + 1] === '"'
  const open = isFormula ? start + 1 : start
  const quoted = text[open] === '"' ? quotedAt(text, open, separator) : null
  if (quoted !== null) return quoted
  let end = at
  while (end < text.length && text[end] !== separator && text[end] !== '\n') end += 1
  const value = text.slice(at, end)
  return { value, end, closed: value[0] !== '"' || isCopied(value, separator) }
}

/** Google Sheets copies cells with tabs between them, and a cell like `"Best" knives` without marks around it. */
const isCopied = (value: string, separator: string): boolean =>
  separator === '\t' && value.split('"').length % 2 === 1

/** Null when the closing quotation mark is missing or followed by anything other than spaces. */
function quotedAt(text: string, open: number, separator: string): Cell | null {
  let close = text.indexOf('"', open + 1)
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
  if (close < 0) return null
  const end = afterBlanks(text, close + 1, separator)
  const isEnd = end >= text.length || text[end] === separator || text[end] === '\n'
  const value = text.slice(open + 1, close).replaceAll('""', '"')
  return isEnd ? { value, end, closed: true } : null
}

function afterBlanks(text: string, from: number, separator: string): number {
  let at = from
  const blanks = ' \t\u00a0\u200b\ufeff'
  while (at < text.length && text[at] !== separator && blanks.includes(text[at] ?? '')) at += 1
  return at
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

function sampleOf(text: string, separator: string): CsvRow[] {
  const sample: CsvRow[] = []
  for (const row of csvRows(text, separator)) {
    if (row.cells.length > 0) sample.push(row)
    if (sample.length === SAMPLE_ROWS) break
  }
  return sample
}

/** Criteria in order of precedence, for isHigher. */
function rankOf(sample: readonly CsvRow[], isHeader: (row: string[]) => boolean): number[] {
  const widths = sample.map(({ cells }) => cells.length)
  const alike = (width: number) => widths.filter((other) => other === width).length
  return [
    sample.some(({ cells }) => isHeader(cells)) ? 1 : 0,
    widths.some((width) => width > 1) && sample.every(({ closed }) => closed) ? 1 : 0,
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
