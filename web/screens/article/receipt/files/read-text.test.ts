import { expect, test } from 'vitest'
import { copiedText } from '../../../../../domain/exports/copied-text.ts'
import type { ArticleDocument, DocumentNode } from '../../../../../domain/text/document.ts'
import { checkFile, fingerprintOf } from '../../../../../domain/text/text-check.ts'
import { readText } from './read-text.ts'

const p = (...lines: string[]): DocumentNode => ({
  type: 'paragraph',
  content: lines.flatMap((text, at) => [
    ...(at > 0 ? [{ type: 'hardBreak' }] : []),
    { type: 'text', text },
  ]),
})
const item = (...content: DocumentNode[]) => ({ type: 'listItem', content })
const list = (type: string, ...items: DocumentNode[]) => ({ type, content: items })
const doc = (...content: DocumentNode[]): ArticleDocument => ({ type: 'doc', content })
const HEADING = { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Title' }] }

const check = (source: string, text: ArticleDocument) =>
  checkFile(readText(source), { number: 1, ...fingerprintOf(text), text }, []).verdict

test.each<[string, ArticleDocument]>([
  ['paragraphs', doc(HEADING, p('One.'), p('Two. '))],
  ['breaks', doc(p('One', 'Two'), p('Three'))],
  ['a quotation', doc({ type: 'blockquote', content: [p('One'), p('Two')] })],
  [
    'lists in lists and a rule',
    doc(
      list(
        'bulletList',
        item(p('a'), list('orderedList', item(p('b')), item(p('c')))),
        item(p('d')),
      ),
      { type: 'horizontalRule' },
      list('orderedList', item(p('e', 'f'), p('g'))),
    ),
  ],
])('the words of a text that was downloaded or copied are the same: %s', (_, text) => {
  const source = copiedText(text)
  expect(check(source, text).kind).toBe('same-words')
  expect(check(`${source.replaceAll('\n', '\r\n')}\r\n`, text).kind).toBe('same-words')
  expect(check(source.replace(/\p{L}/u, 'X'), text).kind).not.toBe('same-words')
})

test('a text of paragraphs alone is the same, with its empty lines or without', () => {
  expect(check('One.\n\nTwo.\n', doc(p('One.'), p('Two.'))).kind).toBe('same')
  const empty = { type: 'paragraph' }
  expect(check('One.\n\nTwo.\n', doc(p('One.'), empty, p('Two.'))).kind).toBe('same')
})

test('signs of items that are words of the text stay', () => {
  expect(check('1. One', doc(p('1. One'))).kind).toBe('same')
  expect(check('One', doc(p('1. One'))).kind).toBe('passages')
})
