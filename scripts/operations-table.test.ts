import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

/** docs/operations.md names the test of each failure of the machine; every named test must exist. */
const root = join(import.meta.dirname, '..')
const text = readFileSync(join(root, 'docs/operations.md'), 'utf8')
const table = text.slice(text.indexOf('## What can make it wait'))
const rows = [...table.matchAll(/^\| (?!What |--)(.+?) \| (.+) \| (.+?) \|$/gm)]
const named = rows.flatMap(([, what, , shownBy = '']) =>
  [...shownBy.matchAll(/`([^`]+)` "([^"]+)"/g)].map(([, file = '', title = '']) => ({
    what,
    file,
    title,
  })),
)

describe('the table of operations', () => {
  test('has its rows', () => {
    expect(rows.length).toBeGreaterThan(20)
  })

  test.each(named)('$what: $file has "$title"', ({ file, title }) => {
    const path = join(root, file)
    expect(existsSync(path)).toBe(true)
    expect(readFileSync(path, 'utf8')).toContain(title)
  })

  test('says "not yet" or names a test in every row', () => {
    const empty = rows.filter(([, , , shownBy = '']) => !/^(not yet|`.+)$/.test(shownBy))
    expect(empty.map(([line]) => line)).toEqual([])
  })

  test('has every setting that the README has', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const named = [
      'BACKUP_DIR',
      'BACKUP_MINUTES',
      'FREE_SPACE_MIN_MB',
      'METRICS_TOKEN',
      'TRUSTED_PROXIES',
    ]
    expect(named.filter((name) => !readme.includes(name) || !text.includes(name))).toEqual([])
  })
})
