import { FILE_DATES, utcTime } from '../../../../domain/calendar/file-dates.ts'
import { csvFileText } from '../../../../domain/lists/csv.ts'
import { actorName, plainSentence } from '../../../../domain/log-words.ts'
import type { LogEntry, LogFilter } from '../../../../domain/wire/log.ts'
import type { ReadLog } from '../../../remote/log.ts'

const AT_ONCE = 1_000
/** More than this is no file for a spreadsheet. */
export const ENTRIES_MAX = 50_000

/** All entries of a filter, newest first, up to ENTRIES_MAX. Those that are added in between are left out. */
export async function readAll(
  readLog: ReadLog,
  filter: LogFilter,
): Promise<{ entries: LogEntry[]; total: number }> {
  const first = await readLog({ ...filter, limit: AT_ONCE })
  const entries = [...first.results]
  let isLast = entries.length < AT_ONCE
  while (!isLast && entries.length < ENTRIES_MAX) {
    const { results } = await readLog({ ...filter, limit: AT_ONCE, before: entries.at(-1)?.id })
    entries.push(...results)
    isLast = results.length < AT_ONCE
  }
  return { entries, total: first.totalResults }
}

const HEAD = ['Time (UTC)', 'Person', 'What happened', 'About', 'Kind']

export function logCsv(entries: readonly LogEntry[]): string {
  const rows = entries.map((entry) => [
    utcTime(entry.at),
    actorName(entry),
    plainSentence(entry, FILE_DATES),
    entry.subject.name ?? '',
    entry.action,
  ])
  return csvFileText([HEAD, ...rows])
}
