import { type CsvRows, csvText } from '../../../../domain/csv.ts'

/** Rows as a file that spreadsheets open: they need the byte order mark to detect UTF-8. */
export const csvFileText = (rows: CsvRows): string => `\ufeff${csvText(rows, ',')}`

/** '2026-11-25 09:12:00', in UTC, of an ISO time. */
export const utcCell = (at: string): string => at.slice(0, 19).replace('T', ' ')
