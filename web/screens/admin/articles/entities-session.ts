import {
  CSV_FIELDS,
  findHeaderRow,
  importKeywords,
  isHeaderRow,
  type KeywordImport,
  type ListReading,
} from '../../../../domain/keywords/keyword-import.ts'
import { CSV_ROWS_MAX } from '../../../../domain/limits.ts'
import { type CsvFile, csvText } from '../../../../domain/lists/csv.ts'
import { csvFaultText, SKIPPED_AS } from '../csv/csv-messages.ts'
import { type Answer, createSession, type Question } from '../csv/csv-session.ts'

/** `skippedFile`: the skipped rows as a list that can be corrected and uploaded. */
export type ImportedList = KeywordImport & { skippedFile: string }

export type EntitiesQuestion = Question<ListReading>
/** Suggests the row that has the names of all fields, if there is one. */
export type EntitiesAnswer = Answer<number | null, ImportedList>

/** Reads a list of entities. */
export const createEntitiesSession = (answer: (message: EntitiesAnswer) => void) =>
  createSession(
    { isHeader: isHeaderRow, recognise: ({ rows }) => findHeaderRow(rows), make: importedList },
    answer,
  )

function importedList(file: CsvFile, reading: ListReading): ImportedList | string {
  const first = reading.headerRow === null ? 0 : reading.headerRow + 1
  const filled = file.rows.slice(first).filter(({ length }) => length > 0)
  if (filled.length > CSV_ROWS_MAX) return csvFaultText({ kind: 'rows' })
  const list = importKeywords(file, reading)
  return { ...list, skippedFile: skippedFile(file, reading, list) }
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
