import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
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
    ['KW-02', 'Content Marketing', 'content marketing'],
    ['KW-01', 'node.js', 'nodejs'],
    ['KW-01', 'C++ (guide)', 'c guide'],
    ['KW-01', '=SUM(A1)|+@x', 'suma1x'],
    ['KW-01', "writer's well-being", "writer's well-being"],
    ['KW-01', 'snake_case', 'snakecase'],
    ['Q77', '  two \t spaces\u00a0here ', 'two spaces here'],
    ['Q77', 'Café', 'café'],
    ['Q77', 'Cafe\u0301', 'café'],
    ['Q77', 'नमस्ते', 'नमस्ते'],
    ['Q77', '٣ ½ 月', '٣ ½ 月'],
    ['Q77', 'writer’s ‘moon’ ʼn', "writer's 'moon' 'n"],
    ['Q77', 'well‐being non‑stop', 'well-being non-stop'],
    ['Q77', 'moon–owl', 'moonowl'],
    ['Q77', 'so\u00adft\u200b', 'soft'],
    ['Q77', 'moon ❤️ owl', 'moon owl'],
    ['Q40', 'STRASSE', 'strasse'],
    ['Q40', 'Straße', 'straße'],
    ['Q40', 'oﬃce ＭＯＯＮ', 'office moon'],
    ['Q40', 'İSTANBUL', 'istanbul'],
    ['Q40', 'ΛΌΓΟΣ', 'λόγος'],
    ['Q40', 'שָׁלוֹם', 'שָׁלוֹם'.normalize('NFC')],
    ['Q40', 'don´t ４ x²', "don't ４ x²"],
    ['Q77', '★ %', ''],
    ['Q77', '', ''],
  ])('%s %j becomes %j', (_, text, keyword) => {
    expect(normaliseKeyword(text)).toBe(keyword)
  })

  it('KW-01, KW-02 a normalised keyword stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = normaliseKeyword(text)
        expect(normaliseKeyword(once)).toBe(once)
        expect(once).toMatch(/^[\p{L}\p{M}\p{N} '-]*$/u)
      }),
      { numRuns: 1_000 },
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
  ])('Q79 %j is %j', (score, value) => {
    expect(numericScore(score)).toBe(value)
  })
})

describe('categories', () => {
  it.each<[string, string, KeywordCategory]>([
    ['KW-19', 'E3', NEED],
    ['KW-19', 'E4', MUST],
    ['KW-19', 'I79', NEED],
    ['KW-19', 'I80', MUST],
    ['KW-19, KW-15', 'X99', WHEN],
    ['KW-19, KW-07', 'X1 X1', NEED],
    ['KW-07', 'X1 X1 X1', NEED],
    ['KW-19, KW-08', 'X1 X1 X1 X1', MUST],
    ['KW-08', 'X1 X1 X1 X1 X1', MUST],
    ['KW-19, KW-16', 'E5 I10', MUST],
    ['KW-19', 'E1 E1', NEED],
    ['KW-19', 'E1 E1 E1 E1', MUST],
    ['KW-09', 'E100', MUST],
    ['KW-10', 'E2', NEED],
    ['KW-11', 'E1', WHEN],
    ['KW-11', 'E', WHEN],
    ['KW-12', 'I100', MUST],
    ['KW-13', 'I50', NEED],
    ['KW-14', 'I49', WHEN],
    ['KW-16', 'X1 I80', MUST],
    ['Q79', 'E3.99', NEED],
    ['Q79', 'E1.99', WHEN],
    ['Q79', 'I79.9', NEED],
    ['Q79', 'I49.9', WHEN],
    ['Q79', 'I85%', MUST],
    ['Q79', 'Inone', WHEN],
    ['Q78', 'e4', MUST],
    ['Q78', 'i80', MUST],
  ])('%s %s: %s', (_, copies, category) => {
    const rows = copies
      .split(' ')
      .map((copy) => ({ keyword: 'moon', source: copy.slice(0, 1), score: copy.slice(1) }))
    const categories = categoriseKeywords(rows).map((keyword) => keyword.category)
    expect(categories).toEqual(rows.map(() => category))
  })

  it('Q78 only exactly E or I is special', () => {
    const [long] = categoriseKeywords([{ keyword: 'moon', source: 'EI', score: 100 }])
    expect(long).toEqual({ keyword: 'moon', source: 'EI', score: 100, category: WHEN })
  })

  it('KW-03, KW-18, Q79 keeps order, copies and the uploaded score, counts by the normalised keyword', () => {
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

  it('KW-07 KW-18 Q40 copies are those of the same letters', () => {
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

  it('KW-08 the work grows with the rows, also when all are copies of one keyword', () => {
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

  it('SC-07, SC-08, SC-09, SC-10, KW-06 always three, in order of priority', () => {
    expect(KEYWORD_CATEGORIES).toEqual([MUST, NEED, WHEN])
    expect(scorecardGroups([entry('late', WHEN), entry('first', MUST)])).toEqual([
      { category: MUST, keywords: ['first'] },
      { category: NEED, keywords: [] },
      { category: WHEN, keywords: ['late'] },
    ])
  })

  it('SC-16 other categories are ignored, also by duplicates', () => {
    const groups = scorecardGroups([
      entry('moon', 'Avoid'),
      entry('moon', NEED),
      entry('x', 'must use'),
    ])
    expect(groups.map(({ keywords }) => keywords)).toEqual([[], ['moon'], []])
  })

  it('SC-17, Q39 of duplicates the highest category stays, else the first', () => {
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
  ])('SC-15, Q38 %s', (_, list, expected) => {
    expect(hasEntities(list)).toBe(expected)
  })
})
