import { expect, test } from 'vitest'
import type { MonthRow, MonthSheet } from '../../../../domain/wire/progress.ts'
import { monthCsv, type ReadMonth, readAll } from './month-csv.ts'

const row = (number: number, parts: Partial<MonthRow> = {}): MonthRow => ({
  articleId: `article ${number}`,
  article: `Article ${number}`,
  clientId: null,
  client: null,
  writer: 'Imogen Hale',
  at: '2026-11-20T16:30:12.000Z',
  words: 742,
  wordMinimum: 700,
  number: 1,
  of: 1,
  fingerprint: '9f2c41d7',
  ...parts,
})

/** A server that has `rows`; `before` runs before each page. */
function server(rows: MonthRow[], before: (page: number) => void = () => {}): ReadMonth {
  return async ({ page, limit }) => {
    before(page)
    const results = rows.slice((page - 1) * limit, page * limit)
    const totalPages = Math.ceil(rows.length / limit)
    return { results, page, limit, totalPages, totalResults: rows.length } as MonthSheet
  }
}

test('a file has the rows of all pages', async () => {
  const rows = Array.from({ length: 201 }, (_, at) => row(at))
  const all = await readAll(server(rows), { month: '2026-11', clientId: undefined })
  expect(all).toEqual({ rows, total: 201 })
})

test('a hand-in while the pages are read repeats no row', async () => {
  const rows = Array.from({ length: 120 }, (_, at) => row(at))
  const read = server(rows, (page) => page === 2 && rows.unshift(row(999)))
  const all = await readAll(read, { month: '2026-11', clientId: undefined })
  expect(all.rows).toHaveLength(120)
})

test('a time is that of the agency, whose month it is', () => {
  const [head, line] = monthCsv(
    [row(1, { at: '2026-10-31T23:30:00.000Z' })],
    'Europe/Berlin',
  ).split('\r\n')
  expect(head).toContain('Article,Client,Handed in by,Handed in (Europe/Berlin),Words')
  expect(line).toContain(',2026-11-01 00:30:00,')
})

test('a cell that begins like a formula stays text', () => {
  const [, line] = monthCsv([row(1, { article: '=SUM(A1)', client: '+Client' })], 'UTC').split(
    '\r\n',
  )
  expect(line).toBe("'=SUM(A1),'+Client,Imogen Hale,2026-11-20 16:30:12,742,700,1,1,9f2c41d7")
})
