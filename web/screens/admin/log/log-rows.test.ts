import { expect, test } from 'vitest'
import { type LogEntry, logEntrySchema } from '../../../../domain/wire/log.ts'
import { rowsOf } from './log-rows.ts'

const entry = (id: string, list?: string): LogEntry =>
  logEntrySchema.parse({
    id,
    at: '2026-03-02T09:00:00.000Z',
    action: 'article.created',
    by: null,
    subject: { id: `article ${id}`, name: id },
    ...(list && { list: { id: list, source: 'l12.csv', created: 2, changed: 0 } }),
  })

const ENTRIES = [entry('a'), entry('b', 'x'), entry('d'), entry('e', 'y')]
const keys = (isFolded: boolean, open: Record<string, LogEntry[]> = {}) =>
  rowsOf(ENTRIES, { isFolded, foldedInto: ({ id }) => open[id] ?? null }).map(({ key, fold }) =>
    fold ? `${key} ${fold}` : key,
  )

test('the entries of a list are one line that unfolds', () => {
  expect(keys(true)).toEqual(['a', 'list b closed', 'd', 'list e closed'])
  expect(keys(true, { b: [entry('c', 'x')] })).toEqual([
    ...['a', 'list b open', 'b', 'c', 'd'],
    'list e closed',
  ])
})

test('the entries that a filter finds are themselves', () => {
  expect(keys(false)).toEqual(['a', 'b', 'd', 'e'])
})
