import { expect, test } from 'vitest'
import type { ArticleDocument, DocumentNode } from '../../../../domain/text/document.ts'
import { comparedParts } from './compared-blocks.ts'

const text = (words: string): DocumentNode => ({ type: 'text', text: words })
const p = (words: string): DocumentNode => ({ type: 'paragraph', content: [text(words)] })
const h = (level: number, words: string): DocumentNode => ({
  type: 'heading',
  attrs: { level },
  content: [text(words)],
})
const list = (...items: string[]): DocumentNode => ({
  type: 'bulletList',
  content: items.map((item) => ({ type: 'listItem', content: [p(item)] })),
})
const quote = (words: string): DocumentNode => ({ type: 'blockquote', content: [p(words)] })
const doc = (...content: DocumentNode[]): ArticleDocument => ({ type: 'doc', content })

/** One line for each part: '= 2 blocks', 'heading 2 | one -two- +three+'. */
const told = (before: ArticleDocument, after: ArticleDocument) =>
  comparedParts(before, after).map((part) => {
    if (part.kind === 'same') return `= ${part.blocks.length}`
    const sign = { same: '', removed: '-', inserted: '+' }
    const lines = part.lines.map((runs, at) => {
      const words = runs.map(({ kind, text: some }) => `${sign[kind]}${some}${sign[kind]}`).join('')
      const level = part.form === 'paragraph' ? part.levels[at] : null
      return level == null ? words : `h${level} ${words}`
    })
    const form = part.form === 'heading' ? `heading ${part.level}` : part.form
    return [form, ...lines, ...(part.isFormOnly ? ['form only'] : [])].join(' | ')
  })

test.each<[string, ArticleDocument, ArticleDocument, string[]]>([
  ['equal texts', doc(p('One.'), p('Two.')), doc(p('One.'), p('Two.')), ['= 2']],
  [
    'a word in the middle, with what stayed before and after it',
    doc(h(1, 'Title'), p('A warm lamp.'), p('End.')),
    doc(h(1, 'Title'), p('A cold lamp.'), p('End.')),
    ['= 1', 'paragraph | A -warm-+cold+ lamp.', '= 1'],
  ],
  ['one more space', doc(p('A lamp.')), doc(p('A  lamp.')), ['paragraph | A+ + lamp.']],
  [
    'a new paragraph at the end',
    doc(p('One.')),
    doc(p('One.'), p('Two.')),
    ['= 1', 'paragraph | +Two.+'],
  ],
  [
    'a paragraph that is gone',
    doc(p('One.'), p('Two.')),
    doc(p('Two.')),
    ['paragraph | -One.-', '= 1'],
  ],
  ['a heading', doc(h(3, 'Old words')), doc(h(3, 'New words')), ['heading 3 | -Old-+New+ words']],
  [
    'a heading that is gone with its paragraph',
    doc(p('One.'), h(2, 'Gone'), p('Gone too.'), p('End.')),
    doc(p('One.'), p('End.')),
    ['= 1', 'paragraph | h2 -Gone- | -Gone too.-', '= 1'],
  ],
  [
    'a new heading with its paragraph',
    doc(p('One.')),
    doc(p('One.'), h(3, 'Fresh'), p('Words.')),
    ['= 1', 'paragraph | h3 +Fresh+ | +Words.+'],
  ],
  [
    'a list, line by line',
    doc(list('one', 'two')),
    doc(list('one', 'three')),
    ['list | one | -two-+three+'],
  ],
  ['a quotation', doc(quote('Old words')), doc(quote('New words')), ['quote | -Old-+New+ words']],
  [
    'a paragraph that became a heading',
    doc(p('The same words')),
    doc(h(2, 'The same words')),
    ['paragraph | The same words | form only'],
  ],
  [
    'a rule between paragraphs',
    doc(p('One.')),
    doc(p('One.'), { type: 'horizontalRule' }),
    ['= 1', 'paragraph | form only'],
  ],
])('distinguishes %s', (_, before, after, parts) => {
  expect(told(before, after)).toEqual(parts)
})
