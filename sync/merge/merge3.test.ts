import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainText } from '../../domain/article-text.ts'
import { canonicalJson } from '../../domain/canonical.ts'
import { type ArticleDocument, type DocumentNode, readDocument } from '../../domain/document.ts'
import { merge3 } from './merge3.ts'

const paragraph = (text: string): DocumentNode =>
  text === '' ? { type: 'paragraph' } : { type: 'paragraph', content: [{ type: 'text', text }] }

const doc = (...texts: string[]): ArticleDocument => ({
  type: 'doc',
  content: texts.map(paragraph),
})

const lines = (document: ArticleDocument): string[] => plainText(document).split('\n')

describe('SY-11 merge3', () => {
  test.each([
    ['takes the only change', ['a', 'b'], ['a', 'b x'], ['a', 'b'], ['a', 'b x']],
    ['takes the other only change', ['a', 'b'], ['a', 'b'], ['a y', 'b'], ['a y', 'b']],
    ['takes equal changes once', ['a'], ['a x'], ['a x'], ['a x']],
    [
      'joins changes in different blocks',
      ['a', 'b', 'c'],
      ['a x', 'b', 'c'],
      ['a', 'b', 'c y'],
      ['a x', 'b', 'c y'],
    ],
    [
      'joins changes in neighbouring blocks',
      ['a', 'b'],
      ['a x', 'b'],
      ['a', 'b y'],
      ['a x', 'b y'],
    ],
    ['joins an edit with a new neighbour', ['a'], ['a x'], ['a', 'y'], ['a x', 'y']],
    ['joins an edit with a new block before it', ['a'], ['a x'], ['y', 'a'], ['y', 'a x']],
    ['keeps both of one block, the server first', ['a'], ['a x'], ['a y'], ['a y', 'a x']],
    ['keeps an edit against a removal', ['a', 'b'], ['a'], ['a', 'b y'], ['a', 'b y']],
    [
      'removes what one side removed',
      ['a', 'b', 'c', 'd'],
      ['a', 'c', 'd'],
      ['a', 'b', 'c', 'd y'],
      ['a', 'c', 'd y'],
    ],
    ['takes the longer of two that go on alike', ['a'], ['a x'], ['a x y'], ['a x y']],
    ['doubles no empty paragraph', ['a'], ['a', '', 'x'], ['a', '', 'y'], ['a', '', 'y', 'x']],
    ['starts from the empty text', [''], ['x'], ['y'], ['y', 'x']],
  ])('%s', (_, base, mine, theirs, expected) => {
    const merged = merge3(doc(...base), doc(...mine), doc(...theirs))
    expect(lines(merged.document)).toEqual(expected)
  })

  test('reads {} as the empty text on every side', () => {
    expect(merge3({}, doc('x'), {}).document).toEqual(doc('x'))
    expect(merge3({}, {}, doc('y')).document).toEqual(doc('y'))
    expect(merge3(doc('a'), {}, {}).document).toEqual(doc(''))
  })

  test('flags only places that both sides changed', () => {
    expect(merge3(doc('a', 'b', 'c'), doc('a x', 'b', 'c'), doc('a', 'b', 'c y')).conflict).toBe(
      false,
    )
    expect(merge3(doc('a'), doc('a x'), doc('a y')).conflict).toBe(true)
  })
})

/** Every word typed by a side is its own, so presence can be checked. */
type Block = { kind: Kind; words: string[] }
type Kind = 'paragraph' | 'heading' | 'bulletList' | 'blockquote'
const kind = fc.constantFrom<Kind[]>(
  'paragraph',
  'paragraph',
  'heading',
  'bulletList',
  'blockquote',
)

const edit = fc.record({
  at: fc.nat(),
  word: fc.nat(),
  kind,
  act: fc.constantFrom('type', 'split', 'join', 'remove', 'new', 'cut', 'move', 'wrap'),
})
type Edit = (typeof edit extends fc.Arbitrary<infer E> ? E : never) & { typed: string }

function edited(base: Block[], edits: Omit<Edit, 'typed'>[], author: string): Block[] {
  const blocks = base.map((block) => ({ ...block, words: [...block.words] }))
  for (const [index, edit] of edits.entries())
    change(blocks, { ...edit, typed: `${author}${index}` })
  return blocks
}

function change(blocks: Block[], { at, word, kind, act, typed }: Edit): void {
  const place = at % blocks.length
  const block = blocks[place]
  if (!block) return
  const inside = word % (block.words.length + 1)
  if (act === 'type') block.words.splice(inside, 0, typed)
  if (act === 'remove') block.words.splice(inside, 1)
  if (act === 'wrap') block.kind = kind
  if (act === 'new') blocks.splice(place, 0, { kind, words: [typed] })
  if (act === 'split') blocks.splice(place + 1, 0, { ...block, words: block.words.splice(inside) })
  if (act === 'join') block.words.push(...blocks.splice(place + 1, 1).flatMap(({ words }) => words))
  if (act === 'move') blocks.splice(word % blocks.length, 0, ...blocks.splice(place, 1))
  if (act === 'cut' && blocks.length > 1) blocks.splice(place, 1)
}

const documentOf = (blocks: Block[]): ArticleDocument => ({
  type: 'doc',
  content: blocks.map(({ kind, words }): DocumentNode => {
    const inner = paragraph(words.join(' '))
    if (kind === 'heading') return { ...inner, type: 'heading', attrs: { level: 2 } }
    if (kind === 'blockquote') return { type: 'blockquote', content: [inner] }
    if (kind === 'paragraph') return inner
    return { type: 'bulletList', content: [{ type: 'listItem', content: [inner] }] }
  }),
})

const triple = fc
  .record({
    shape: fc.array(fc.record({ kind, size: fc.nat(5) }), { minLength: 1, maxLength: 8 }),
    mine: fc.array(edit, { maxLength: 8 }),
    theirs: fc.array(edit, { maxLength: 8 }),
  })
  .map(({ shape, mine, theirs }) => {
    const base = shape.map(({ kind, size }, at) => ({
      kind,
      words: Array.from({ length: size }, (_, n) => `b${at}.${n}`),
    }))
    return {
      base: documentOf(base),
      mine: documentOf(edited(base, mine, 'm')),
      theirs: documentOf(edited(base, theirs, 't')),
    }
  })

const words = (document: ArticleDocument): Set<string> =>
  new Set(plainText(document).split(/\s+/).filter(Boolean))

describe('SY-11 merge3 over random triples', () => {
  test('loses no word that a side added, and none that both kept', () => {
    fc.assert(
      fc.property(triple, ({ base, mine, theirs }) => {
        const merged = words(merge3(base, mine, theirs).document)
        const [known, left, right] = [words(base), words(mine), words(theirs)]
        const owed = [
          ...[...left, ...right].filter((word) => !known.has(word)),
          ...[...known].filter((word) => left.has(word) && right.has(word)),
        ]
        expect(owed.filter((word) => !merged.has(word))).toEqual([])
      }),
      { numRuns: 4_000 },
    )
  })

  test('answers a document that the server accepts, the same each time', () => {
    fc.assert(
      fc.property(triple, ({ base, mine, theirs }) => {
        const merged = merge3(base, mine, theirs).document
        expect(readDocument(merged).ok).toBe(true)
        expect(canonicalJson(merge3(base, mine, theirs).document)).toBe(canonicalJson(merged))
      }),
      { numRuns: 2_000 },
    )
  })

  test('does not change what it is given, and merging again adds nothing', () => {
    fc.assert(
      fc.property(triple, ({ base, mine, theirs }) => {
        const before = canonicalJson([base, mine, theirs])
        const merged = merge3(base, mine, theirs).document
        expect(canonicalJson([base, mine, theirs])).toBe(before)
        expect(canonicalJson(merge3(theirs, merged, theirs).document)).toBe(canonicalJson(merged))
      }),
      { numRuns: 2_000 },
    )
  })
})
