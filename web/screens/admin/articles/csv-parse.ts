import Papa from 'papaparse'
import { figure } from '../../../ui/figure.ts'
import type { CsvRows } from './csv-table.ts'

/** The rows of an uploaded text. Only for the worker: the page has no parser. */

export const CSV_ROWS_MAX = 20_000
export const CSV_COLUMNS_MAX = 100

type CsvParsing = { ok: true; rows: CsvRows } | { ok: false; fault: string }

/**
 * All lines that are not empty, the first one included. The separator is found out; a lone carriage
 * return ends a line too. A list with a misplaced quotation mark is refused: the rows up to the next
 * mark would otherwise become one cell and vanish. `onProgress` hears the part that is done, 0 to 1.
 */
export function parseCsv(text: string, onProgress: (part: number) => void = () => {}): CsvParsing {
  const lines = text.replace(/\r\n?/g, '\n')
  const rows: CsvRows = []
  let fault: string | null = null
  Papa.parse<string[]>(lines, {
    newline: '\n',
    skipEmptyLines: 'greedy',
    step({ data, errors, meta }, parser) {
      rows.push(data)
      fault = rowFault(rows, errors)
      if (fault !== null) parser.abort()
      else if (rows.length % PROGRESS_ROWS === 0) onProgress(meta.cursor / lines.length)
    },
  })
  if (fault !== null) return { ok: false, fault }
  return rows.length === 0 ? { ok: false, fault: 'The file is empty' } : { ok: true, rows }
}

const PROGRESS_ROWS = 1_000

/** One row more than the most is allowed: it may turn out to be the headers. */
function rowFault(rows: CsvRows, errors: readonly Papa.ParseError[]): string | null {
  if (errors.some(({ type }) => type === 'Quotes')) {
    return `Row ${figure(rows.length)} has a quotation mark that is not closed`
  }
  if (rows.length > CSV_ROWS_MAX + 1) return TOO_MANY_ROWS
  const columns = rows.at(-1)?.length ?? 0
  return columns > CSV_COLUMNS_MAX
    ? `Row ${figure(rows.length)} has more than ${CSV_COLUMNS_MAX} columns`
    : null
}

export const TOO_MANY_ROWS = `The file has more than ${figure(CSV_ROWS_MAX)} rows`
