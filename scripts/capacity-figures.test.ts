import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Compares the figures of docs/capacity.md with docs/benchmarks.md. */
const read = (name: string) => readFileSync(join(import.meta.dirname, '../docs', name), 'utf8')
const measured = read('benchmarks.md').split('\n## Requests a second\n')[1]?.split('\n## ')[0] ?? ''
const capacity = read('capacity.md')
const [sqlite = '', postgres = ''] = capacity.split('\n## ').slice(1)

/** Requests per second of lists, single articles and saves. */
function rates(row: string): number[] {
  const cells = measured.split('\n').find((line) => line.startsWith(`| ${row} |`)) ?? ''
  return [...cells.matchAll(/\| (\d+) \(/g)].map(([, rate]) => Number(rate))
}

/** Rounds down to two significant digits. */
function rounded(figure: number): string {
  const step = 10 ** (Math.floor(Math.log10(figure)) - 1)
  return (Math.floor(figure / step) * step).toLocaleString('en')
}

test.each([
  ['Contūn Articles', sqlite],
  ['the same over PostgreSQL', postgres],
])('the rates of %s are those that were measured', (row, section) => {
  const [lists = 0, reads = 0, saves = 0] = rates(row)
  const told = (what: string) => section.split('\n').find((line) => line.startsWith(`| ${what}`))
  const figure = (rate: number) => `| ${rate.toLocaleString('en')} a second | measured |`
  expect(told('lists of ten')).toContain(figure(lists))
  expect(told('reads of one article')).toContain(figure(reads))
  expect(told('saves of 10 KB')).toContain(figure(saves))
})

test('the number of concurrent writers follows from the saves', () => {
  const [, , saves = 0] = rates('Contūn Articles')
  expect(sqlite).toContain(
    `| people writing at the same moment | ${rounded(saves * 2)} to ${rounded(saves * 10)} |`,
  )
})

test('what PostgreSQL costs is the least and the most of what was measured', () => {
  const row = measured.split('\n').find((line) => line.startsWith('| over PostgreSQL against'))
  const shares = [...(row ?? '').matchAll(/([\d.]+)x/g)].map(([, share]) => Number(share))
  const [least, most] = [Math.min(...shares), Math.max(...shares)]
  expect(postgres).toContain(`gives ${least} to ${most} of what one over SQLite gives there`)
})
