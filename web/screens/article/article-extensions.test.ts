import { Editor, getSchema } from '@tiptap/core'
import { EditorState } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import { ALLOWED_MARKS, ALLOWED_NODES, readDocument } from '../../../domain/document.ts'
import { ARTICLE_EXTENSIONS, PLACEHOLDER } from './article-extensions.ts'

const schema = getSchema(ARTICLE_EXTENSIONS)

test('ED-27 the editor knows exactly the nodes and marks that the server takes', () => {
  expect(Object.keys(schema.nodes).sort()).toEqual([...ALLOWED_NODES].sort())
  expect(Object.keys(schema.marks).sort()).toEqual([...ALLOWED_MARKS].sort())
})

test('ED-27 marks stand in the order in which the server writes them', () => {
  expect(Object.keys(schema.marks)).toEqual([...ALLOWED_MARKS])
})

test('ED-18 the placeholder is letter for letter that of the specification', () => {
  expect(PLACEHOLDER).toBe('Write your article here …')
})

const everything = {
  type: 'doc',
  content: [
    ...[1, 2, 3, 4, 5, 6].map((level) => ({
      type: 'heading',
      attrs: { level },
      content: [{ type: 'text', text: `Heading ${level}` }],
    })),
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'plain ' },
        {
          type: 'text',
          text: 'all',
          marks: [{ type: 'bold' }, { type: 'italic' }, { type: 'strike' }],
        },
        { type: 'hardBreak' },
        { type: 'text', text: 'next line' },
      ],
    },
    { type: 'horizontalRule' },
    {
      type: 'blockquote',
      content: [
        {
          type: 'orderedList',
          attrs: { start: 3, type: null },
          content: [{ type: 'listItem', content: [{ type: 'paragraph' }] }],
        },
      ],
    },
    {
      type: 'bulletList',
      content: [
        {
          type: 'listItem',
          content: [{ type: 'paragraph', content: [{ type: 'text', text: 'item' }] }],
        },
      ],
    },
    { type: 'heading', attrs: { level: 2 } },
  ],
}

test('ED-22 a text goes through the editor unchanged, also one that ends with a heading', () => {
  const shown = schema.nodeFromJSON(everything)
  shown.check()
  expect(shown.toJSON()).toEqual(everything)
  expect(readDocument(shown.toJSON())).toEqual({ ok: true, document: everything })
})

function editorState(content: object): EditorState {
  const editor = new Editor({
    element: null,
    enableCoreExtensions: false,
    extensions: ARTICLE_EXTENSIONS,
    content,
  })
  return EditorState.create({
    doc: editor.schema.nodeFromJSON(content),
    plugins: editor.extensionManager.plugins,
  })
}

test('ED-22 placing the caret changes nothing', () => {
  const state = editorState(everything)
  const after = state.applyTransaction(state.tr.setMeta('focus', true))
  expect(after.transactions.some(({ docChanged }) => docChanged)).toBe(false)
})

test.each([
  { start: 12_345_678_901, type: null },
  { start: Number.NaN, type: null },
  { start: -3, type: null },
  { start: 1, type: 'disc' },
])('a pasted list of start $start and type $type becomes one that the server takes', (attrs) => {
  const state = editorState({ type: 'doc', content: [{ type: 'paragraph' }] })
  const item = state.schema.node('listItem', null, [state.schema.node('paragraph')])
  const pasted = state.tr.replaceWith(0, 2, state.schema.node('orderedList', attrs, [item]))
  const json: unknown = state.applyTransaction(pasted).state.doc.toJSON()
  expect(readDocument(json)).toMatchObject({ ok: true })
})
