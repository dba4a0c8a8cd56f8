import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isLong } from './long-stories.ts'

/** docs/faults.md names tests; every named test must exist. */
const root = join(import.meta.dirname, '..')
const table = readFileSync(join(root, 'docs/faults.md'), 'utf8')
const rows = [...table.matchAll(/^\| (\d+) \| .+? \| (.+) \|$/gm)]
const named = rows.flatMap(([, fault, shownBy = '']) =>
  [...shownBy.matchAll(/`([^`]+)` "([^"]+)"/g)].map(([, file = '', title = '']) => ({
    fault,
    file,
    title,
  })),
)

describe('the table of faults', () => {
  test('has all 81, in order', () => {
    expect(rows.map(([, fault]) => Number(fault))).toEqual(
      Array.from({ length: 81 }, (_, n) => n + 1),
    )
  })

  test.each(named)('fault $fault: $file has "$title"', ({ file, title }) => {
    const path = join(root, file)
    expect(existsSync(path)).toBe(true)
    expect(readFileSync(path, 'utf8')).toContain(title)
  })

  test('names for each fault a test that `npm test` runs', () => {
    const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
    const daily = named.filter(({ file, title }) => !isLong(textOf(file), title))
    const shown = new Set(daily.map(({ fault }) => fault))
    expect(named.map(({ fault }) => fault).filter((fault) => !shown.has(fault))).toEqual([])
  })

  test('says "not yet" or names a test in every row', () => {
    const empty = rows.filter(([, , shownBy = '']) => !/^(not yet|`.+)$/.test(shownBy))
    expect(empty).toEqual([])
  })
})
