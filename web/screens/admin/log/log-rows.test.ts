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

const ENTRIES = [entry('a'), entry('b', 'x'), entry('c', 'x'), entry('d'), entry('e', 'y')]
const keys = (open: string[]) =>
  rowsOf(ENTRIES, (id) => open.includes(id)).map(({ key, fold }) => (fold ? `${key} ${fold}` : key))

test('the entries of a list are one line that unfolds, a single one is itself', () => {
  expect(keys([])).toEqual(['a', 'list x closed', 'd', 'e'])
  expect(keys(['x'])).toEqual(['a', 'list x open', 'b', 'c', 'd', 'e'])
})
