import { describe, expect, test } from 'vitest'
import { plainText } from '../../domain/text/article-text.ts'
import type { ArticleDocument, DocumentNode } from '../../domain/text/document.ts'
import { merge3 } from './merge3.ts'

const paragraph = (text: string): DocumentNode =>
  text === '' ? { type: 'paragraph' } : { type: 'paragraph', content: [{ type: 'text', text }] }

const doc = (...texts: string[]): ArticleDocument => ({
  type: 'doc',
  content: texts.map(paragraph),
})

const lines = (document: ArticleDocument): string[] => plainText(document).split('\n')

describe('merge3', { tags: ['@SY-11'] }, () => {
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
    ['keeps both of one place, the server first', ['a'], ['a x'], ['a y'], ['a y x']],
    ['keeps an edit against a removal', ['a', 'b'], ['a'], ['a', 'b y'], ['a', 'b y']],
    [
      'removes what one side removed',
      ['a', 'b', 'c', 'd'],
      ['a', 'c', 'd'],
      ['a', 'b', 'c', 'd y'],
      ['a', 'c', 'd y'],
    ],
    ['takes the longer of two that go on alike', ['a'], ['a x'], ['a x y'], ['a x y']],
    ['takes a new paragraph for an empty one', ['a'], ['a', ''], ['a', 'x'], ['a', 'x']],
    ['doubles no empty paragraph', ['a'], ['a', '', 'x'], ['a', '', 'y'], ['a', '', 'y', 'x']],
    ['starts from the empty text', [''], ['x'], ['y'], ['y x']],
  ])('%s', (_, base, mine, theirs, expected) => {
    const merged = merge3(doc(...base), doc(...mine), doc(...theirs))
    expect(lines(merged.document)).toEqual(expected)
  })

  test('reads {} as the empty text on every side', () => {
    expect(merge3({}, doc('x'), {}).document).toEqual(doc('x'))
    expect(merge3({}, {}, doc('y')).document).toEqual(doc('y'))
    expect(merge3(doc('a'), {}, {}).document).toEqual(doc(''))
  })

  test('merges what both wrote into one paragraph, up to the longest text allowed', {
    tags: ['@fault-53'],
  }, () => {
    const written = (word: string): string => Array(240_000).fill(word).join(' ')
    const merged = merge3(doc('a'), doc(`a ${written('x')}`), doc(`a ${written('y')}`))
    expect(lines(merged.document)).toEqual([`a ${written('y')} ${written('x')}`])
  })

  test('puts lines of both into the quote that they were typed in, and into no other one', () => {
    const quote = (...texts: string[]): DocumentNode => ({
      type: 'blockquote',
      content: texts.map(paragraph),
    })
    const text = (...texts: string[]): ArticleDocument => ({
      type: 'doc',
      content: [quote('One.'), quote(...texts)],
    })
    const merged = merge3(
      text('Two.'),
      text('Ada rests.', 'Wren digs. Two.'),
      text('Imogen says: Two.'),
    )
    expect(merged.document).toEqual(text('Imogen says:', 'Ada rests.', 'Wren digs. Two.'))
    const both = merge3(text('Two.'), text('A.', 'B. Two.'), text('X.', 'Y. Two.'))
    expect(both.document).toEqual(text('X.', 'Y.', 'A.', 'B. Two.'))
  })

  test('flags only places that both sides changed', () => {
    expect(merge3(doc('a', 'b', 'c'), doc('a x', 'b', 'c'), doc('a', 'b', 'c y')).conflict).toBe(
      false,
    )
    expect(merge3(doc('a'), doc('a x'), doc('a y')).conflict).toBe(true)
  })
})
