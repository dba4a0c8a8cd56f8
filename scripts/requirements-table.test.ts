import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isLong } from './long-stories.ts'

/** docs/requirements.md names tests; every named test must exist. */
const root = join(import.meta.dirname, '..')
const table = readFileSync(join(root, 'docs/requirements.md'), 'utf8')
const rows = [...table.matchAll(/^\| ([A-Z]+-\d\d|Q\d+) \| (.+?) \| (.+) \|$/gm)]
const named = rows.flatMap(([, item, , shownBy = '']) =>
  [...shownBy.matchAll(/`([^`]+)` "([^"]+)"/g)].map(([, file = '', title = '']) => ({
    item,
    file,
    title,
  })),
)

/** The parts in their order, and how many items each has. */
const PARTS = {
  RT: 33,
  LH: 26,
  LO: 15,
  RE: 12,
  FR: 17,
  PR: 10,
  CH: 17,
  SC: 24,
  ED: 36,
  CO: 17,
  AU: 23,
  AC: 22,
  AA: 36,
  AF: 29,
  CSV: 23,
  KW: 19,
  KT: 4,
  ST: 17,
  AP: 37,
  PE: 17,
  VA: 14,
  ER: 24,
  BA: 8,
  CN: 14,
  SY: 13,
}
const POINTS = 98

const numbered = (part: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${part}-${String(n + 1).padStart(2, '0')}`)

describe('the table of requirements', () => {
  test('has every item once, in order', () => {
    const items = Object.entries(PARTS).flatMap(([part, count]) => numbered(part, count))
    const points = Array.from({ length: POINTS }, (_, n) => `Q${n + 1}`)
    expect(rows.map(([, item]) => item)).toEqual([...items, ...points])
  })

  test('says "not yet" or names a test in every row', () => {
    const cell = /^(not yet: .+|(`[^`]+` "[^"]+"(<br>|$))+)$/
    expect(rows.filter(([, , , shownBy = '']) => !cell.test(shownBy))).toEqual([])
  })

  test('names tests that are there', () => {
    const files = new Map(named.map(({ file }) => [file, textOf(file)]))
    const gone = named.filter(({ file, title }) => !files.get(file)?.includes(title))
    expect(gone).toEqual([])
  })

  test('names for each item a test that `npm test` runs', () => {
    const files = new Map(named.map(({ file }) => [file, textOf(file)]))
    const items = new Set(named.map(({ item }) => item))
    for (const { item, file, title } of named)
      if (!isLong(files.get(file) ?? '', title)) items.delete(item)
    expect([...items]).toEqual([])
  })

  test('has every item that a test names', () => {
    const known = new Set(rows.map(([, item]) => item))
    const parts = Object.keys(PARTS).join('|')
    const files = [...new Set(named.map(({ file }) => file))]
    const unknown = files.flatMap((file) =>
      [...textOf(file).matchAll(new RegExp(`\\b(?:${parts})-\\d\\d\\b`, 'g'))]
        .map(([item]) => ({ file, item }))
        .filter(({ item }) => !known.has(item)),
    )
    expect(unknown).toEqual([])
  })
})

function textOf(file: string): string {
  const path = join(root, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
