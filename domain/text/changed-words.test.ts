import { expect, it } from 'vitest'
import { wordCount } from './article-text.ts'
import { changedWords } from './changed-words.ts'
import type { ArticleText } from './document.ts'

const doc = (...paragraphs: string[]): ArticleText => ({
  type: 'doc',
  content: paragraphs.map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] })),
})
const heading: ArticleText = {
  type: 'doc',
  content: [{ type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'One two' }] }],
}

it.each<[string, ArticleText, ArticleText, added: number, removed: number, formatting: boolean]>([
  ['nothing', doc('One two'), doc('One two'), 0, 0, false],
  ['words added', doc('One two'), doc('One or two more'), 2, 0, false],
  ['words taken', doc('One or two more'), doc('One two'), 0, 2, false],
  ['words replaced', doc('the lamp dazzles us'), doc('the lamp is too bare for us'), 4, 1, false],
  ['an empty text', {}, doc('One two'), 2, 0, false],
  ['another mark at a word', doc('One two'), doc('One two.'), 1, 1, false],
  ['a dash, which is no word', doc('One two'), doc('One – two'), 0, 0, true],
  ['a heading of the same words', doc('One two'), heading, 0, 0, true],
  ['a split paragraph', doc('One two'), doc('One', 'two'), 0, 0, true],
  ['letters that are words each', doc('園庭'), doc('園の庭'), 3, 2, false],
])('counts %s', { tags: ['@VL-08'] }, (_, before, after, added, removed, formatting) => {
  expect(changedWords(before, after)).toEqual({ added, removed, formatting })
  expect(added - removed).toBe(wordCount(after) - wordCount(before))
})
