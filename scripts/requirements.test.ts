import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { listTests, testsOf } from './list-tests.mjs'
import { makeDocuments, requirementIds } from './requirements.mjs'

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
  VL: 9,
  HI: 10,
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
  WH: 8,
}
const POINTS = 98
const FAULTS = 83

const ids = requirementIds()
const tests = listTests()

const numbered = (count: number, idOf: (number: number) => string) =>
  Array.from({ length: count }, (_, at) => idOf(at + 1))

describe('requirements and faults', () => {
  test('are complete and in order', () => {
    const items = Object.entries(PARTS).flatMap(([part, count]) =>
      numbered(count, (number) => `${part}-${String(number).padStart(2, '0')}`),
    )
    const points = numbered(POINTS, (number) => `Q${number}`)
    const faults = numbered(FAULTS, (number) => `fault-${number}`)
    expect(ids).toEqual([...items, ...points, ...faults])
  })

  test('each have a test that `npm run test:all` runs', () => {
    const daily = tests.filter(({ isGroup, isLong }) => !isGroup && !isLong)
    const shown = new Set(daily.flatMap(({ tags }) => tags))
    expect(ids.filter((id) => !shown.has(`@${id}`))).toEqual([])
  })

  test('are all that a test has as a tag', () => {
    const known = new Set(['@long', '@main', ...ids.map((id) => `@${id}`)])
    expect(tests.filter(({ tags }) => !tags.every((tag) => known.has(tag)))).toEqual([])
  })

  test('are documented as they are: `npm run requirements` writes the documents', () => {
    const stale = makeDocuments(tests).filter(
      ({ path, text }) => readFileSync(path, 'utf8') !== text,
    )
    expect(stale.map(({ path }) => path)).toEqual([])
  })
})

test('tags are read from tests, tables and groups, and are inherited', () => {
  const code = `
    describe('a group', { tags: ['@RT-01'] }, () => {
      it.each([[1]])('row %i', { tags: ['@RT-02'], timeout: 9 }, () => {})
    })
    test.describe('pages', () => {
      test.use({ tag: ['@RT-03'] })
      test(\`a \${name}\`, { tag: [...(isFirst ? [] : ['@RT-04']), '@long'] }, async ({ page }) => {
        await test.step('a step', () => {})
      })
    })
    it('alone', () => {})`
  const read = testsOf('a.test.ts', code).map(({ title, tags, isLong }) => [title, tags, isLong])
  expect(read).toEqual([
    ['a group', ['@RT-01'], false],
    ['a group > row %i', ['@RT-01', '@RT-02'], false],
    ['pages', [], false],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as it is written
    ['pages > a ${name}', ['@long'], true],
    ['alone', [], false],
  ])
})
