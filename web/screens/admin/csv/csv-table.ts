import {
  CSV_FIELDS,
  type CsvField,
  type CsvMapping,
  HEADER_ROWS_MAX,
  namedColumns,
} from '../../../../domain/keywords/keyword-import.ts'
import { KEYWORD_MAX } from '../../../../domain/limits.ts'
import type { CsvRows } from '../../../../domain/lists/csv.ts'
import { shortened } from '../../../ui/words/shortened.ts'

/** The columns of an uploaded list, and which of them is which field. */

const PREVIEW_ROWS = 10

/** The first rows of a file, enough for a preview with each candidate for the header row. */
export const headOf = (rows: CsvRows): CsvRows =>
  rows
    .slice(0, HEADER_ROWS_MAX + 10 * PREVIEW_ROWS)
    .map((row) => row.map((cell) => cell.slice(0, KEYWORD_MAX)))

/** What the mapping table shows of a file: one label for each column, and its first rows. */
export type CsvSample = {
  labels: string[]
  names: string[]
  rows: CsvRows
  /** The places of the rows in the file, counted from 1. */
  numbers: number[]
}

/**
 * `names` are the texts of the row with the headers, trimmed; empty where there is none. Rows above it and empty rows
 * are omitted.
 */
export function sampleOf(rows: CsvRows, headerRow: number | null): CsvSample {
  const below = headerRow === null ? 0 : headerRow + 1
  const places = rows.flatMap(({ length }, at) => (at >= below && length > 0 ? [at] : []))
  const shownPlaces = places.slice(0, PREVIEW_ROWS)
  const shown = shownPlaces.map((at) => rows[at] ?? [])
  const first = (headerRow === null ? shown[0] : rows[headerRow]) ?? []
  const columns = Math.max(first.length, ...shown.map((row) => row.length))
  const values = Array.from({ length: columns }, (_, index) => (first[index] ?? '').trim())
  return {
    labels: toldApart(values.map((value, index) => labelOf(value, index, headerRow !== null))),
    names: headerRow === null ? [] : values,
    rows: shown,
    numbers: shownPlaces.map((at) => at + 1),
  }
}

/** Indices of the candidates for the header row: of the first rows, `most` of them, those that are not empty. */
export const headerRowsOf = (rows: CsvRows, most = HEADER_ROWS_MAX): number[] =>
  rows.slice(0, most).flatMap((row, index) => (row.length > 0 ? [index] : []))

const LABEL_MAX = 40

/** Without headers 'Column n' and the first value (Q76); a header without text is called the same. */
function labelOf(cell: string, index: number, hasHeaders: boolean): string {
  // Choices of a select are drawn with single spaces.
  const value = cell.replace(/\s+/g, ' ')
  const short = shortened(value, LABEL_MAX)
  if (hasHeaders && value !== '') return short
  return value === '' ? `Column ${index + 1}` : `Column ${index + 1}: ${short}`
}

/** Labels that read the same have the number of their column. */
const toldApart = (labels: readonly string[]): string[] =>
  labels.map((label, index) =>
    labels.indexOf(label) === labels.lastIndexOf(label) ? label : `${label} (column ${index + 1})`,
  )

/**
 * `mapping` with a column for each unmapped field that the file names, and without columns that the file does not have.
 */
export function matchColumns(mapping: CsvMapping, { labels, names }: CsvSample): CsvMapping {
  const matched = namedColumns(names)
  for (const { key } of CSV_FIELDS) {
    const chosen = mapping[key]
    if (chosen !== undefined && chosen < labels.length) matched[key] = chosen
  }
  return matched
}

/** Labels of the required fields without a column: the import is complete when there are none (CSV-13). */
export function unmatchedLabels(
  mapping: CsvMapping,
  fields: readonly CsvField[] = CSV_FIELDS,
): string[] {
  return fields
    .filter(({ key, required }) => required && mapping[key] === undefined)
    .map(({ label }) => label)
}
