import { getSchema } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { EditorState } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import { ARTICLE_EXTENSIONS } from './article-extensions.ts'
import { shownDocument } from './shown-document.ts'

const schema = getSchema(ARTICLE_EXTENSIONS)
const p = (text: string) => schema.node('paragraph', null, [schema.text(text)])
const list = (...items: Node[]) =>
  schema.node(
    'orderedList',
    { start: 3 },
    items.map((item) => schema.node('listItem', null, item)),
  )
const text = schema.node('doc', null, [
  schema.node('heading', { level: 2 }, [schema.text('Tides', [schema.mark('bold')])]),
  p('One'),
  list(p('First'), p('Second')),
  schema.node('blockquote', null, [p('Said'), schema.node('horizontalRule')]),
])

test('is the JSON of what the editor shows', () => {
  expect(shownDocument(text)).toEqual(text.toJSON())
  expect(JSON.stringify(shownDocument(text))).toBe(JSON.stringify(text.toJSON()))
})

test('returns the same object for every unedited block, inside lists too', () => {
  const before = shownDocument(text)
  const typed = EditorState.create({ doc: text }).tr.insertText('!', inside('Second')).doc
  const after = shownDocument(typed)
  expect(after).toEqual(typed.toJSON())
  const [heading, paragraph, items, quote] = after.content
  expect(heading).toBe(before.content[0])
  expect(paragraph).toBe(before.content[1])
  expect(quote).toBe(before.content[3])
  expect(items?.content?.[0]).toBe(before.content[2]?.content?.[0])
  expect(items?.content?.[1]).not.toBe(before.content[2]?.content?.[1])
})

function inside(words: string): number {
  let at = 0
  text.descendants((node, position) => {
    if (node.text === words) at = position + words.length
  })
  return at
}
