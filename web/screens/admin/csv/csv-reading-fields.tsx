import { NativeSelect } from '@mantine/core'
import { figure } from '../../../ui/words/figure.ts'
import { ENCODINGS, type Encoding } from './csv-file.ts'

type EncodingSelectProps = {
  encoding: Encoding
  onEncoding: (encoding: Encoding) => void
  w?: number
}

/** How the bytes of a file are read. */
export function EncodingSelect({ encoding, onEncoding, ...props }: EncodingSelectProps) {
  return (
    <NativeSelect
      {...props}
      label="Read as"
      value={encoding}
      onChange={({ currentTarget: { value } }) => onEncoding(value as Encoding)}
      data={Object.entries(ENCODINGS).map(([value, label]) => ({ value, label }))}
    />
  )
}

type HeaderRowSelectProps<Row extends number | null> = {
  headerRow: Row
  /** The rows that can be chosen; null is the choice of none. */
  rows: readonly Row[]
  onHeaderRow: (row: Row) => void
  w?: number
}

/** Which row has the labels of the columns. */
export function HeaderRowSelect<Row extends number | null>(props: HeaderRowSelectProps<Row>) {
  const { headerRow, rows, onHeaderRow, ...rest } = props
  return (
    <NativeSelect
      {...rest}
      label="Header row"
      value={optionOf(headerRow)}
      onChange={({ currentTarget: { value } }) => {
        const row = rows.find((each) => optionOf(each) === value)
        if (row !== undefined) onHeaderRow(row)
      }}
      data={rows.map((row) => ({
        value: optionOf(row),
        label: row === null ? 'None' : `Row ${figure(row + 1)}`,
      }))}
    />
  )
}

const optionOf = (row: number | null): string => (row === null ? '' : String(row))
