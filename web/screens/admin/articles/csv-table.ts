import { fold } from '../../../../domain/folding.ts'
import type { KeywordRow } from '../../../../domain/keyword-category.ts'
import { KEYWORD_MAX } from '../../../../domain/limits.ts'

/** The columns of an uploaded list, and which of them is which field. */

const PREVIEW_ROWS = 10

export type CsvField = { key: keyof KeywordRow; label: string; required: boolean }

/** In the order in which they are shown (CSV-21). */
export const CSV_FIELDS: readonly CsvField[] = [
  { key: 'keyword', label: 'Keyword', required: true },
  { key: 'source', label: 'Source', required: true },
  { key: 'score', label: 'Score', required: true },
]

/** Index of the column of each field; a field without one has none. */
export type CsvMapping = Partial<Record<CsvField['key'], number>>

export type CsvRows = string[][]

/** What the mapping table shows of a file: one label for each column, and its first rows. */
export type CsvSample = { labels: string[]; names: string[]; rows: CsvRows }

/** `names` are the texts of the first row where it has the headers, trimmed; empty without headers. */
export function sampleOf(rows: CsvRows, hasHeaders: boolean): CsvSample {
  const [first = []] = rows
  const shown = rows.slice(hasHeaders ? 1 : 0, PREVIEW_ROWS + (hasHeaders ? 1 : 0))
  const columns = Math.max(first.length, ...shown.map((row) => row.length))
  const values = Array.from({ length: columns }, (_, index) => (first[index] ?? '').trim())
  return {
    labels: values.map((value, index) => labelOf(value, index, hasHeaders)),
    names: hasHeaders ? values : [],
    rows: shown.map((row) => row.map((value) => value.slice(0, KEYWORD_MAX))),
  }
}

const LABEL_MAX = 40

/** Without headers 'Column n' and the first value (Q76); a header without text is called the same. */
function labelOf(value: string, index: number, hasHeaders: boolean): string {
  const short = value.length > LABEL_MAX ? `${value.slice(0, LABEL_MAX)}…` : value
  if (hasHeaders && value !== '') return short
  return value === '' ? `Column ${index + 1}` : `Column ${index + 1}: ${short}`
}

/**
 * `mapping` with a column for each field that has none and whose label one is named like, ignoring case
 * and surrounding spaces; columns that the file does not have are taken out.
 */
export function matchColumns(mapping: CsvMapping, { labels, names }: CsvSample): CsvMapping {
  const matched: CsvMapping = {}
  for (const { key, label } of CSV_FIELDS) {
    const chosen = mapping[key]
    const named = names.findIndex((name) => fold(name) === fold(label))
    if (chosen !== undefined && chosen < labels.length) matched[key] = chosen
    else if (named >= 0) matched[key] = named
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

/** A short row has empty cells at its end. */
export function keywordRows(rows: CsvRows, hasHeaders: boolean, mapping: CsvMapping): KeywordRow[] {
  const cell = (row: string[], column: number | undefined) =>
    column === undefined ? '' : (row[column] ?? '')
  return rows.slice(hasHeaders ? 1 : 0).map((row) => ({
    keyword: cell(row, mapping.keyword),
    source: cell(row, mapping.source),
    score: cell(row, mapping.score),
  }))
}
