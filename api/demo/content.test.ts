import { describe, expect, it } from 'vitest'
import { KEYWORD_CATEGORIES, scorecardGroups } from '../../domain/keywords/keyword.ts'
import { createScorecard, documentTree } from '../../domain/keywords/keyword-use.ts'
import { wordCount } from '../../domain/text/article-text.ts'
import { asDocument, type DocumentNode, readDocument } from '../../domain/text/document.ts'
import { ALLOWED_MARKS, ALLOWED_NODES } from '../../domain/text/document-schema.ts'
import type { Keyword } from '../../domain/wire/articles.ts'
import { DEMO_CLIENTS, DEMO_USERS } from './agency.ts'
import { type DemoArticle, readArticle, readArticles } from './content.ts'

const articles = readArticles()

function article(name: string) {
  const found = articles.find((one) => one.name === name)
  if (!found) throw new Error(`The demo has no article '${name}'`)
  return found
}

const lighting = article('A Quiet Guide to Garden Path Lighting')
const year = article("The Gardener's Year, Month by Month")
const withKeywords = articles.filter(({ keywordList }) => keywordList.length > 0)
const names = (among: typeof articles) => among.map(({ name }) => name)

describe('the articles of the demo', () => {
  it.each(articles.map((one) => [one.name, one] as const))('%s is valid', (_, one) => {
    expect(readDocument(one.articleText)).toEqual({ ok: true, document: one.articleText })
    expect(DEMO_USERS.map(({ key }) => key)).toContain(one.writer)
    if (one.client !== null) expect(DEMO_CLIENTS.map(({ key }) => key)).toContain(one.client)
    expect(one.wordMinimum).toBeGreaterThanOrEqual(0)
    expect(one.updatedDaysAgo).toBeGreaterThan(0)
    expect(one.brief.trim()).toBe(one.brief)
    if (one.completed) expect(wordCount(one.articleText)).toBeGreaterThan(one.wordMinimum)
  })

  it('are thirty with names of their own', () => {
    expect(new Set(names(articles)).size).toBe(30)
  })

  it('fill both lists of Larkspur Gardens to more than one page', () => {
    const larkspur = articles.filter(({ client }) => client === 'larkspur-gardens')
    expect(larkspur.filter(({ completed }) => !completed).length).toBeGreaterThanOrEqual(12)
    expect(larkspur.filter(({ completed }) => completed).length).toBeGreaterThanOrEqual(8)
  })

  it('have one of 6,000 words or more, and the lighting guide has 458 of 700', () => {
    expect(wordCount(year.articleText)).toBe(6155)
    expect(year.completed).toBe(false)
    expect([wordCount(lighting.articleText), lighting.wordMinimum]).toEqual([458, 700])
  })

  it('show every special case of the article page', () => {
    expect(names(articles.filter(({ client }) => client === null))).toEqual([
      'Outline: Winter Campaign',
    ])
    expect(names(articles.filter(({ wordMinimum }) => wordMinimum === 0))).toEqual([
      'Outline: Winter Campaign',
      'Notes from the Potting Bench',
    ])
    expect(names(articles.filter(({ articleText }) => wordCount(articleText) === 0))).toEqual([
      'Outline: Winter Campaign',
      'Twelve Ferns for a Shaded Wall',
      'Bulbs to Forget About',
    ])
    const outline = asDocument(article('Climbers for a North Wall').articleText).content
    expect(new Set(outline.map(({ type }) => type))).toEqual(new Set(['heading']))
  })

  it('are late, due soon, due later and without a date', () => {
    const days = articles.filter(({ completed }) => !completed).map(({ dueInDays }) => dueInDays)
    const count = (holds: (day: number) => boolean) =>
      days.filter((day) => day !== null && holds(day)).length
    expect(count((day) => day < 0)).toBe(3)
    expect(count((day) => day >= 0 && day < 7)).toBe(4)
    expect(count((day) => day >= 7)).toBe(4)
    expect(days.filter((day) => day === null).length).toBeGreaterThanOrEqual(5)
    expect(articles.filter(({ brief }) => brief !== '')).toHaveLength(6)
  })

  it('use every kind of node and mark that the editor has', () => {
    const all = articles.flatMap(({ articleText }) => nodesIn(asDocument(articleText)))
    const marks = all.flatMap((node) => node.marks ?? []).map(({ type }) => type)
    expect(new Set(all.map(({ type }) => type))).toEqual(new Set(ALLOWED_NODES))
    expect(new Set(marks)).toEqual(new Set(ALLOWED_MARKS))
  })

  it('are refused with the name of the file when it is incomplete', () => {
    expect(() => readArticle('a.md', 'No first lines.\n')).toThrow('a.md has no first lines')
    expect(() => readArticle('a.md', '---\ntitle: A\n---\n')).toThrow('a.md does not say its')
  })
})

describe('the keyword lists of the demo', () => {
  it.each(withKeywords.map((one) => [one.name, one.keywordList] as const))(
    '%s has 20 to 80 entries in all three categories',
    (_, list) => {
      expect(list.length).toBeGreaterThanOrEqual(20)
      expect(list.length).toBeLessThanOrEqual(80)
      for (const { keywords } of scorecardGroups(list)) expect(keywords.length).toBeGreaterThan(0)
    },
  )

  it('give most articles a list, and the longest article the longest', () => {
    expect(withKeywords.length).toBeGreaterThanOrEqual(20)
    expect(new Set(year.keywordList.map(({ keyword }) => keyword)).size).toBe(80)
  })

  it('let every rule decide something', {
    tags: [
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
    ],
  }, () => {
    const decided = withKeywords.flatMap(({ keywordList }) =>
      keywordList.map(deciding(keywordList)),
    )
    expect([...new Set(decided)].sort()).toEqual(['1', '2', '3', '4', '5'])
  })

  it('are in the lighting guide as the agency chose them', () => {
    expect(scorecardGroups(lighting.keywordList)).toEqual([
      {
        category: 'Must Use',
        keywords: [
          'garden path',
          'path light',
          'low voltage',
          'warm white',
          'glare',
          'moonlighting',
          'garden lighting',
          'transformer',
        ],
      },
      {
        category: 'Need to Use',
        keywords: [
          'lumen',
          'colour temperature',
          'bollard',
          'downlight',
          'shadow',
          'spacing',
          'beam angle',
          'gravel',
          'timer',
          'uplight',
        ],
      },
      { category: 'Use When You Can', keywords: expect.objectContaining({ length: 11 }) },
    ])
  })
})

describe('the scorecard of the demo', () => {
  it('counts 7/8, 8/10 and 5/11 in the lighting guide', {
    tags: ['@SC-11', '@SC-19', '@SC-21'],
  }, () => {
    expect(usedCounts(lighting)).toEqual(['7/8', '8/10', '5/11'])
    expect(unused(lighting).slice(0, 3)).toEqual(['garden lighting', 'timer', 'uplight'])
  })

  it('has used and unused keywords in every text of some length', () => {
    const written = withKeywords.filter(({ articleText }) => wordCount(articleText) > 100)
    expect(written.length).toBeGreaterThanOrEqual(20)
    for (const one of written) {
      const share = 1 - unused(one).length / distinct(one).length
      expect(share, one.name).toBeGreaterThan(0.1)
      expect(share, one.name).toBeLessThan(1)
    }
  })
})

const distinct = (one: DemoArticle) =>
  scorecardGroups(one.keywordList).flatMap(({ keywords }) => keywords)

function isUsedIn({ articleText }: DemoArticle, keywords: string[]): boolean[] {
  const scorecard = createScorecard(keywords, documentTree)
  scorecard.update(asDocument(articleText))
  return keywords.map((_, index) => scorecard.isUsed(index))
}

function unused(one: DemoArticle): string[] {
  const used = isUsedIn(one, distinct(one))
  return distinct(one).filter((_, index) => !used[index])
}

const usedCounts = (one: DemoArticle) =>
  scorecardGroups(one.keywordList).map(({ keywords }) => {
    const used = isUsedIn(one, keywords).filter(Boolean)
    return `${used.length}/${keywords.length}`
  })

function nodesIn(node: DocumentNode): DocumentNode[] {
  return [node, ...(node.content ?? []).flatMap(nodesIn)]
}

/** The rule of spec section 9 that gave an entry its category; '5' when the entry alone would have less. */
function deciding(list: readonly Keyword[]) {
  return ({ keyword, source, score, category }: Keyword): string => {
    const copies = list.filter((other) => other.keyword === keyword).length
    const [must, need] = { E: [4, 2], I: [80, 50] }[source] ?? [Infinity, Infinity]
    const own = rank(Number(score), must ?? Infinity, need ?? Infinity)
    const given = KEYWORD_CATEGORIES.map(String).indexOf(category)
    if (rank(copies, 4, 2) === given && own > given) return '1'
    if (own > given) return '5'
    return { E: '2', I: '3' }[source] ?? '4'
  }
}

const rank = (value: number, must: number, need: number) =>
  value >= must ? 0 : value >= need ? 1 : 2
