import { NativeSelect } from '@mantine/core'
import { useMemo } from 'react'
import type { RowShape } from '../../../../domain/article-list.ts'
import { LIST_FIELDS } from '../../../../domain/article-list-fields.ts'
import type { CsvRows } from '../../../../domain/csv.ts'
import { figure } from '../../../ui/figure.ts'
import { CsvMappingTable } from '../csv/csv-mapping.tsx'
import { sampleOf } from '../csv/csv-table.ts'
import { headerRowsOf, type ListImport, type ListState } from './list-import.ts'
import classes from './list-step.module.css'

type ListMappingProps = {
  list: ListImport
  state: ListState
  head: CsvRows
  /** What is missing in the table. */
  fault: string | null
}

const SHAPES: { value: RowShape; label: string }[] = [
  { value: 'entity', label: 'one entity' },
  { value: 'article', label: 'one article' },
]

/** Where the labels are, what a row is, and which column is which field. */
export function ListMapping({ list, state, head, fault }: ListMappingProps) {
  const { headerRow, columns } = state
  const { labels } = useMemo(() => sampleOf(head, headerRow), [head, headerRow])
  return (
    <>
      <div className={classes.pair}>
        <NativeSelect
          label="Header row"
          value={headerRow ?? ''}
          onChange={({ currentTarget: { value } }) =>
            list.setHeaderRow(value === '' ? null : Number(value))
          }
          data={[
            ...headerRowsOf(head).map((row) => ({
              value: String(row),
              label: `Row ${figure(row + 1)}`,
            })),
            { value: '', label: 'None' },
          ]}
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
        mapping={columns}
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
