import { NativeSelect } from '@mantine/core'
import { ArrowRight } from 'lucide-react'
import classes from './csv-mapping.module.css'

export type MappedField<Key extends string> = { key: Key; label: string; required: boolean }

type CsvMappingTableProps<Key extends string> = {
  /** In the order in which they are shown. */
  fields: readonly MappedField<Key>[]
  /** The labels of the columns, in their order. */
  labels: readonly string[]
  mapping: Partial<Record<Key, number>>
  /** `column` null: the field has no column any more. */
  onColumn: (field: Key, column: number | null) => void
  /** Lower rows, for a list of many fields. */
  dense?: boolean
}

/** Which column of the file is which field. Only a field that is not required may go without (CSV-11). */
export function CsvMappingTable<Key extends string>(props: CsvMappingTableProps<Key>) {
  const { fields, labels, mapping, onColumn, dense = false } = props
  return (
    <table className={classes.table} data-dense={dense}>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <td />
          <th scope="col">CSV column</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <FieldRow
            key={field.key}
            field={field}
            labels={labels}
            column={mapping[field.key]}
            onColumn={(column) => onColumn(field.key, column)}
          />
        ))}
      </tbody>
    </table>
  )
}

type FieldRowProps = {
  field: MappedField<string>
  labels: readonly string[]
  column: number | undefined
  onColumn: (column: number | null) => void
}

function FieldRow({ field, labels, column, onColumn }: FieldRowProps) {
  return (
    <tr>
      <th scope="row">
        {field.label} {field.required && <span className={classes.required}>required</span>}
      </th>
      <td className={classes.arrow}>
        <ArrowRight size={14} strokeWidth={1.6} aria-hidden="true" />
      </td>
      <td>
        <NativeSelect
          size="xs"
          aria-label={`CSV column for ${field.label}`}
          required={field.required}
          value={column ?? ''}
          onChange={({ currentTarget: { value } }) => onColumn(value === '' ? null : Number(value))}
        >
          {field.required ? (
            <option value="" disabled hidden>
              Choose a column
            </option>
          ) : (
            <option value="" />
          )}
          {labels.map((label, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place in the file
            <option key={index} value={index}>
              {label}
            </option>
          ))}
        </NativeSelect>
      </td>
    </tr>
  )
}
