import { describe, expect, test } from 'vitest'
import { countWords, plainText } from '../text/article-text.ts'
import type { ArticleDocument, DocumentNode } from '../text/document.ts'
import { copiedText } from './copied-text.ts'

const paragraph = (...lines: string[]): DocumentNode => ({
  type: 'paragraph',
  content: lines.flatMap((text, index) => [
    ...(index > 0 ? [{ type: 'hardBreak' }] : []),
    ...(text === '' ? [] : [{ type: 'text', text }]),
  ]),
})
const heading = (text: string): DocumentNode => ({
  type: 'heading',
  attrs: { level: 2 },
  content: [{ type: 'text', text }],
})
const item = (...content: DocumentNode[]): DocumentNode => ({ type: 'listItem', content })
const bullets = (...content: DocumentNode[]): DocumentNode => ({ type: 'bulletList', content })
const numbers = (
  attrs: { start: number; type: string | null },
  ...content: DocumentNode[]
): DocumentNode => ({ type: 'orderedList', attrs, content })
const doc = (...content: DocumentNode[]): ArticleDocument => ({ type: 'doc', content })

describe('the text for other programs', () => {
  test('has one line for each item, indented by what is before it, and an empty line between blocks', {
    tags: ['@fault-68'],
  }, () => {
    const text = doc(
      heading('Light for a garden'),
      paragraph('First line', 'after a break'),
      paragraph(),
      bullets(
        item(paragraph('lamps', 'of brass')),
        item(
          paragraph('posts'),
          numbers(
            { start: 9, type: null },
            item(paragraph('oak')),
            item(paragraph('ash'), paragraph('dried'), bullets(item(paragraph('two years')))),
          ),
        ),
        item(paragraph()),
      ),
      { type: 'horizontalRule' },
      { type: 'blockquote', content: [paragraph('quoted'), paragraph('twice')] },
    )
    expect(copiedText(text)).toBe(
      `Light for a garden

First line
after a break

• lamps
  of brass
• posts
  9. oak
  10. ash
      dried
      • two years
•

---

quoted

twice`,
    )
    expect(countWords(copiedText(text))).toBe(countWords(plainText(text)) + 2)
  })

  test.each([
    ['a', 25, ['y.', 'z.', 'aa.']],
    ['A', 1, ['A.', 'B.', 'C.']],
    ['i', 3, ['iii.', 'iv.', 'v.']],
    ['I', 1_993, ['MCMXCIII.', 'MCMXCIV.', 'MCMXCV.']],
    ['i', 3_999, ['mmmcmxcix.', '4000.', '4001.']],
    ['a', 0, ['0.', 'a.', 'b.']],
    [null, 0, ['0.', '1.', '2.']],
  ])('numbers a list of type %s from %i as the page shows it', (type, start, markers) => {
    const items = markers.map(() => item(paragraph('x')))
    expect(copiedText(doc(numbers({ start, type }, ...items)))).toBe(
      markers.map((marker) => `${marker} x`).join('\n'),
    )
  })

  test('gives an item that was copied without its beginning no marker', () => {
    const inside = numbers({ start: 4, type: null }, item(paragraph('new')))
    expect(copiedText(doc(bullets(item(inside), item(paragraph('iron')))))).toBe('  4. new\n• iron')
  })

  test('has the words of an item that was selected without its list', () => {
    const inside = bullets(item(paragraph('brass')))
    expect(copiedText(doc(item(paragraph('lamps'), inside)))).toBe('lamps\n\n• brass')
  })

  test('is empty for an empty article', () => {
    expect(copiedText({})).toBe('')
    expect(copiedText(doc(paragraph(), paragraph()))).toBe('')
  })
})

test.each([
  ['words', 'https://larkspur.example/guides', 'words (https://larkspur.example/guides)'],
  ['https://larkspur.example/', 'https://larkspur.example/', 'https://larkspur.example/'],
  ['larkspur.example', 'https://larkspur.example/', 'larkspur.example'],
  ['Ada', 'mailto:ada@larkspur.example', 'Ada (ada@larkspur.example)'],
  ['ada@larkspur.example', 'mailto:ada@larkspur.example', 'ada@larkspur.example'],
])('the address of a link follows its words where they differ: %s to %s', (words, href, copied) => {
  const marks = [{ type: 'link' as const, attrs: { href } }]
  const [first, rest] = [words.slice(0, 2), words.slice(2)]
  const content = [
    { type: 'text', text: first, marks: [{ type: 'bold' as const }, ...marks] },
    { type: 'text', text: rest, marks },
    { type: 'text', text: '.' },
  ]
  expect(copiedText({ type: 'doc', content: [{ type: 'paragraph', content }] })).toBe(`${copied}.`)
})
