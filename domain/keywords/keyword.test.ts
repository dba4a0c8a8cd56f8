import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomRuns } from '../../scripts/test-depth.ts'
import {
  hasEntities,
  KEYWORD_CATEGORIES,
  type KeywordCategory,
  normaliseKeyword,
  scorecardGroups,
} from './keyword.ts'
import { categoriseKeywords, numericScore } from './keyword-category.ts'

const MUST = 'Must Use'
const NEED = 'Need to Use'
const WHEN = 'Use When You Can'

describe('normalising keywords', () => {
  it.each([
    ['Content Marketing', 'content marketing'],
    ['node.js', 'nodejs'],
    ['C++ (guide)', 'c guide'],
    ['=SUM(A1)|+@x', 'suma1x'],
    ["writer's well-being", "writer's well-being"],
    ['snake_case', 'snakecase'],
    ['  two \t spaces\u00a0here ', 'two spaces here'],
    ['Café', 'café'],
    ['Cafe\u0301', 'café'],
    ['नमस्ते', 'नमस्ते'],
    ['٣ ½ 月', '٣ ½ 月'],
    ['writer’s ‘moon’ ʼn', "writer's 'moon' 'n"],
    ['well‐being non‑stop', 'well-being non-stop'],
    ['moon–owl', 'moonowl'],
    ['so\u00adft\u200b', 'soft'],
    ['moon ❤️ owl', 'moon owl'],
    ['STRASSE', 'strasse'],
    ['Straße', 'straße'],
    ['oﬃce ＭＯＯＮ', 'office moon'],
    ['İSTANBUL', 'istanbul'],
    ['ΛΌΓΟΣ', 'λόγος'],
    ['שָׁלוֹם', 'שָׁלוֹם'.normalize('NFC')],
    ['don´t ４ x²', "don't ４ x²"],
    ['★ %', ''],
    ['', ''],
  ])('%j becomes %j', { tags: ['@KW-01', '@KW-02', '@Q40', '@Q77'] }, (text, keyword) => {
    expect(normaliseKeyword(text)).toBe(keyword)
  })

  it('a normalised keyword stays as it is', { tags: ['@KW-01', '@KW-02'] }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = normaliseKeyword(text)
        expect(normaliseKeyword(once)).toBe(once)
        expect(once).toMatch(/^[\p{L}\p{M}\p{N} '-]*$/u)
      }),
      { numRuns: randomRuns(2_500) },
    )
  })
})

describe('reading scores', () => {
  it.each<[number | string, number | null]>([
    [4, 4],
    [79.5, 79.5],
    ['80', 80],
    [' 80 % ', 80],
    ['1,234.5', 1234.5],
    ['1 234', 1234],
    ['12\u202f345', 12345],
    ["1'000", 1000],
    ['-2', -2],
    ['.5', 0.5],
    ['', null],
    ['%', null],
    ['high', null],
    ['3,5', null],
    ['12,34', null],
    ['4x', null],
    ['0x10', null],
    ['1e3', null],
    ['Infinity', null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
  ])('%j is %j', { tags: ['@KW-05', '@Q79'] }, (score, value) => {
    expect(numericScore(score)).toBe(value)
  })
})

describe('categories', () => {
  it.each<[string, KeywordCategory]>([
    ['E3', NEED],
    ['E4', MUST],
    ['I79', NEED],
    ['I80', MUST],
    ['X99', WHEN],
    ['X1 X1', NEED],
    ['X1 X1 X1', NEED],
    ['X1 X1 X1 X1', MUST],
    ['X1 X1 X1 X1 X1', MUST],
    ['E5 I10', MUST],
    ['E1 E1', NEED],
    ['E1 E1 E1 E1', MUST],
    ['E100', MUST],
    ['E2', NEED],
    ['E1', WHEN],
    ['E', WHEN],
    ['I100', MUST],
    ['I50', NEED],
    ['I49', WHEN],
    ['X1 I80', MUST],
    ['E3.99', NEED],
    ['E1.99', WHEN],
    ['I79.9', NEED],
    ['I49.9', WHEN],
    ['I85%', MUST],
    ['Inone', WHEN],
    ['e4', MUST],
    ['i80', MUST],
  ])(
    '%s: %s',
    {
      tags: [
        '@KW-04',
        '@KW-07',
        '@KW-08',
        '@KW-09',
        '@KW-10',
        '@KW-11',
        '@KW-12',
        '@KW-13',
        '@KW-14',
        '@KW-15',
        '@KW-16',
        '@KW-19',
        '@Q78',
        '@Q79',
        '@Q80',
      ],
    },
    (copies, category) => {
      const rows = copies
        .split(' ')
        .map((copy) => ({ keyword: 'moon', source: copy.slice(0, 1), score: copy.slice(1) }))
      const categories = categoriseKeywords(rows).map((keyword) => keyword.category)
      expect(categories).toEqual(rows.map(() => category))
    },
  )

  it('only exactly E or I is special', { tags: ['@KW-04', '@Q78'] }, () => {
    const [long] = categoriseKeywords([{ keyword: 'moon', source: 'EI', score: 100 }])
    expect(long).toEqual({ keyword: 'moon', source: 'EI', score: 100, category: WHEN })
  })

  it('keeps order, copies and the uploaded score, counts by the normalised keyword', {
    tags: ['@KW-03', '@KW-05', '@KW-18', '@Q79'],
  }, () => {
    expect(
      categoriseKeywords([
        { keyword: 'Node.js', source: ' e ', score: ' 1,5 ' },
        { keyword: '???', source: 'E', score: 9 },
        { keyword: 'owl', source: 'X', score: '' },
        { keyword: 'NODEJS ', source: 'I', score: '7%' },
      ]),
    ).toEqual([
      { keyword: 'nodejs', source: 'E', score: ' 1,5 ', category: NEED },
      { keyword: 'owl', source: 'X', score: '', category: WHEN },
      { keyword: 'nodejs', source: 'I', score: '7%', category: NEED },
    ])
  })

  it('copies are those of the same letters', { tags: ['@KW-07', '@KW-18', '@Q40'] }, () => {
    const spelled = ['STRASSE', 'straße', 'Owl', 'oﬃce', 'OFFICE', 'office', 'ｏｆｆｉｃｅ']
    const rows = spelled.map((keyword) => ({ keyword, source: 'X', score: 1 }))
    const list = categoriseKeywords(rows)
    expect(list.map(({ keyword, category }) => `${keyword}: ${category}`)).toEqual([
      `strasse: ${NEED}`,
      `straße: ${NEED}`,
      `owl: ${WHEN}`,
      ...Array(4).fill(`office: ${MUST}`),
    ])
    expect(scorecardGroups(list).map(({ keywords }) => keywords)).toEqual([
      ['office'],
      ['strasse'],
      ['owl'],
    ])
  })

  it('the work grows with the rows, also when all are copies of one keyword', {
    tags: ['@KW-08'],
  }, () => {
    const rows = Array.from({ length: 20_000 }, () => ({ keyword: 'moon', source: 'X', score: 1 }))
    expect(categoriseKeywords(rows).every(({ category }) => category === MUST)).toBe(true)
  })

  it('a keyword named like an object member is a keyword', () => {
    const names = ['constructor', '__proto__', 'toString']
    const rows = names.map((keyword) => ({ keyword, source: 'X', score: 1 }))
    expect(categoriseKeywords(rows).map(({ category }) => category)).toEqual([WHEN, WHEN, WHEN])
  })
})

describe('the groups of the scorecard', () => {
  const entry = (keyword: string, category: string) => ({
    keyword,
    source: 'X',
    score: 1,
    category,
  })

  it('always three, in order of priority', {
    tags: ['@SC-07', '@SC-08', '@SC-09', '@SC-10', '@KW-06'],
  }, () => {
    expect(KEYWORD_CATEGORIES).toEqual([MUST, NEED, WHEN])
    expect(scorecardGroups([entry('late', WHEN), entry('first', MUST)])).toEqual([
      { category: MUST, keywords: ['first'] },
      { category: NEED, keywords: [] },
      { category: WHEN, keywords: ['late'] },
    ])
  })

  it('other categories are ignored, also by duplicates', { tags: ['@SC-16'] }, () => {
    const groups = scorecardGroups([
      entry('moon', 'Avoid'),
      entry('moon', NEED),
      entry('x', 'must use'),
    ])
    expect(groups.map(({ keywords }) => keywords)).toEqual([[], ['moon'], []])
  })

  it('of duplicates the highest category stays, else the first', {
    tags: ['@SC-17', '@Q39'],
  }, () => {
    const groups = scorecardGroups([
      entry('moon', WHEN),
      entry('Owl', NEED),
      entry('moon', MUST),
      entry('owl', NEED),
      entry('sun', NEED),
    ])
    expect(groups.map(({ keywords }) => keywords)).toEqual([['moon'], ['Owl', 'sun'], []])
  })

  it.each([
    ['no list', [], false],
    ['ignored categories only', [entry('moon', 'Avoid')], false],
    ['one of the three', [entry('moon', 'Avoid'), entry('owl', WHEN)], true],
  ])('%s', { tags: ['@SC-15', '@Q38'] }, (_, list, expected) => {
    expect(hasEntities(list)).toBe(expected)
  })
})
