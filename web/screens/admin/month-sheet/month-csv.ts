import { PROGRESS_LIMIT_MAX } from '../../../../domain/limits.ts'
import type { MonthRow, MonthSheet } from '../../../../domain/wire-progress.ts'
import type { ProgressCalls } from '../../../remote/progress.ts'
import { csvFileText } from '../csv/csv-output.ts'

/** More than this is no file for a spreadsheet. */
const ROWS_MAX = 10_000

export type ReadMonth = ProgressCalls['month']

/** All hand-ins of a month, up to ROWS_MAX, and how many there are. */
export async function readAll(
  read: ReadMonth,
  { month, clientId }: { month: string; clientId: string | undefined },
): Promise<{ rows: MonthRow[]; total: number }> {
  const rows = new Map<string, MonthRow>()
  let sheet: MonthSheet
  let page = 0
  do {
    page += 1
    sheet = await read({ month, clientId, page, limit: PROGRESS_LIMIT_MAX })
    // A hand-in in between moves rows to the next page.
    for (const row of sheet.results) rows.set(`${row.articleId} ${row.number}`, row)
  } while (page < sheet.totalPages && rows.size < ROWS_MAX)
  return { rows: [...rows.values()].slice(0, ROWS_MAX), total: sheet.totalResults }
}

const headOf = (timeZone: string) => [
  'Article',
  'Client',
  'Writer',
  `Handed in (${timeZone})`,
  'Words',
  'Minimum',
  'Hand-in',
  'Hand-ins',
  'Fingerprint',
]

/** The rows with their times in the time zone of the agency, so that all of them are of its month. */
export function monthCsv(rows: readonly MonthRow[], timeZone: string): string {
  const lines = rows.map((row) => [
    row.article,
    row.client ?? '',
    row.writer ?? '',
    timeCell(row.at, timeZone),
    String(row.words),
    String(row.wordMinimum),
    String(row.number),
    String(row.of),
    row.fingerprint,
  ])
  return csvFileText([headOf(timeZone), ...lines])
}

/** '2026-11-01 00:30:00': Swedish writes dates and times in this order. */
const timeCell = (at: string, timeZone: string): string =>
  new Date(at).toLocaleString('sv-SE', { timeZone })
