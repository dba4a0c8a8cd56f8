import { Checkbox } from '@mantine/core'
import { encodingText } from '../csv/csv-messages.ts'
import { EncodingSelect, HeaderRowSelect } from '../csv/csv-reading-fields.tsx'
import classes from './csv-reading.module.css'
import type { EntitiesImport, EntitiesImportState } from './entities-import.ts'

/** Selects the header row and the encoding of a file. */
export function CsvReading({ csv, state }: { csv: EntitiesImport; state: EntitiesImportState }) {
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
          <HeaderRowSelect
            w={100}
            headerRow={headerRow}
            rows={headerRows}
            onHeaderRow={csv.setHeaderRow}
          />
        )}
        {decoding && (
          <EncodingSelect w={150} encoding={decoding.encoding} onEncoding={csv.setEncoding} />
        )}
      </div>
      <p className={classes.note} role="status">
        {note}
      </p>
    </div>
  )
}
