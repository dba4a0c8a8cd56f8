import { expect, test } from 'vitest'
import type { ArticleText } from '../../domain/text/document.ts'
import { unsentFile } from './unsent-file.ts'

const text = (words: string, ...marks: string[]) => ({
  type: 'text',
  text: words,
  marks: marks.map((type) => ({ type })),
})
const paragraph = (...content: object[]) => ({ type: 'paragraph', content })
const fileOf = (name: string, ...content: object[]) =>
  unsentFile([{ articleId: 'a1', name, doc: { type: 'doc', content } as ArticleText, editedAt: 0 }])

test('keeps headings, lists, quotes and marks in a file of its own', {
  tags: ['@fault-35'],
}, () => {
  const file = fileOf(
    'Ferns',
    { type: 'heading', attrs: { level: 2 }, content: [text('Shade')] },
    paragraph(
      text('Deep ', 'bold', 'italic'),
      text('green'),
      { type: 'hardBreak' },
      text('fronds', 'strike'),
    ),
    {
      type: 'bulletList',
      content: [{ type: 'listItem', content: [paragraph(text('Hart’s tongue'))] }],
    },
    { type: 'blockquote', content: [paragraph(text('Wait.'))] },
    { type: 'horizontalRule' },
  )
  expect(file.split('\n')).toEqual([
    '<!doctype html>',
    '<meta charset="utf-8">',
    '<title>Unsent articles</title>',
    '<h1 dir="auto">Ferns</h1>',
    '<h2>Shade</h2>',
    '<p><strong><em>Deep </em></strong>green<br><s>fronds</s></p>',
    '<ul><li><p>Hart’s tongue</p></li></ul>',
    '<blockquote><p>Wait.</p></blockquote>',
    '<hr>',
    '',
  ])
})

test('writes text that looks like markup as text', { tags: ['@fault-35'] }, () => {
  const file = fileOf('<script>', paragraph(text('a < b & "c"')))
  expect(file).toContain('<h1 dir="auto">&lt;script&gt;</h1>\n<p>a &lt; b &amp; &quot;c&quot;</p>')
})

test('keeps the numbers of a list and the addresses of links', { tags: ['@fault-35'] }, () => {
  const link = { type: 'link', attrs: { href: 'https://larkspur.example/?a=1&b=2' } }
  const file = fileOf('Ferns', {
    type: 'orderedList',
    attrs: { start: 4, type: 'a' },
    content: [
      {
        type: 'listItem',
        content: [paragraph({ type: 'text', text: 'Guide', marks: [link] })],
      },
    ],
  })
  expect(file).toContain(
    '<ol start="4" type="a"><li><p><a href="https://larkspur.example/?a=1&amp;b=2">Guide</a></p></li></ol>',
  )
})

test('keeps the words of a block that no article can have', { tags: ['@fault-35'] }, () => {
  const cell = { type: 'tableCell', content: [paragraph(text('Shade < sun'))] }
  const file = fileOf('Ferns', { type: 'table', content: [cell] }, paragraph(text('After.')))
  expect(file).toContain('<p>Shade &lt; sun</p>\n<p>After.</p>')
})
