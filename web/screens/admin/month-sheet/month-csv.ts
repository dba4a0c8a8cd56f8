import { zoneTime } from '../../../../domain/calendar/file-dates.ts'
import { PROGRESS_LIMIT_MAX } from '../../../../domain/limits.ts'
import { csvFileText } from '../../../../domain/lists/csv.ts'
import type { MonthRow } from '../../../../domain/wire/progress.ts'
import { allPages } from '../../../remote/all-pages.ts'
import type { ProgressCalls } from '../../../remote/progress.ts'

/** More than this is no file for a spreadsheet. */
const ROWS_MAX = 10_000

export type ReadMonth = ProgressCalls['month']

/** All hand-ins of a month, up to ROWS_MAX, and how many there are. */
export const readAll = (
  read: ReadMonth,
  filter: { month: string; clientId: string | undefined },
): Promise<{ rows: MonthRow[]; total: number }> =>
  allPages(
    (page) => read({ ...filter, page, limit: PROGRESS_LIMIT_MAX }),
    ({ articleId, number }) => `${articleId} ${number}`,
    ROWS_MAX,
  )

const headOf = (timeZone: string) => [
  'Article',
  'Client',
  'Handed in by',
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
    zoneTime(row.at, timeZone),
    String(row.words),
    String(row.wordMinimum),
    String(row.number),
    String(row.of),
    row.fingerprint,
  ])
  return csvFileText([headOf(timeZone), ...lines])
}
