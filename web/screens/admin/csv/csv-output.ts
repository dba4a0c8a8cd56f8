import { type CsvRows, csvText } from '../../../../domain/lists/csv.ts'

/** Rows as a file that spreadsheets open: they need the byte order mark to detect UTF-8. */
export const csvFileText = (rows: CsvRows): string => `\ufeff${csvText(rows, ',')}`

/** '2026-11-01 00:30:00' of a time of the server, which is in UTC. */
export const utcCell = (at: string): string => at.slice(0, 19).replace('T', ' ')
