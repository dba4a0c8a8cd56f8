import { getSchema } from '@tiptap/core'
import { DecorationSet } from '@tiptap/pm/view'
import { expect, test } from 'vitest'
import type { ArticleDocument, DocumentNode } from '../../../../domain/text/document.ts'
import { ARTICLE_EXTENSIONS } from '../editor/article-extensions.ts'
import { comparedDocument } from './compared-document.ts'

const schema = getSchema(ARTICLE_EXTENSIONS)

const text = (words: string): DocumentNode => ({ type: 'text', text: words })
const p = (...words: string[]): DocumentNode => ({ type: 'paragraph', content: words.map(text) })
const h = (words: string): DocumentNode => ({
  type: 'heading',
  attrs: { level: 2 },
  content: [text(words)],
})
const list = (...items: string[]): DocumentNode => ({
  type: 'bulletList',
  content: items.map((item) => ({ type: 'listItem', content: [p(item)] })),
})
const quote = (words: string): DocumentNode => ({ type: 'blockquote', content: [p(words)] })
const RULE = { type: 'horizontalRule' }
const doc = (...content: DocumentNode[]): ArticleDocument => ({ type: 'doc', content })

type Drawn = { from: number; to: number; type: { attrs?: Record<string, string> } }

/** The blocks of the document, and what is drawn: '-words-' struck through, '+ at a position', '| block'. */
function compare(before: ArticleDocument, after: ArticleDocument) {
  const { doc: shown, decorations } = comparedDocument(schema, before, after)
  shown.check()
  // Positions outside of the document would throw.
  const all = DecorationSet.create(shown, decorations).find() as unknown as Drawn[]
  const drawn = all.map(({ from, to, type: { attrs } }) => {
    if (attrs?.class) return `| ${shown.nodeAt(from)?.textContent}`
    return attrs ? `-${shown.textBetween(from, to)}-` : `+ ${from}`
  })
  return { blocks: shown.children.map((node) => `${node.type.name} ${node.textContent}`), drawn }
}

test.each<[string, ArticleDocument, ArticleDocument, string[], string[]]>([
  [
    'equal texts',
    doc(h('One'), p('Two.')),
    doc(h('One'), p('Two.')),
    ['heading One', 'paragraph Two.'],
    [],
  ],
  [
    'other words',
    doc(p('Before.'), p('A warm lamp.')),
    doc(p('Before.'), p('A cold lamp.')),
    ['paragraph Before.', 'paragraph A warm lamp.'],
    ['| A warm lamp.', '-warm-', '+ 16'],
  ],
  [
    'words at the end of a list',
    doc(list('one', 'two'), p('End.')),
    doc(list('one', 'two lamps'), p('End.')),
    ['bulletList onetwo', 'paragraph End.'],
    ['| onetwo', '+ 13'],
  ],
  [
    'a heading and a paragraph that are gone',
    doc(p('One.'), h('Gone'), p('Gone too.')),
    doc(p('One.')),
    ['paragraph One.', 'heading Gone', 'paragraph Gone too.'],
    ['| Gone', '| Gone too.', '-Gone-', '-Gone too.-'],
  ],
  [
    'a paragraph that is new',
    doc(p('One.')),
    doc(p('One.'), p('Two.')),
    ['paragraph One.', 'paragraph '],
    ['| ', '+ 7'],
  ],
  [
    'a quotation',
    doc(quote('Old words')),
    doc(quote('New words')),
    ['blockquote Old words'],
    ['| Old words', '-Old-', '+ 5'],
  ],
  ['formatting alone', doc(p('Words')), doc(h('Words')), ['paragraph Words'], ['+ 0', '| Words']],
  ['a new rule', doc(p('One.')), doc(p('One.'), RULE), ['paragraph One.'], ['+ 6']],
  ['everything', doc(RULE), doc(p('New.')), ['paragraph '], ['| ', '+ 1']],
])('shows a comparison of %s', (_, before, after, blocks, drawn) => {
  expect(compare(before, after)).toEqual({ blocks, drawn })
})
