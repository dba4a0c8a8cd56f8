import { describe, expect, test } from 'vitest'
import type { CsvMapping } from '../../../../domain/keywords/keyword-import.ts'
import { headerRowsOf, headOf, matchColumns, sampleOf, unmatchedLabels } from './csv-table.ts'

const LIST = [
  ['Keyword', ' SOURCE ', 'score', ''],
  ['garden path', 'E', '5', 'note'],
  ['lumen', 'I', '72', ''],
]

describe('columns', () => {
  test('columns named like a field are matched, whatever case and spaces', {
    tags: ['@CSV-14', '@CSV-15'],
  }, () => {
    const sample = sampleOf(LIST, 0)
    expect(sample.labels).toEqual(['Keyword', 'SOURCE', 'score', 'Column 4'])
    expect(matchColumns({}, sample)).toEqual({ keyword: 0, source: 1, score: 2 })
  })

  test('the order of the columns does not matter, a longer name does', {
    tags: ['@CSV-14'],
  }, () => {
    const sample = sampleOf(
      [
        ['Score', 'Keyword phrase', 'Source'],
        ['1', 'a', 'E'],
      ],
      0,
    )
    expect(matchColumns({}, sample)).toEqual({ score: 0, source: 2 })
  })

  test('without headers a column is called by its number and first value', {
    tags: ['@Q76'],
  }, () => {
    const long = 'a'.repeat(41)
    const sample = sampleOf([['garden path', '', long]], null)
    expect(sample.labels).toEqual([
      'Column 1: garden path',
      'Column 2',
      `Column 3: ${'a'.repeat(40)}…`,
    ])
    expect(matchColumns({}, sample)).toEqual({})
  })

  test('columns of one name are told apart by their numbers', () => {
    const long = 'a'.repeat(41)
    expect(
      sampleOf([['Keyword', 'Source', 'Score', 'Score', 'score', `${long}b`, long]], 0).labels,
    ).toEqual([
      'Keyword',
      'Source',
      'Score (column 3)',
      'Score (column 4)',
      'score',
      `${'a'.repeat(40)}… (column 6)`,
      `${'a'.repeat(40)}… (column 7)`,
    ])
    // A choice of a select is drawn with single spaces.
    expect(
      sampleOf([['Search volume', 'Search \u00a0volume', 'Search\nvolume']], 0).labels,
    ).toEqual(['Search volume (column 1)', 'Search volume (column 2)', 'Search volume (column 3)'])
  })

  test('a first row that is data is not matched even if it reads like headers', {
    tags: ['@CSV-14'],
  }, () => {
    expect(matchColumns({}, sampleOf(LIST, null))).toEqual({})
  })

  test('a chosen column stays, unless the file does not have it', () => {
    const sample = sampleOf(LIST, 0)
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
  ])('%j is complete without %j', { tags: ['@CSV-13'] }, (mapping, labels) => {
    expect(unmatchedLabels(mapping)).toEqual(labels)
  })

  test('a field that is not required may go without a column', {
    tags: ['@CSV-13', '@Q74'],
  }, () => {
    const fields = [
      { key: 'keyword', label: 'Keyword', required: true },
      { key: 'score', label: 'Score', required: false },
    ] as const
    expect(unmatchedLabels({ keyword: 1 }, fields)).toEqual([])
  })
})

describe('rows', () => {
  test('the sample has ten rows, with or without headers, and no empty ones', {
    tags: ['@CSV-17', '@CN-03'],
  }, () => {
    const rows = Array.from({ length: 30 }, (_, index) => (index === 3 ? [] : [`k${index}`]))
    expect(sampleOf(rows, 0).rows.flat()).toEqual(
      [1, 2, 4, 5, 6, 7, 8, 9, 10, 11].map((index) => `k${index}`),
    )
    expect(sampleOf(rows, null).rows).toHaveLength(10)
    expect(sampleOf(rows, null).rows[0]).toEqual(['k0'])
    expect(sampleOf(rows, 2).rows[0]).toEqual(['k4'])
    expect(sampleOf(rows, 2).labels).toEqual(['k2'])
  })

  test('a row at the top with anything in it can be that of the headers', () => {
    expect(headerRowsOf([['a list'], [], ['Keyword'], ['jugs']])).toEqual([0, 2, 3])
    expect(headerRowsOf(Array.from({ length: 100 }, () => ['k']))).toHaveLength(30)
  })

  test('the page has a part of a long list only', () => {
    expect(headOf(Array.from({ length: 200 }, () => ['k'.repeat(300)])).length).toBeLessThan(150)
    expect(headOf([['k'.repeat(300)]])).toEqual([['k'.repeat(200)]])
  })
})
