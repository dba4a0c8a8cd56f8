import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { categoriseKeywords, entitiesText, type KeywordRow } from './keyword-category.ts'
import { importKeywords } from './keyword-import.ts'
import { KEYWORDS_MAX } from './limits.ts'
import { articleSettingsBody, type Keyword } from './wire-articles.ts'

const row = (keyword: string, source = 'X', score: string | number = '1'): KeywordRow => ({
  keyword,
  source,
  score,
})

const NOTHING = {
  'no-keyword': 0,
  'long-keyword': 0,
  'long-source': 0,
  'long-score': 0,
  'over-limit': 0,
}

describe('importing an uploaded list', () => {
  it('Q77 counts every row that is left out once, by its first reason', () => {
    const { keywords, leftOut } = importKeywords([
      row('Garden Path', 'E', '5'),
      row(''),
      row('★'),
      row('a'.repeat(201)),
      row('b'.repeat(200)),
      row('c', 'eleven char'),
      row('d', 'X', '1'.repeat(201)),
      row('', 'eleven char', '1'.repeat(201)),
    ])
    expect(keywords.map(({ keyword }) => keyword)).toEqual(['garden path', 'b'.repeat(200)])
    expect(leftOut).toEqual({
      'no-keyword': 3,
      'long-keyword': 1,
      'long-source': 1,
      'long-score': 1,
      'over-limit': 0,
    })
  })

  it('KW-18 rows that are left out count as copies', () => {
    const { keywords } = importKeywords([row('moon'), row('moon', 'much too long')])
    expect(keywords).toEqual([{ ...row('moon'), category: 'Need to Use' }])
  })

  it('line breaks and control characters in a cell become spaces', () => {
    const [entry] = importKeywords([row('garden\npath', 'E\r\n', '5\u202e\n0\ud800')]).keywords
    expect(entry).toMatchObject({ keyword: 'garden path', source: 'E', score: '5 0 ' })
  })

  it('of more rows than an article holds the most useful stay, in the order of the file', () => {
    const low = Array.from({ length: KEYWORDS_MAX }, (_, index) => row(`low ${index}`))
    const repeats = Array.from({ length: 4 }, () => row('often'))
    const { keywords, leftOut } = importKeywords([...low, row('top', 'E', '4'), ...repeats])
    expect(leftOut).toEqual({ ...NOTHING, 'over-limit': 5 })
    expect(keywords).toHaveLength(KEYWORDS_MAX)
    expect(keywords.slice(-3).map(({ keyword }) => keyword)).toEqual(['low 4997', 'top', 'often'])
    expect(keywords.at(-1)?.category).toBe('Must Use')
  })
})

const cell = fc.oneof(
  fc.constantFrom('moon', 'Moon', 'owl', '', ' ', '★', 'x'.repeat(300)),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const anyRow = fc.record({
  keyword: cell,
  source: fc.oneof(fc.constantFrom('E', 'e', 'I', 'X', 'toolongsource'), cell),
  score: fc.oneof(fc.nat(100), fc.constantFrom('4', '80%', '1'.repeat(300)), cell),
})
const upload = fc.array(anyRow, { maxLength: 30 })
const numRuns = 500

describe('any upload', () => {
  it('every row is imported or counted, and the server takes the list', () => {
    fc.assert(
      fc.property(upload, (rows) => {
        const { keywords, leftOut } = importKeywords(rows)
        const left = Object.values(leftOut).reduce((sum, count) => sum + count, 0)
        expect(keywords.length + left).toBe(rows.length)
        expect(articleSettingsBody.safeParse({ keywordList: keywords }).success).toBe(true)
      }),
      { numRuns },
    )
  })

  it('KW-16 categories do not depend on the order of the rows', () => {
    const shuffled = upload.chain((rows) =>
      fc.tuple(
        fc.constant(rows),
        fc.shuffledSubarray(rows, { minLength: rows.length, maxLength: rows.length }),
      ),
    )
    const sorted = (list: Keyword[]) => list.map((entry) => JSON.stringify(entry)).sort()
    fc.assert(
      fc.property(shuffled, ([rows, others]) => {
        expect(sorted(categoriseKeywords(others))).toEqual(sorted(categoriseKeywords(rows)))
      }),
      { numRuns },
    )
  })

  it('KW-01 importing what was imported changes nothing', () => {
    fc.assert(
      fc.property(upload, (rows) => {
        const { keywords } = importKeywords(rows)
        expect(importKeywords(keywords).keywords.map(({ keyword }) => keyword)).toEqual(
          keywords.map(({ keyword }) => keyword),
        )
      }),
      { numRuns },
    )
  })
})

describe('the entities as text', () => {
  const entry = (keyword: string, category: string): Keyword => ({ ...row(keyword), category })

  it('AA-19, AA-20, AA-21, Q65 groups in order, each keyword once and on its own line', () => {
    expect(
      entitiesText([
        entry('lumen', 'Use When You Can'),
        entry('garden path', 'Must Use'),
        entry('glare', 'Need to Use'),
        entry('path light', 'Must Use'),
        entry('garden path', 'Must Use'),
        entry('moth', 'Some Day'),
      ]),
    ).toBe('Must Use\ngarden path\npath light\n\nNeed to Use\nglare\n\nUse When You Can\nlumen')
  })

  it('Q65 leaves empty groups out', () => {
    expect(entitiesText([entry('glare', 'Need to Use')])).toBe('Need to Use\nglare')
    expect(entitiesText([])).toBe('')
    expect(entitiesText([entry('=SUM(A1)', 'Must Use'), entry('=+@', 'Need to Use')])).toBe(
      'Must Use\nsuma1',
    )
  })
})
