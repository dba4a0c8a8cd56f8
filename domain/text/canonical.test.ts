import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, documentHash, sha256 } from './canonical.ts'
import { type ArticleText, type DocumentNode, EMPTY_DOCUMENT } from './document.ts'

const theirs = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')

describe('SHA-256', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
  ])('equals the published vector of %.20s', (text, digest) => {
    expect(sha256(text)).toBe(digest)
  })

  it('equals another implementation for every length around a block', () => {
    for (let length = 0; length <= 200; length += 1) {
      expect(sha256('é'.repeat(length))).toBe(theirs('é'.repeat(length)))
      expect(sha256('x'.repeat(length))).toBe(theirs('x'.repeat(length)))
    }
  })

  it('equals another implementation for any text, emoji and broken pairs too', () => {
    for (const unit of ['grapheme', 'binary', 'binary-ascii'] as const) {
      fc.assert(fc.property(fc.string({ unit }), (text) => sha256(text) === theirs(text)))
    }
    for (const text of [
      '🌙🦉',
      '\ud83c',
      '\udf19',
      'a\udf19\ud83cb',
      '\uffff\u{10ffff}',
      '\u07ff\u0800',
    ]) {
      expect(sha256(text)).toBe(theirs(text))
    }
  })
})

describe('canonical JSON', () => {
  it.each<[unknown, string]>([
    [{ b: 1, a: { d: [], c: null } }, '{"a":{"c":null,"d":[]},"b":1}'],
    [{ b: undefined, a: [undefined, 'x\n"'] }, '{"a":[null,"x\\n\\""]}'],
    ['🌙', '"🌙"'],
    [1.5, '1.5'],
    [undefined, 'null'],
  ])('writes %j as %s', (value, json) => {
    expect(canonicalJson(value)).toBe(json)
  })

  it('is JSON of the same value, in any order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = canonicalJson(value)
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(reversed(value))).toBe(json)
      }),
    )
  })
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  )
}

describe('the hash of a document', () => {
  const list = (attrs?: Record<string, unknown>): ArticleText => ({
    type: 'doc',
    content: [
      {
        type: 'orderedList',
        ...(attrs && { attrs }),
        content: [{ type: 'listItem', content: [{ type: 'paragraph' }] }],
      },
    ],
  })

  it('is the same for {} and the empty paragraph', () => {
    expect(documentHash({})).toBe(documentHash(EMPTY_DOCUMENT))
  })

  it('is the same for missing and default attributes, another for other ones', () => {
    expect(documentHash(list())).toBe(documentHash(list({ type: null, start: 1 })))
    expect(documentHash(list())).not.toBe(documentHash(list({ start: 2 })))
    expect(documentHash(list())).not.toBe(documentHash(list({ type: 'a' })))
  })

  const p = (text: string): DocumentNode => ({
    type: 'paragraph',
    content: [{ type: 'text', text }],
  })
  const quote = (...content: DocumentNode[]): DocumentNode => ({ type: 'blockquote', content })
  const doc = (...content: DocumentNode[]): ArticleText => ({ type: 'doc', content })

  it('distinguishes text in another order, in another block or in other words', () => {
    const texts = [
      doc(p('one'), p('two')),
      doc(p('two'), p('one')),
      doc(p('onetwo')),
      doc(p('one two')),
      doc(quote(p('one'), p('two'))),
      doc(quote(p('one')), p('two')),
      doc(quote(p('one')), quote(p('two'))),
      doc(quote(quote(p('one'), p('two')))),
    ]
    expect(new Set(texts.map(documentHash)).size).toBe(texts.length)
  })

  it('is equal for the same text rebuilt from other pieces', () => {
    const pieces: DocumentNode = {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'on' },
        { type: 'text', text: 'e' },
      ],
    }
    expect(documentHash(doc(pieces, p('two')))).toBe(documentHash(doc(p('one'), p('two'))))
  })

  it('is new when one block is, though the others are the very objects of before', () => {
    const [first, second, third] = [p('one'), quote(p('two')), p('three')]
    documentHash(doc(first, second, third))
    const typed = doc(first, quote(p('two!')), third)
    expect(documentHash(typed)).toBe(documentHash(doc(p('one'), quote(p('two!')), p('three'))))
    expect(documentHash(doc(first, second, third))).not.toBe(documentHash(typed))
  })
})
