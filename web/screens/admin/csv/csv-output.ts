import { type CsvRows, csvText } from '../../../../domain/lists/csv.ts'

/** Rows as a file that spreadsheets open: they need the byte order mark to detect UTF-8. */
export const csvFileText = (rows: CsvRows): string => `\ufeff${csvText(rows, ',')}`
