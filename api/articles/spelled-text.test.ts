import fc from 'fast-check'
import { expect, it } from 'vitest'
import { kindAt, UNSPACED } from '../../domain/characters.ts'
import { ALLOWED_MARKS, readDocument } from '../../domain/document.ts'
import { LIST_TYPES } from '../../domain/document-schema.ts'
import { articlePatchBody } from '../../domain/wire-changes.ts'
import { checkJson } from '../http/read-body.ts'
import { readPatch } from './patch-article.ts'
import { spelledText } from './spelled-text.ts'
import type { StoredText } from './stored-text.ts'

/** What the way that takes every body says of it: undefined where it brings no text alone, or is refused. */
function carefully(body: string): StoredText | undefined {
  try {
    const { text, completed } = readPatch(checkJson(articlePatchBody, body)).changes
    return completed === undefined ? text : undefined
  } catch {
    return undefined
  }
}

const letters = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom('a', 'Z', '7', ' ', '.', '’', '-', 'é', 'ж', '🦉') },
      fc.constantFrom(
        '"',
        '\\',
        '/',
        '\n',
        '\t',
        '\b',
        '\u0001',
        '\u007f',
        '\u0085',
        '\u2028',
        '\u0301',
      ),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 2 }),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((each) => each.join(''))
const marks = fc.subarray([...ALLOWED_MARKS]).map((types) => types.map((type) => ({ type })))
const inline = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ type: fc.constant('text'), marks, text: letters }) },
    fc.constant({ type: 'hardBreak' }),
  ),
  { maxLength: 4 },
)
const of = (type: string, attrs?: object) => (content: unknown[]) => ({ type, attrs, content })
const paragraph = inline.map(of('paragraph'))
const { block } = fc.letrec((tie) => {
  const blocks = fc.array(tie('block'), { maxLength: 2 })
  const items = fc.array(
    fc.tuple(paragraph, blocks).map(([first, rest]) => of('listItem')([first, ...rest])),
    { minLength: 1, maxLength: 2 },
  )
  const start = fc.oneof(fc.constantFrom(0, 1, 10, 999_999), fc.nat(999_999))
  return {
    block: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      paragraph,
      fc
        .tuple(fc.integer({ min: 1, max: 6 }), inline)
        .map(([level, content]) => of('heading', { level })(content)),
      fc.constant({ type: 'horizontalRule' }),
      items.map(of('bulletList')),
      fc
        .tuple(start, fc.constantFrom(...LIST_TYPES), items)
        .map(([start, type, content]) => of('orderedList', { start, type })(content)),
      fc.tuple(paragraph, blocks).map(([first, rest]) => of('blockquote')([first, ...rest])),
    ),
  }
})

/** As a page spells it. */
const spelled = fc.array(block, { minLength: 1, maxLength: 4 }).map((content) => {
  const read = readDocument({ type: 'doc', content })
  if (!read.ok) throw new Error(read.fault)
  return JSON.stringify({ articleText: read.document })
})

const bodyOf = (...content: unknown[]) => JSON.stringify({ articleText: { type: 'doc', content } })
const text = (letters: string, ...types: string[]) =>
  types.length === 0
    ? { type: 'text', text: letters }
    : { type: 'text', marks: types.map((type) => ({ type })), text: letters }
const line = (...content: unknown[]) => ({ type: 'paragraph', content })
const numbered = (start: number, type: unknown) => ({
  type: 'orderedList',
  attrs: { start, type },
  content: [{ type: 'listItem', content: [{ type: 'paragraph' }] }],
})
const quoted = (depth: number): unknown =>
  depth === 0 ? { type: 'paragraph' } : { type: 'blockquote', content: [quoted(depth - 1)] }

const hasUnspaced = (body: string): boolean =>
  Array.from({ length: body.length }, (_, at) => kindAt(body, at)).some(
    (kind) => (kind & UNSPACED) !== 0,
  )

it('takes what pages spell, and says of it what the careful way says', () => {
  fc.assert(
    fc.property(spelled, (body) => {
      const taken = spelledText(body)
      // A character that only JSON's numbers can name is left to the careful way, as are scripts without spaces.
      if (!body.includes('\\u') && !hasUnspaced(body)) expect(taken).not.toBeNull()
      if (taken !== null) expect(taken).toEqual(carefully(body))
    }),
    { numRuns: 500 },
  )
})

const PIECES = [
  ...['', ' ', ',', '{', '}', '[', ']', '"', '\\', '\\"', '\\u0041', '\\n', '\n', '0', '1', 'null'],
  ...[
    '"completed":true',
    ',"completed":false',
    ',"attrs":{}',
    '"marks":[],',
    '{"type":"bold"}',
    '"strike"',
  ],
  ...[
    '{"type":"text","text":"more"},',
    '{"type":"paragraph"},',
    ',{"type":"hardBreak"}',
    '"content":[]',
  ],
  ...[
    '{"type":"hardBreak","marks":[{"type":"bold"}]},',
    '{"type":"listItem","content":[{"type":"paragraph"}]},',
  ],
]
const damage = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  gone: fc.nat(12),
  put: fc.constantFrom(...PIECES),
})

it('never takes what the careful way refuses, and never as something else', () => {
  fc.assert(
    fc.property(spelled, fc.array(damage, { minLength: 1, maxLength: 3 }), (body, damages) => {
      const damaged = damages.reduce((before, { at, gone, put }) => {
        const start = Math.floor(at * before.length)
        return Buffer.from(before.slice(0, start) + put + before.slice(start + gone)).toString()
      }, body)
      const taken = spelledText(damaged)
      if (taken !== null) expect(taken).toEqual(carefully(damaged))
    }),
    { numRuns: 3_000 },
  )
})

it.each<[string, string, number | null]>([
  ['plain prose', bodyOf(line(text('Two words.'))), 2],
  ['a quotation', bodyOf(line(text('She said "no" \\ left.'))), 4],
  [
    'a word in two marks',
    bodyOf(line(text('un'), text('happy', 'bold'), text('ness', 'bold', 'italic'))),
    1,
  ],
  ['words around a break', bodyOf(line(text('one'), { type: 'hardBreak' }, text('two'))), 2],
  ['words in two paragraphs', bodyOf(line(text('one')), line(text('two'))), 2],
  ['no words', bodyOf({ type: 'paragraph' }, { type: 'horizontalRule' }), 0],
  ['quotes inside each other', bodyOf(quoted(8)), 0],
  ['deeper ones', bodyOf(quoted(9)), null],
  ['neighbours of the same marks', bodyOf(line(text('one', 'bold'), text('two', 'bold'))), null],
  ['marks in another order', bodyOf(line(text('one', 'italic', 'bold'))), null],
  ['an empty text', bodyOf(line(text(''))), null],
  ['an empty paragraph with content', bodyOf({ type: 'paragraph', content: [] }), null],
  ['a heading without a level', bodyOf({ type: 'heading' }), null],
  [
    'an item without a paragraph',
    bodyOf({
      type: 'bulletList',
      content: [{ type: 'listItem', content: [{ type: 'horizontalRule' }] }],
    }),
    null,
  ],
  ['a list from the last number', bodyOf(numbered(999_999, 'i')), 0],
  ['a list from a later one', bodyOf(numbered(1_000_000, null)), null],
  ['a list from no number', bodyOf(numbered(-1, null)), null],
  ['a list of another type', bodyOf(numbered(1, 'x')), null],
  ['a heading of level 0', bodyOf({ type: 'heading', attrs: { level: 0 } }), null],
  ['a heading of level 7', bodyOf({ type: 'heading', attrs: { level: 7 } }), null],
  ['an end of line in a text', bodyOf(line(text('#'))).replace('#', '\n'), null],
  ['another control in a text', bodyOf(line(text('#'))).replace('#', '\u0001'), null],
  ['a letter by its number', bodyOf(line(text('#'))).replace('#', '\\u0041'), null],
  ['a stroke with a backslash', bodyOf(line(text('#'))).replace('#', '\\/'), null],
  ['one backslash at the end', bodyOf(line(text('#'))).replace('#', '\\'), null],
  ['the empty text', '{"articleText":{}}', null],
  [
    'a state beside it',
    '{"articleText":{"type":"doc","content":[{"type":"paragraph"}]},"completed":true}',
    null,
  ],
  ['more behind it', `${bodyOf({ type: 'paragraph' })} `, null],
  ['a million letters', bodyOf(line(text('a'.repeat(1_000_000)))), null],
  ['an end in the middle', bodyOf(line(text('one'))).slice(0, -8), null],
])('%s', (_, body, words) => {
  const taken = spelledText(body)
  expect(taken?.words ?? null).toBe(words)
  if (taken !== null) expect(taken).toEqual(carefully(body))
})
