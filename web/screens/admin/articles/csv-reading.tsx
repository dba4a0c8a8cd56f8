import { Checkbox, NativeSelect } from '@mantine/core'
import { figure } from '../../../ui/figure.ts'
import { ENCODINGS, type Encoding } from '../csv/csv-file.ts'
import { encodingText } from '../csv/csv-messages.ts'
import type { CsvImport, CsvImportState } from './csv-import.ts'
import classes from './csv-reading.module.css'

/** Selects the header row and the encoding of a file. */
export function CsvReading({ csv, state }: { csv: CsvImport; state: CsvImportState }) {
  const { hasHeaders, headerRow, headerRows, decoding } = state
  const note = decoding && encodingText(decoding)
  return (
    <div>
      <div className={classes.line}>
        <Checkbox
          className={classes.headers}
          label="File has headers"
          checked={hasHeaders}
          onChange={(event) => csv.setHasHeaders(event.currentTarget.checked)}
        />
        {hasHeaders && headerRows.length > 0 && (
          <NativeSelect
            label="Header row"
            w={100}
            value={headerRow}
            onChange={({ currentTarget: { value } }) => csv.setHeaderRow(Number(value))}
            data={headerRows.map((row) => ({
              value: String(row),
              label: `Row ${figure(row + 1)}`,
            }))}
          />
        )}
        {decoding && (
          <NativeSelect
            label="Read as"
            w={150}
            value={decoding.encoding}
            onChange={({ currentTarget: { value } }) => csv.setEncoding(value as Encoding)}
            data={Object.entries(ENCODINGS).map(([value, label]) => ({ value, label }))}
          />
        )}
      </div>
      <p className={classes.note} role="status">
        {note}
      </p>
    </div>
  )
}
