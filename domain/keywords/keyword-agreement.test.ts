import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runCount } from '../../scripts/test-depth.ts'
import type { DocumentNode } from '../text/document.ts'
import { createKeywordPlaces } from './keyword-places.ts'
import {
  createKeywordMatcher,
  createScorecard,
  documentTree,
  type Range,
  textBlocks,
} from './keyword-use.ts'
import { type NearMiss, nearMisses } from './near-misses.ts'

/** Words that are often nearly the same. */
const WORDS = {
  Latin: [
    'garden',
    'gardens',
    'Gardan',
    'path',
    'PATHS',
    'café',
    'cafe',
    'a',
    'nodejs',
    'cafe\u0301',
  ],
  Cyrillic: ['лампа', 'лампы', 'Лампою', 'ёлка', 'елка', 'дорожка', 'дарожка', 'и', 'йод'],
  Greek: ['λάμπα', 'ΛΑΜΠΕΣ', 'λαμπα', 'κήπος', 'φωτισμός', 'φωτησμός', 'και'],
  Han: ['花', '园', '照明', '花园', 'の', 'cat', '庭'],
  Hebrew: ['גינה', 'הגינה', 'שָׁלוֹם', 'שלום', 'מנורה', 'מנורות', 'גן'],
}

const GAPS = [
  ' ',
  ' ',
  ' ',
  ' ',
  '-',
  '’',
  ', ',
  '. ',
  '',
  '\n',
  '\u00ad',
  '\u00a0',
  '_',
  '.',
  ' — ',
  '‑',
]
const JOINTS = [' ', ' ', ' ', '-', "'", '']

const node = (type: string, content: DocumentNode[], level?: number): DocumentNode => ({
  type,
  content,
  ...(level && { attrs: { level } }),
})

const HEADING_TREE = {
  ...documentTree,
  isHeading: ({ type }: DocumentNode) => type === 'heading',
}

/** The text with its line breaks, in pieces with and without a mark. */
function inline(words: string, cut: number): DocumentNode[] {
  const pieces = [words.slice(0, cut), words.slice(cut)].map((piece) => piece.split(/(\n)/))
  return pieces.flatMap((piece, at) =>
    piece.filter(Boolean).map((part): DocumentNode => {
      if (part === '\n') return { type: 'hardBreak' }
      return { type: 'text', text: part, ...(at === 1 && { marks: [{ type: 'bold' }] }) }
    }),
  )
}

/** Words and the gaps after them. */
const run = (
  words: readonly string[],
  gaps: readonly string[],
  minLength: number,
  maxLength: number,
) =>
  fc
    .array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(...gaps)), { minLength, maxLength })
    .map((pairs) => pairs.flat())

function documentOf(words: readonly string[]) {
  const block = fc
    .tuple(
      run(words, GAPS, 0, 9),
      fc.constantFrom('paragraph', 'paragraph', 'heading', 'item', 'quote'),
      fc.nat(20),
    )
    .map(([pieces, kind, cut]) => {
      const content = inline(pieces.join('').trimEnd(), cut)
      if (kind === 'heading') return node('heading', content, 2)
      const paragraph = node('paragraph', content)
      if (kind === 'item') return node('bulletList', [node('listItem', [paragraph])])
      return kind === 'quote' ? node('blockquote', [paragraph]) : paragraph
    })
  return fc.array(block, { minLength: 1, maxLength: 7 }).map((content) => node('doc', content))
}

const keywordsOf = (words: readonly string[]) =>
  fc.array(
    run(words, JOINTS, 1, 3).map((pieces) => pieces.slice(0, -1).join('')),
    { minLength: 1, maxLength: 5 },
  )

const overlap = (a: Range, b: Range): boolean => a.from < b.to && b.from < a.to

describe.each(Object.entries(WORDS))('in random documents of %s words', (_, words) => {
  it('numbers, marks, places and use agree', { tags: ['@SC-12', '@SC-18'] }, () => {
    let total = 0
    fc.assert(
      fc.property(
        documentOf(words),
        keywordsOf(words),
        fc.infiniteStream(fc.boolean()),
        (document, keywords, slices) => {
          const places = createKeywordPlaces<DocumentNode>(keywords, HEADING_TREE)
          const scorecard = createScorecard(keywords, documentTree)
          scorecard.update(document)
          while (!places.update(document, () => slices.next().value === true));
          const matcher = createKeywordMatcher(keywords)
          const blocks = [...textBlocks(documentTree, document)]
          for (const [index] of keywords.entries()) {
            const ranges = blocks.map((block) =>
              matcher.ranges(documentTree.blockText(block), index),
            )
            const marks = blocks.map((block) =>
              places.placesIn(block).filter((place) => place.index === index),
            )
            const inHeadings = ranges.filter((_, at) => blocks[at]?.type === 'heading')
            expect(marks).toEqual(ranges.map((some) => some.map((range) => ({ index, ...range }))))
            expect(places.count(index)).toEqual({
              places: ranges.flat().length,
              inHeadings: inHeadings.flat().length,
              mostInBlock: Math.max(...ranges.map((some) => some.length)),
            })
            expect(scorecard.isUsed(index)).toBe(ranges.flat().length > 0)
            total += ranges.flat().length
          }
          expect(places.total).toBe(marksIn(blocks, places.placesIn))
        },
      ),
      { numRuns: runCount('LENS_DOCUMENTS'), seed: 33 },
    )
    expect(total).toBeGreaterThan(runCount('LENS_DOCUMENTS'))
  })

  it('a near miss is never a place that counts, and its replacement always is one', {
    tags: ['@SC-12', '@SC-22'],
  }, () => {
    let [found, replaced] = [0, 0]
    fc.assert(
      fc.property(documentOf(words), keywordsOf(words), (document, keywords) => {
        const texts = [...textBlocks(documentTree, document)].map(documentTree.blockText)
        for (const keyword of keywords) {
          const matcher = createKeywordMatcher([keyword])
          const near = nearMisses(texts, keyword)
          const used = texts.map((text) => matcher.ranges(text, 0))
          found += near.length
          for (const { ranges } of near) {
            const counted = ranges.filter((range) =>
              used[range.block]?.some((place) => overlap(place, range)),
            )
            expect(counted).toEqual([])
          }
          expectApart(near)
          replaced += near.filter((miss) => expectReplaced(miss, texts, keyword)).length
        }
      }),
      { numRuns: runCount('LENS_DOCUMENTS'), seed: 34 },
    )
    expect(found).toBeGreaterThan(runCount('LENS_DOCUMENTS') / 5)
    expect(replaced).toBeGreaterThan(runCount('LENS_DOCUMENTS') / 10)
  })
})

const marksIn = (
  blocks: readonly DocumentNode[],
  placesIn: (block: DocumentNode) => readonly unknown[],
): number => blocks.reduce((sum, block) => sum + placesIn(block).length, 0)

/** In the order of the text, and none over another. */
function expectApart(near: readonly NearMiss[]): void {
  const ranges = near.flatMap((miss) => miss.ranges)
  const ordered = ranges.toSorted((a, b) => a.block - b.block || a.from - b.from)
  expect(near.map((miss) => miss.ranges[0])).toEqual(
    near.map((miss) => miss.ranges[0]).toSorted((a, b) => order(a) - order(b)),
  )
  for (const [at, range] of ordered.entries()) {
    const next = ordered[at + 1]
    if (next?.block === range.block) expect(next.from).toBeGreaterThanOrEqual(range.to)
  }
}

const order = (range: NearMiss['ranges'][number] | undefined): number =>
  range ? range.block * 10_000 + range.from : -1

/** Whether there is a replacement: with it the keyword counts at that place. */
function expectReplaced(miss: NearMiss, texts: readonly string[], keyword: string): boolean {
  const [range] = miss.ranges
  if (miss.replacement === null || range === undefined) return false
  const text = texts[range.block] ?? ''
  const next = text.slice(0, range.from) + miss.replacement + text.slice(range.to)
  const used = createKeywordMatcher([keyword]).ranges(next, 0)
  const written = { from: range.from, to: range.from + miss.replacement.length }
  expect(used.some((place) => overlap(place, written))).toBe(true)
  expect(miss.ranges).toHaveLength(1)
  return true
}
