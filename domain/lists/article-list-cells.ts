import { VISIBLE } from '../text/characters.ts'
import type { ListColumns, ListField } from './article-list-fields.ts'

/** The cells of a list of articles, and what can be wrong with one. */

/** `row` counts from 1, as a spreadsheet does. */
export type ListLine = { row: number; cells: readonly string[] }

/** Why a cell cannot be used; everything that a sentence about it needs. Lengths are in characters. */
export type CellReason =
  | { kind: 'empty' }
  | { kind: 'not-a-number' }
  /** A number above `limit`. */
  | { kind: 'too-large'; limit: number }
  | { kind: 'not-a-day' }
  | { kind: 'too-long'; length: number; limit: number }
  /** More headings than an outline can have. */
  | { kind: 'too-many'; count: number; limit: number }
  /** The article has another value in `row`, which comes first. */
  | { kind: 'differs'; row: number }
  /** A cell before it is missing or too many, so the values are in the wrong columns. */
  | { kind: 'shifted' }
  /** Neither one value nor one for each keyword of the cell of keywords. */
  | { kind: 'uneven'; count: number; keywords: number }

/**
 * A cell that cannot be used. `label` is that of the file, '' without headers. `also` has the further rows of the article
 * that have the same value in this column.
 */
export type CellFault = {
  row: number
  /** As a spreadsheet names its columns: A, B, … AA. */
  column: string
  field: ListField
  label: string
  value: string
  also: number[]
  reason: CellReason
}

/** How spreadsheets name the column with this index: A to Z, then AA. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter
}

export const isFilled = (cell: string): boolean => cell !== '' && VISIBLE.test(cell)

/** The text of the cell; '' where there is none, and where the field has no column. */
export const cellOf = ({ cells }: ListLine, columns: ListColumns, field: ListField): string =>
  cells[columns[field] ?? -1] ?? ''

/** Collects the faults of one article: those of equal cells are one. */
export function faultList(columns: ListColumns, header: readonly string[]) {
  const faults = new Map<string, CellFault>()
  return {
    add(field: ListField, { row }: { row: number }, value: string, reason: CellReason): void {
      const key = JSON.stringify([field, value, reason])
      const known = faults.get(key)
      if (known !== undefined) {
        known.also.push(row)
        return
      }
      const index = columns[field] ?? 0
      const label = (header[index] ?? '').trim()
      faults.set(key, { row, column: columnName(index), field, label, value, also: [], reason })
    },
    /** In the order of rows, then of columns. */
    inOrder: (): CellFault[] =>
      [...faults.values()].sort(
        (a, b) => a.row - b.row || (columns[a.field] ?? 0) - (columns[b.field] ?? 0),
      ),
  }
}
export type FaultList = ReturnType<typeof faultList>
