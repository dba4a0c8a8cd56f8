import { expect, test } from 'vitest'
import type { LogEntry } from '../../../../domain/wire/log.ts'
import type { ReadLog } from '../../../remote/log.ts'
import { ENTRIES_MAX, logCsv, readAll } from './log-csv.ts'

const entryOf = (id: string, rest: Partial<LogEntry> = {}): LogEntry => ({
  id,
  at: '2026-03-02T09:00:00.000Z',
  action: 'article.reopened',
  by: { id: 'u', name: 'Ada Ferris' },
  subject: { id: 'a', name: 'Oats' },
  ...rest,
})

test('each entry is a row, and no name in it can be a formula', { tags: ['@VL-05'] }, () => {
  const text = logCsv([
    entryOf('2', {
      by: { id: 'u', name: '=HYPERLINK("https://x.example")' },
      subject: { id: 'a', name: '+1, "quoted"' },
    }),
    entryOf('1', { by: null }),
  ])
  expect(text).toBe(
    [
      '\ufeffTime (UTC),Person,What happened,About,Kind',
      '2026-03-02 09:00:00,"\'=HYPERLINK(""https://x.example"")","reopened ‘+1, ""quoted""’","\'+1, ""quoted""",article.reopened',
      '2026-03-02 09:00:00,Server,reopened ‘Oats’,Oats,article.reopened',
      '',
    ].join('\r\n'),
  )
})

/** A log of entries with the ids `count` to 1, which gets one more entry with each request. */
function growingLog(count: number) {
  const asked: string[] = []
  let added = 0
  const readLog: ReadLog = async ({ limit, before, kind }) => {
    asked.push(`${kind} ${before ?? 'newest'}`)
    const newest = before === undefined ? count : Number(before) - 1
    added += 1
    const length = Math.min(limit, newest)
    const results = Array.from({ length }, (_, at) => entryOf(String(newest - at)))
    return { results, page: 1, limit, totalPages: 1, totalResults: count + added }
  }
  return { readLog, asked }
}

test('an export continues behind the last entry it has, until there are no more', async () => {
  const { readLog, asked } = growingLog(2_345)
  const { entries } = await readAll(readLog, { kind: 'reopened' })
  expect(entries.map(({ id }) => Number(id))).toEqual(
    Array.from({ length: 2_345 }, (_, at) => 2_345 - at),
  )
  expect(asked).toEqual(['reopened newest', 'reopened 1346', 'reopened 346'])
})

test('an export ends at the most entries of a file, and says of how many', async () => {
  const { readLog } = growingLog(ENTRIES_MAX + 5)
  const { entries, total } = await readAll(readLog, {})
  expect([entries.length, total]).toEqual([ENTRIES_MAX, ENTRIES_MAX + 6])
})
