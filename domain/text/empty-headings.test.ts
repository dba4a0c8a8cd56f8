import { expect, test } from 'vitest'
import { emptyHeadings } from './empty-headings.ts'

const heading = (level: number, text: string) => ({
  type: 'heading',
  attrs: { level },
  ...(text && { content: [{ type: 'text', text }] }),
})
const paragraph = (text: string) => ({
  type: 'paragraph',
  ...(text && { content: [{ type: 'text', text }] }),
})
const list = (text: string) => ({
  type: 'bulletList',
  content: [{ type: 'listItem', content: [paragraph(text)] }],
})

test.each([
  ['an untouched outline', [heading(2, 'A'), heading(3, 'B'), heading(2, 'C')], ['A', 'B', 'C']],
  ['text below', [heading(2, 'A'), paragraph('Words.')], []],
  ['text below a deeper heading', [heading(2, 'A'), heading(3, 'B'), paragraph('Words.')], []],
  ['text below a higher one only', [heading(3, 'A'), heading(2, 'B'), paragraph('Words.')], ['A']],
  [
    'empty paragraphs and rules',
    [heading(2, 'A'), paragraph('  '), { type: 'horizontalRule' }],
    ['A'],
  ],
  ['a list below', [heading(2, 'A'), list('An item')], []],
  ['a heading without words', [heading(2, ''), heading(2, 'A')], ['A']],
  ['no headings', [paragraph('Words.')], []],
])('headings with nothing below them: %s', (_, content, empty) => {
  expect(emptyHeadings({ type: 'doc', content })).toEqual(empty)
})
