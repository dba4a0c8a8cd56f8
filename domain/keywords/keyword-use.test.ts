import { getSchema } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { Transform } from '@tiptap/pm/transform'
import StarterKit from '@tiptap/starter-kit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomRuns } from '../../scripts/test-depth.ts'
import { countWords, wordCount } from '../text/article-text.ts'
import type { ArticleDocument } from '../text/document.ts'
import { fold } from '../text/folding.ts'
import { normaliseKeyword } from './keyword.ts'
import { createPhraseScanner } from './keyword-scan.ts'
import {
  type BlockTree,
  createKeywordMatcher,
  createScorecard,
  documentTree,
} from './keyword-use.ts'

/** Keyword, text, and whether it is used. */
const LETTERS: [string, string, boolean][] = [
  ['straße', 'In der STRASSE', true],
  ['STRASSE', 'zwei Straßen, eine Straße', true],
  ['istanbul', 'in İSTANBUL’da', true],
  ['ışık', 'IŞIK!', true],
  ['office', 'the oﬃces', true],
  ['moon', 'ｔｈｅ　ＭＯＯＮ', true],
  ['dont', 'don´t', false],
  ["don't", 'don´t', true],
  ["don't", 'don`t', true],
  ["don't", 'don′t', true],
  ['moon', 'mo\u00adon\u200bs', true],
  ['x2', 'x²', false],
  ['x²', 'x²', true],
  ['x', 'x²', true],
  ['moon', 'the moon¹.', true],
  ['moon', 'moon¹²⁾,', true],
  ['moon', 'moonⁿ and', true],
  ['moon', 'moon₂', true],
  ['moon', 'moon.¹', true],
  ['moon phase', 'moon¹ phase', true],
  ['moon', 'moon¹s', false],
  ['h', 'H₂O', false],
  ['5', '5²', false],
  ['λογοσ', 'ο Λόγος', true],
  ['שלום', 'שָׁלוֹם עולם', true],
  ['שלום', 'בשלום', false],
  ['محمد', 'قال مُحَمَّد', true],
  ['כתב-יד', 'כתב־יד', true],
  ['花园', '我的花园很大', true],
  ['東京', '私は東京へ行く', true],
  ['สวน', 'ฉันรักสวนดอกไม้', true],
  ['cat', '我的cat很大', true],
  ['花园 moon', '大花园 Moons', true],
  ['ก', 'กิ', false],
  ['か', 'か\u3099', false],
  ['ガ', 'ｶﾞ', true],
  ['cat', 'concat花', false],
]

describe('a keyword in a text', () => {
  const isUsed = (keyword: string, text: string) =>
    createKeywordMatcher([keyword]).find(text).length > 0

  it.each<[string, string, boolean]>([
    ['cat', 'the cat sat', true],
    ['cat', 'cat', true],
    ['cat', 'concatenate', false],
    ['cat', 'cat5 5cat', false],
    ['cat', 'cat_food _cat_', false],
    ['cat', 'caté écat cat\u0301', false],
    ['cat', '"cat", (cat). cat!', true],
    ['cat', 'cat-like', true],
    ['cat', "the cat's bowl", true],
    ['cat', '🐈cat🐈', true],
    ['cat', 'cat❤️', true],
    ['cat', '', false],
    ['cat', 'CAT', true],
    ['Café', 'CAFÉ', true],
    ['café', 'cafe\u0301', true],
    ['λόγος', 'ΛΌΓΟΣ', true],
    ['İstanbul', 'in İSTANBUL', true],
    ['cat', 'two cats', true],
    ['cat', 'CATS', true],
    ['moon phase', 'moon phases', true],
    ['moon phase', 'moons phase', false],
    ['cat', 'catss', false],
    ['box', 'boxes', false],
    ['story', 'stories', false],
    ['cats', 'cat', false],
    ["writer's block", 'Writer’s  Block', true],
    ["writer's block", 'writers block', false],
    ['well-being', 'well-being', true],
    ['well-being', 'well‑being', true],
    ['well-being', 'well being', false],
    ['well-being', 'wellbeing', false],
    ['moon phase', 'moon\u00a0 \u2009phase', true],
    ['moon phase', 'moon\nphase', false],
    ['moon phase', 'moon, phase', true],
    ['moon phase', 'moon/phase', true],
    ['moon phase', 'moonphase', false],
    ['nodejs', 'we use node.js here', true],
    ['nodejs', 'Node.js.', true],
    ['node', 'we use node.js here', true],
    ['node.js', 'nodejs', true],
    ['nodejs', 'node js', false],
    ['nodejs express', 'node.js, express', true],
    ['snakecase', 'a snake_case name', true],
    ['soft', 'so\u00adft', true],
    ['next', 'the end.Next', true],
    ["rock 'n' roll", 'rock ‘n’ roll', true],
    ["'n", "rock 'n roll", true],
    ["'n", "rock'n roll", false],
    ["cats'", "the cats' bowl", true],
    ["cats'", "the cats'x", false],
    ["cats'", "the cats's", true],
    ...LETTERS,
    ['(a+)+$', `${'a'.repeat(50)}!`, false],
    ['★', 'a ★ b', false],
    ['', 'text', false],
    ['constructor', 'the constructor', true],
  ])(
    '%j in %j: %s',
    { tags: ['@SC-19', '@SC-20', '@SC-21', '@SC-22', '@Q40'] },
    (keyword, text, used) => {
      expect(isUsed(keyword, text)).toBe(used)
    },
  )

  it('finds each keyword of a list, overlapping and repeated ones too', {
    tags: ['@SC-12'],
  }, () => {
    const matcher = createKeywordMatcher(['moon', 'full moon', 'moon phase', 'owl', 'Moon', 'full'])
    expect(matcher.find('The full moon phase')).toEqual([0, 1, 2, 4, 5])
    expect(matcher.find('Owls')).toEqual([3])
  })

  it('returns the position of a keyword', { tags: ['@SC-12'] }, () => {
    const matcher = createKeywordMatcher(['nodejs', 'moon phase', 'cat'])
    const text = 'Node.js, nodejs; Moon  phases; cat-cat 🐈 cats'
    const found = (index: number) =>
      matcher.ranges(text, index).map(({ from, to }) => text.slice(from, to))
    expect(found(0)).toEqual(['Node.js', 'nodejs'])
    expect(found(1)).toEqual(['Moon  phases'])
    expect(found(2)).toEqual(['cat', 'cat', 'cats'])
    expect(matcher.ranges('no', 0)).toEqual([])
    const places = matcher.places(text).map(({ index, from }) => `${from} ${index}`)
    expect(places).toEqual(['0 0', '9 0', '17 1', '31 2', '35 2', '42 2'])
  })

  it('orders places that begin together by their ends, then as the list has them', {
    tags: ['@SC-12'],
  }, () => {
    const matcher = createKeywordMatcher(['full moon', 'moon', 'full', 'Full'])
    expect(matcher.places('A full moon')).toEqual([
      { index: 2, from: 2, to: 6 },
      { index: 3, from: 2, to: 6 },
      { index: 0, from: 2, to: 11 },
      { index: 1, from: 7, to: 11 },
    ])
  })

  it('what was normalised on upload is still found in the text it came from', {
    tags: ['@Q40'],
  }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const keyword = normaliseKeyword(text)
        fc.pre(/[\p{L}\p{N}]/u.test(keyword) && !/[_\p{M}]/u.test(text + text.normalize('NFC')))
        expect(isUsed(keyword, `so: ${text} !`.replaceAll('\n', ' '))).toBe(true)
      }),
    )
  })

  it('stays linear in a text without spaces', { tags: ['@SC-18'] }, () => {
    const matcher = createKeywordMatcher(['a', 'a a', 'aa'])
    expect(matcher.find('a.'.repeat(300_000))).toEqual([0, 1])
    expect(matcher.find('_'.repeat(300_000))).toEqual([])
  })

  it('stays linear in a paragraph of 200,000 words', { tags: ['@SC-18'] }, () => {
    const places = createKeywordMatcher(['moon']).places('moon '.repeat(200_000))
    expect(places.length).toBe(200_000)
    expect(places.at(-1)).toEqual({ index: 0, from: 999_995, to: 999_999 })
  })
})

/**
 * The rulings as a plain table, written by hand for these pieces alone: what a search compares for each. A sign is `.`;
 * an ignored piece is empty.
 */
const PLAIN: Record<string, string> = {
  ...{
    a: 'a',
    b: 'b',
    s: 's',
    A: 'a',
    B: 'b',
    é: 'é',
    É: 'é',
    Σ: 'σ',
    ς: 'σ',
    ό: 'ο',
    '1': '1',
    _: '_',
  },
  ...{
    İ: 'i',
    I: 'i',
    ı: 'i',
    i: 'i',
    ß: 'ss',
    ẞ: 'ss',
    ﬃ: 'ffi',
    Ａ: 'a',
    '４': '４',
    ª: 'a',
  },
  ...{
    ' ': ' ',
    '\n': '\n',
    '\u00a0': ' ',
    '\u3000': ' ',
    '.': '.',
    ',': '.',
    '(': '.',
    '“': '.',
    '—': '.',
  },
  ...{
    "'": "'",
    '’': "'",
    ʼ: "'",
    '´': "'",
    '′': "'",
    '`': "'",
    '-': '-',
    '‑': '-',
    '🌙': '.',
    '/': '.',
  },
}
const PLAIN_RARE: Record<string, string> = {
  ...{
    'e\u0301': 'é',
    'o\u0301': 'ó',
    'ο\u0301': 'ο',
    'x\u0302': 'x\u0302',
    'i\u0307': 'i',
    𝒜: 'a',
    '²': '²',
  },
  ...{
    'ש\u05c1': 'ש',
    ש: 'ש',
    'م\u064f': 'م',
    م: 'م',
    ـ: '',
    '❤\ufe0f': '.',
    '\u00ad': '',
    '\u200b': '',
  },
  ...{
    月: '月',
    園: '園',
    が: 'が',
    'か\u3099': 'が',
    ｶﾞ: 'ガ',
    ก: 'ก',
    'ก\u0e34': 'ก\u0e34',
    𠀀: '𠀀',
  },
}
const UNSPACED = '月園がガก𠀀'
const SPACED = `(?![${UNSPACED}])[\\p{L}\\p{N}_]`
const ALL_PLAIN = { ...PLAIN, ...PLAIN_RARE }

type Unit = { letter: string; from: number; to: number }

/** The pieces with a superscript at the end of a word as a sign: it may be the number of a note. */
function withoutNotes(pieces: readonly string[]): string[] {
  const text = pieces.join('')
  const notes = [...text.matchAll(/(?<=\p{L}\p{M}*)²+(?![\p{L}\p{M}\p{N}_])/gu)]
  let at = 0
  return pieces.map((piece) => {
    at += piece.length
    return notes.some(({ index, 0: run }) => at > index && at <= index + run.length) ? '.' : piece
  })
}

/** Each unit of what the pieces are to a search, with the place of its piece in their text. */
function plainUnits(pieces: readonly string[], sign: string): Unit[] {
  let from = 0
  const units = pieces.flatMap((piece) => {
    const to = from + piece.length
    const plain = ALL_PLAIN[piece] === '.' ? sign : (ALL_PLAIN[piece] ?? piece)
    const ofPiece = plain.split('').map((letter) => ({ letter, from, to }))
    from = to
    return ofPiece
  })
  const joined = sign === '' ? without(units, /(?<=[^_ '\n-])_+(?=[^_ '\n-])/g) : units
  return without(joined, /(?<= ) +/g)
}

function without(units: readonly Unit[], pattern: RegExp): Unit[] {
  const text = units.map(({ letter }) => letter).join('')
  const taken = [...text.matchAll(pattern)].map(({ index, 0: run }) => [index, index + run.length])
  return units.filter((_, at) => !taken.some(([from = 0, to = 0]) => at >= from && at < to))
}

/** The places of a keyword, from its first to its last letter. */
function plainPlaces(keyword: readonly string[], text: readonly string[]): string[] {
  const oneLine = keyword.map((piece) => (piece === '\n' ? ' ' : piece))
  const wanted = plainUnits(oneLine, '')
    .map(({ letter }) => letter)
    .join('')
    .trim()
  if (!/[\p{L}\p{M}\p{N}_]/u.test(wanted)) return []
  const isFree = (letter: string) => new RegExp(`^[${UNSPACED}]`, 'u').test(letter)
  const before = isFree(wanted) ? '' : `(?<!${SPACED}\\p{M}*)`
  const last = wanted.match(/.\p{M}*$/u)?.[0] ?? ''
  const after = isFree(last) ? '(?!\\p{M})' : `s?(?!${SPACED}|\\p{M})`
  const whole = new RegExp(`${before}${wanted}${after}`, 'uy')
  const views = ['', ' '].flatMap((sign) =>
    [text, withoutNotes(text)].map((read) => plainUnits(read, sign)),
  )
  const places = views.flatMap((units) => {
    const view = units.map(({ letter }) => letter).join('')
    return [...view].flatMap((_, start) => {
      whole.lastIndex = start
      const found = whole.exec(view)?.[0]
      // Between the halves of a pair an expression looks from the pair's begin.
      if (found === undefined || whole.lastIndex !== start + found.length) return []
      const from = start + found.search(/[\p{L}\p{M}\p{N}_]/u)
      const to = start + found.replace(/[^\p{L}\p{M}\p{N}_]+$/u, '').length
      return [`${units[from]?.from} ${units[to - 1]?.to}`]
    })
  })
  return [...new Set(places)].sort()
}

const pieces = (table: Record<string, string>, most: number, least = 0) =>
  fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...Object.keys(table)) },
      { weight: 1, arbitrary: fc.constantFrom('a', 's', ' ') },
    ),
    { maxLength: most, minLength: least },
  )

describe.each([
  ['any text', ALL_PLAIN],
  ['plain prose', PLAIN],
  [
    'a few letters of each kind',
    Object.fromEntries("aßIı '_.²月園𠀀ก-".split('').map((unit) => [unit, ''])),
  ],
])('the matcher in %s', (_, table) => {
  const known = Object.keys(table).filter((piece) => piece in ALL_PLAIN)
  const some = Object.fromEntries(known.map((piece) => [piece, '']))

  it('finds what the plain reading of the rules finds, and marks it there', {
    tags: ['@SC-12', '@SC-19', '@SC-20', '@SC-21', '@SC-22', '@Q34', '@Q40', '@Q41'],
  }, () => {
    fc.assert(
      fc.property(
        fc.array(pieces(some, 5, 1), { maxLength: 6 }),
        pieces(some, 14),
        (keywords, text) => {
          const matcher = createKeywordMatcher(keywords.map((keyword) => keyword.join('')))
          const expected = keywords.map((keyword) => plainPlaces(keyword, text))
          const found = keywords.map((_, index) =>
            matcher.ranges(text.join(''), index).map(({ from, to }) => `${from} ${to}`),
          )
          expect(found.map((places) => places.toSorted())).toEqual(expected)
          const { words, hits } = matcher.read(text.join(''))
          expect(hits).toEqual([...keywords.keys()].filter((index) => expected[index]?.length))
          expect(words).toBe(countWords(text.join('')))
        },
      ),
      { numRuns: randomRuns(800), seed: 40 },
    )
  })
})

describe('the places of keywords in several scripts', () => {
  const WORDS = {
    Latin: [
      'straße',
      'STRASSE',
      'oﬃce',
      'OFFICE',
      'İstanbul',
      'ISTANBUL',
      'café',
      'CAFE\u0301',
      'ｍｏｏｎ',
    ],
    Greek: ['λόγος', 'ΛΟΓΟΣ', 'μάιος', 'ΜΑΪΟΣ'],
    Cyrillic: ['йод', 'И\u0306ОД', 'сова'],
    Hebrew: ['שלום', 'שָׁלוֹם', 'גן'],
    Arabic: ['محمد', 'مُحَمَّد', 'ﻛﺘﺎﺏ', 'كتاب'],
    Devanagari: ['नमस्ते', 'बाग'],
    Hangul: ['정원', '\u110c\u1165\u11bc\u110b\u116f\u11ab'],
    Han: ['花园', '東京', '月'],
    Kana: ['ガーデン', 'ｶﾞｰﾃﾞﾝ', 'にわ'],
    Thai: ['สวน', 'น้ำ', 'ดอกไม้'],
  }
  const lettersOf = (text: string) => fold(text).replace(/[^\p{L}\p{M}\p{N}]/gu, '')

  it.each(Object.entries(WORDS))(
    '%s: a place has the letters of its keyword',
    { tags: ['@SC-12', '@Q40'] },
    (_, words) => {
      const filler = fc.constantFrom(
        ' ',
        ', ',
        '. ',
        ' — ',
        '\u00ad',
        '\u200b',
        '’',
        '-',
        ' и ',
        ' 1 ',
      )
      const text = fc.array(fc.oneof(fc.constantFrom(...words), filler), { maxLength: 16 })
      let places = 0
      fc.assert(
        fc.property(
          text.map((some) => some.join('')),
          (value) => {
            const matcher = createKeywordMatcher(words)
            const marked = words.map((_, index) => matcher.ranges(value, index))
            places += marked.flat().length
            for (const [index, ranges] of marked.entries()) {
              expect(ranges.length > 0).toBe(matcher.find(value).includes(index))
              const letters = ranges.map(({ from, to }) => lettersOf(value.slice(from, to)))
              expect(letters).toEqual(ranges.map(() => lettersOf(words[index] ?? '')))
            }
            // Two spellings of one keyword have the same places.
            const byLetters = new Map(words.map((word, index) => [fold(word), marked[index]]))
            expect(words.map((word) => byLetters.get(fold(word)))).toEqual(marked)
          },
        ),
        { numRuns: randomRuns(500), seed: 12 },
      )
      expect(places).toBeGreaterThan(randomRuns(300))
    },
  )
})

describe('the quick reading of plain prose', () => {
  it.each([
    [
      'prose',
      'The owl’s — “quiet” — flight, e.g. at 3.5 m, isn’t heard/seen.\nReally: naïve, ΛΌΓΟΣ.',
      true,
    ],
    ['an accent of its own', 'cafe\u0301', false],
    ['letters that become several', 'Straße, oﬃce, İstanbul', true],
    ['a letter without spaces', '月', false],
    ['an invisible one', 'so\u00adft', false],
    ['an underscore', 'snake_case', false],
    ['a pair', '🐈', false],
    ['a superscript', 'moon¹', false],
  ])('%s', { tags: ['@SC-18'] }, (_, text, isPlain) => {
    expect(createPhraseScanner([]).read(text) !== null).toBe(isPlain)
  })

  it('reads a paragraph of more words than its buffer holds', { tags: ['@SC-18'] }, () => {
    const matcher = createKeywordMatcher(['last word'])
    expect(matcher.read(`${'a '.repeat(5_000)}last word`)).toEqual({ words: 5_002, hits: [0] })
  })
})

const schema = getSchema([
  StarterKit.configure({ link: false, code: false, codeBlock: false, underline: false }),
])
const nodeTree: BlockTree<Node> = {
  children: (node) => node.children,
  isTextBlock: (node) => node.isTextblock,
  blockText: (node) => node.textBetween(0, node.content.size, null, '\n'),
}

/** 6,000 words: 80 paragraphs of 60 words, a list and a quote of ten of them each. */
function longArticle(words: readonly string[]): Node {
  let next = 0
  const paragraph = () => {
    const text = Array.from({ length: 60 }, () => words[next++ % words.length]).join(' ')
    return schema.node('paragraph', null, schema.text(text))
  }
  const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make)
  return schema.node('doc', null, [
    ...times(80, paragraph),
    schema.node(
      'bulletList',
      null,
      times(10, () => schema.node('listItem', null, paragraph())),
    ),
    schema.node('blockquote', null, times(10, paragraph)),
  ])
}

function startOfBlock(document: Node, block: number): number {
  const starts: number[] = []
  document.descendants((node, position) => {
    if (node.isTextblock) starts.push(position + 1)
  })
  return starts[block] ?? 0
}

const word = fc.constantFrom('moon', 'phase', 'owl', 'node.js', 'x', ' ', '-', '.')
const edit = fc.record({
  from: fc.nat(),
  length: fc.nat(30),
  source: fc.nat(),
  sourceLength: fc.nat(60),
  typed: fc.array(word, { maxLength: 3 }).map((words) => words.join('')),
  kind: fc.constantFrom('type', 'type', 'move', 'delete', 'mark', 'undo'),
})

type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never

function edited(history: readonly [Node, ...Node[]], step: Edit): Node {
  const document = history.at(-1) ?? history[0]
  const from = step.from % (document.content.size + 1)
  const to = Math.min(document.content.size, from + step.length)
  const transform = new Transform(document)
  if (step.kind === 'undo') return history[step.source % history.length] ?? history[0]
  if (step.kind === 'delete') return transform.deleteRange(from, to).doc
  if (step.kind === 'mark') return transform.addMark(from, to, schema.mark('bold')).doc
  if (step.kind === 'move') {
    const start = step.source % (document.content.size + 1)
    const end = Math.min(document.content.size, start + step.sourceLength)
    return transform.replaceRange(from, to, document.slice(start, end)).doc
  }
  const $from = document.resolve(from)
  if (!$from.parent.isTextblock || step.typed === '') return document
  return transform.insert(from, schema.text(step.typed)).doc
}

describe('the scorecard', () => {
  const keywords = Array.from({ length: 80 }, (_, index) => `moon phase${index}`)
  const filler = Array.from({ length: 97 }, (_, index) => `word${index}`)

  it.each([
    ['the first paragraph', 0],
    ['a paragraph in the middle', 40],
    ['a list item', 85],
    ['a quote', 99],
  ])('a keystroke in %s of 6,000 words reads one block', { tags: ['@SC-18'] }, (_, block) => {
    const document = longArticle(filler)
    const scorecard = createScorecard(keywords, nodeTree)
    expect(scorecard.update(document)).toEqual({ words: 6_000, usedChanged: [] })
    expect(scorecard.scannedBlocks).toBe(100)

    const from = startOfBlock(document, block)
    const typed = new Transform(document).insert(from, schema.text('moon phase7 ')).doc
    expect(scorecard.update(typed)).toEqual({ words: 6_002, usedChanged: [7] })
    expect(scorecard.scannedBlocks).toBe(101)
    expect(scorecard.isUsed(7)).toBe(true)

    const next = new Transform(typed).insert(from, schema.text('x')).doc
    expect(scorecard.update(next)).toEqual({ words: 6_002, usedChanged: [7] })
    expect(scorecard.scannedBlocks).toBe(102)
    expect(scorecard.isUsed(7)).toBe(false)
    expect(scorecard.words).toBe(6_002)
  })

  it('a new line in a list and an undone change read only what is new', {
    tags: ['@SC-18'],
  }, () => {
    const document = longArticle(filler)
    const scorecard = createScorecard(keywords, nodeTree)
    scorecard.update(document)
    const split = new Transform(document).split(startOfBlock(document, 85) + 20, 2).doc
    scorecard.update(split)
    expect(scorecard.scannedBlocks).toBe(102)
    scorecard.update(document)
    expect(scorecard.scannedBlocks).toBe(102)
    scorecard.update(document)
    expect(scorecard.update(document)).toEqual({ words: 6_000, usedChanged: [] })
  })

  it('asks for the children of changed nodes only', { tags: ['@SC-18'] }, () => {
    const document = longArticle(filler)
    const asked: string[] = []
    const scorecard = createScorecard(keywords, {
      ...nodeTree,
      children: (node) => {
        asked.push(node.type.name)
        return node.children
      },
    })
    scorecard.update(document)
    asked.length = 0
    const typed = new Transform(document).insert(1, schema.text('x')).doc
    scorecard.update(typed)
    scorecard.update(new Transform(typed).split(20).doc)
    expect(new Set(asked)).toEqual(new Set(['doc']))
  })

  it('marks never split a match, blocks and hard breaks do', { tags: ['@SC-12', '@Q40'] }, () => {
    const bold = schema.mark('bold')
    const article = (content: Node[]) =>
      schema.node('doc', null, [schema.node('paragraph', null, content)])
    const used = (document: Node) => {
      const scorecard = createScorecard(['moon phase'], nodeTree)
      scorecard.update(document)
      return scorecard.isUsed(0)
    }
    expect(
      used(article([schema.text('mo'), schema.text('on ph', [bold]), schema.text('ase')])),
    ).toBe(true)
    expect(
      used(article([schema.text('moon'), schema.node('hardBreak'), schema.text('phase')])),
    ).toBe(false)
    const paragraph = (text: string) => schema.node('paragraph', null, schema.text(text))
    expect(used(schema.node('doc', null, [paragraph('moon'), paragraph('phase')]))).toBe(false)
  })

  it('reads plain JSON as it reads the nodes of the editor', { tags: ['@SC-24'] }, () => {
    const document = longArticle(['Moon', 'phase3', 'owls', 'a'])
    const json = document.toJSON() as ArticleDocument
    const plain = createScorecard([...keywords, 'owl'], documentTree)
    const nodes = createScorecard([...keywords, 'owl'], nodeTree)
    expect(plain.update(json)).toEqual(nodes.update(document))
    expect(plain.words).toBe(wordCount(json))
    expect(plain.isUsed(80)).toBe(true)
  })

  it('after any edits it says what a full count says', { tags: ['@SC-18'] }, () => {
    const list = ['moon', 'moon phase', 'owl', 'nodejs', 'phase owl', 'x']
    const start = longArticle(['moon', 'a', 'owl', 'b', 'c', 'phase']).cut(4_000, 4_600)
    const small = schema.node('doc', null, [
      ...longArticle(['moon', 'a', 'b', 'phase', 'x']).cut(0, 900).content.content,
      schema.node('bulletList', null, [
        schema.node('listItem', null, [
          schema.node('paragraph', null, schema.text('owl')),
          schema.node('blockquote', null, start.content),
        ]),
      ]),
    ])
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 12 }), (edits) => {
        const scorecard = createScorecard(list, nodeTree)
        const history: [Node, ...Node[]] = [small]
        const used = new Set(scorecard.update(small).usedChanged)
        for (const step of edits) {
          const document = edited(history, step)
          history.push(document)
          const { words, usedChanged } = scorecard.update(document)
          for (const index of usedChanged) if (!used.delete(index)) used.add(index)
          const full = createScorecard(list, nodeTree)
          expect(words).toBe(full.update(document).words)
          expect(words).toBe(wordCount(document.toJSON()))
          const usedNow = [...list.keys()].filter((index) => full.isUsed(index))
          expect([...list.keys()].filter((index) => scorecard.isUsed(index))).toEqual(usedNow)
          expect([...used].sort()).toEqual(usedNow)
        }
      }),
      { numRuns: randomRuns(200) },
    )
  })
})
