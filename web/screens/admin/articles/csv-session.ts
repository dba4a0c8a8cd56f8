import {
  CSV_FIELDS,
  findHeaderRow,
  importKeywords,
  isHeaderRow,
  type KeywordImport,
  type ListReading,
} from '../../../../domain/keywords/keyword-import.ts'
import { CSV_ROWS_MAX } from '../../../../domain/limits.ts'
import { type CsvFile, type CsvRows, csvText } from '../../../../domain/lists/csv.ts'
import type { Decoding, Encoding } from '../csv/csv-file.ts'
import { csvFaultText, SKIPPED_AS } from '../csv/csv-messages.ts'
import { createCsvReader, type ReadingAnswer, type ReadRows } from '../csv/csv-reader.ts'
import { headOf } from '../csv/csv-table.ts'

/**
 * The worker side of an upload: one session per file, which keeps all rows. Requests and responses:
 *
 *   read, decode  -> progress*, then rows or refused
 *   import        -> imported or refused
 *
 * All responses but progress have the turn of their request.
 */
export type CsvQuestion = { turn: number } & (
  | { kind: 'read'; file: Blob }
  | { kind: 'decode'; encoding: Encoding }
  | ({ kind: 'import' } & ListReading)
)

/** `skippedFile`: the skipped rows as a list that can be corrected and uploaded. */
export type ImportedList = KeywordImport & { skippedFile: string }

export type CsvAnswer =
  | ReadingAnswer
  /** The first rows, and the index of the one that has the names of all fields. */
  | { kind: 'rows'; turn: number; decoding: Decoding; head: CsvRows; headerRow: number | null }
  | { kind: 'imported'; turn: number; list: ImportedList }

/** Returns the function that takes the page's questions. */
export function createCsvSession(
  answer: (message: CsvAnswer) => void,
): (question: CsvQuestion) => Promise<void> {
  const reader = createCsvReader(answer, isHeaderRow)
  let file: CsvFile = { separator: ',', rows: [] }

  function take(turn: number, read: ReadRows<Decoding> | null) {
    if (read === null) return
    file = read.file
    const { rows } = file
    const { decoding } = read
    answer({ kind: 'rows', turn, decoding, head: headOf(rows), headerRow: findHeaderRow(rows) })
  }

  function importList(turn: number, reading: ListReading) {
    const first = reading.headerRow === null ? 0 : reading.headerRow + 1
    const filled = file.rows.slice(first).filter(({ length }) => length > 0)
    if (filled.length > CSV_ROWS_MAX) {
      return answer({ kind: 'refused', turn, fault: csvFaultText({ kind: 'rows' }) })
    }
    const list = importKeywords(file, reading)
    answer({
      kind: 'imported',
      turn,
      list: { ...list, skippedFile: skippedFile(file, reading, list) },
    })
  }

  return (question) => {
    const { turn } = question
    return reader.answering(turn, async () => {
      if (question.kind === 'import') return importList(turn, question)
      if (question.kind === 'decode') return take(turn, reader.decode(turn, question.encoding))
      take(turn, await reader.readFile(turn, question.file))
    })
  }
}

/** The first columns are row number and reason, so that shifted cells do not move them. */
function skippedFile(
  { separator, rows }: CsvFile,
  { headerRow, columns }: ListReading,
  { skipped }: KeywordImport,
): string {
  if (skipped.length === 0) return ''
  const names = headerRow === null ? namesOf(columns) : (rows[headerRow] ?? [])
  const lines = skipped.map(({ row, reason }) => [
    String(row),
    SKIPPED_AS[reason],
    ...(rows[row - 1] ?? []),
  ])
  return csvText([['Row', 'Reason', ...names], ...lines], separator)
}

/** Labels for a file without headers. */
function namesOf(columns: ListReading['columns']): string[] {
  const names: string[] = []
  for (const { key, label } of CSV_FIELDS) names[columns[key] ?? 0] = label
  return Array.from(names, (name, index) => name ?? `Column ${index + 1}`)
}
