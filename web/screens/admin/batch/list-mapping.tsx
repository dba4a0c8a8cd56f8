import { NativeSelect } from '@mantine/core'
import type { RowShape } from '../../../../domain/lists/article-list.ts'
import { LIST_FIELDS, LIST_HEADER_ROWS_MAX } from '../../../../domain/lists/article-list-fields.ts'
import type { CsvRows } from '../../../../domain/lists/csv.ts'
import { CsvMappingTable } from '../csv/csv-mapping.tsx'
import { HeaderRowSelect } from '../csv/csv-reading-fields.tsx'
import { headerRowsOf } from '../csv/csv-table.ts'
import type { ListImport, ListState } from './list-import.ts'
import classes from './list-step.module.css'

type ListMappingProps = {
  list: ListImport
  state: ListState
  head: CsvRows
  /** The labels of the columns, in their order. */
  labels: readonly string[]
  /** What is missing in the table. */
  fault: string | null
}

const SHAPES: { value: RowShape; label: string }[] = [
  { value: 'entity', label: 'one entity' },
  { value: 'article', label: 'one article' },
]

/** Where the labels are, what a row is, and which column is which field. */
export function ListMapping({ list, state, head, labels, fault }: ListMappingProps) {
  return (
    <>
      <div className={classes.pair}>
        <HeaderRowSelect
          headerRow={state.headerRow}
          rows={[...headerRowsOf(head, LIST_HEADER_ROWS_MAX), null]}
          onHeaderRow={list.setHeaderRow}
        />
        <NativeSelect
          label="Each row is"
          value={state.shape ?? state.readShape}
          onChange={({ currentTarget: { value } }) => list.setReading({ shape: value as RowShape })}
          data={SHAPES}
        />
      </div>
      <CsvMappingTable
        fields={LIST_FIELDS}
        labels={labels}
        mapping={state.columns}
        onColumn={list.setColumn}
        dense
      />
      {fault !== null && (
        <p className={classes.fault} role="alert">
          {fault}
        </p>
      )}
    </>
  )
}
