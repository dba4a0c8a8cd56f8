import { describe, expect, test } from 'vitest'
import {
  type CsvMapping,
  keywordRows,
  matchColumns,
  sampleOf,
  unmatchedLabels,
} from './csv-table.ts'

const LIST = [
  ['Keyword', ' SOURCE ', 'score', ''],
  ['garden path', 'E', '5', 'note'],
  ['lumen', 'I', '72', ''],
]

describe('columns', () => {
  test('CSV-14, CSV-15 columns named like a field are matched, whatever case and spaces', () => {
    const sample = sampleOf(LIST, true)
    expect(sample.labels).toEqual(['Keyword', 'SOURCE', 'score', 'Column 4'])
    expect(matchColumns({}, sample)).toEqual({ keyword: 0, source: 1, score: 2 })
  })

  test('CSV-14 the order of the columns does not matter, a longer name does', () => {
    const sample = sampleOf(
      [
        ['Score', 'Keyword phrase', 'Source'],
        ['1', 'a', 'E'],
      ],
      true,
    )
    expect(matchColumns({}, sample)).toEqual({ score: 0, source: 2 })
  })

  test('Q76 without headers a column is called by its number and first value', () => {
    const long = 'a'.repeat(41)
    const sample = sampleOf([['garden path', '', long]], false)
    expect(sample.labels).toEqual([
      'Column 1: garden path',
      'Column 2',
      `Column 3: ${'a'.repeat(40)}…`,
    ])
    expect(matchColumns({}, sample)).toEqual({})
  })

  test('CSV-14 a first row that is data is not matched even if it reads like headers', () => {
    expect(matchColumns({}, sampleOf(LIST, false))).toEqual({})
  })

  test('a chosen column stays, unless the file does not have it', () => {
    const sample = sampleOf(LIST, true)
    expect(matchColumns({ keyword: 3, score: 7 }, sample)).toEqual({
      keyword: 3,
      source: 1,
      score: 2,
    })
  })

  test.each<[CsvMapping, string[]]>([
    [{}, ['Keyword', 'Source', 'Score']],
    [{ keyword: 0, score: 1 }, ['Source']],
    [{ keyword: 0, source: 0, score: 0 }, []],
  ])('CSV-13 %j is complete without %j', (mapping, labels) => {
    expect(unmatchedLabels(mapping)).toEqual(labels)
  })

  test('CSV-13, Q74 a field that is not required may go without a column', () => {
    const fields = [
      { key: 'keyword', label: 'Keyword', required: true },
      { key: 'score', label: 'Score', required: false },
    ] as const
    expect(unmatchedLabels({ keyword: 1 }, fields)).toEqual([])
  })
})

describe('rows', () => {
  const mapping = { keyword: 0, source: 1, score: 2 }

  test('CSV-19 with headers the first row is dropped', () => {
    expect(keywordRows(LIST, true, mapping).map(({ keyword }) => keyword)).toEqual([
      'garden path',
      'lumen',
    ])
  })

  test('CSV-20 without headers the first row is data', () => {
    expect(keywordRows(LIST, false, mapping)).toHaveLength(3)
  })

  test('a short row has empty cells', () => {
    expect(keywordRows([['a', 'E']], false, mapping)).toEqual([
      { keyword: 'a', source: 'E', score: '' },
    ])
  })

  test('CSV-17 the sample has ten rows, with or without headers', () => {
    const rows = Array.from({ length: 30 }, (_, index) => [`k${index}`])
    expect(sampleOf(rows, true).rows.map(([cell]) => cell)).toEqual(
      Array.from({ length: 10 }, (_, index) => `k${index + 1}`),
    )
    expect(sampleOf(rows, false).rows).toHaveLength(10)
    expect(sampleOf(rows, false).rows[0]).toEqual(['k0'])
  })
})
