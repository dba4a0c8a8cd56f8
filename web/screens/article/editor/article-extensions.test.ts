import { Editor, getSchema } from '@tiptap/core'
import { undo, undoDepth } from '@tiptap/pm/history'
import type { NodeSpec } from '@tiptap/pm/model'
import { EditorState, type Transaction } from '@tiptap/pm/state'
import StarterKit from '@tiptap/starter-kit'
import { expect, test } from 'vitest'
import { ALLOWED_MARKS, ALLOWED_NODES, readDocument } from '../../../../domain/text/document.ts'
import { ARTICLE_EXTENSIONS } from './article-extensions.ts'
import { PLACEHOLDER } from './placeholder.ts'

const schema = getSchema(ARTICLE_EXTENSIONS)

test('the editor knows exactly the nodes and marks that the server takes', {
  tags: ['@ED-27'],
}, () => {
  expect(Object.keys(schema.nodes).sort()).toEqual([...ALLOWED_NODES].sort())
  expect(Object.keys(schema.marks).sort()).toEqual([...ALLOWED_MARKS].sort())
})

test('marks are in the order in which the server writes them', { tags: ['@ED-27'] }, () => {
  expect(Object.keys(schema.marks)).toEqual([...ALLOWED_MARKS])
})

test('nodes and marks take the same content and attributes as those of StarterKit', () => {
  const kit = getSchema([
    StarterKit.configure({ link: false, code: false, codeBlock: false, underline: false }),
  ])
  const ruleOf = ({ content, group, marks, attrs, inline, excludes }: Omit<NodeSpec, 'toDOM'>) => {
    const given: [string, { default?: unknown }][] = Object.entries(attrs ?? {})
    const defaults = given.map(([name, attribute]) => [name, attribute.default])
    return { content, group, marks, inline, excludes, attrs: Object.fromEntries(defaults) }
  }
  const rulesOf = ({ nodes, marks }: typeof schema) =>
    Object.fromEntries(
      // Links are of this application, with an address alone.
      Object.values({ ...nodes, ...marks })
        .filter(({ name }) => name !== 'link')
        .map(({ name, spec }) => [name, ruleOf(spec)]),
    )
  expect(rulesOf(schema)).toEqual(rulesOf(kit))
})

test('the placeholder is letter for letter that of the specification', { tags: ['@ED-18'] }, () => {
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

test('a text goes through the editor unchanged, also one that ends with a heading', {
  tags: ['@ED-22'],
}, () => {
  const shown = schema.nodeFromJSON(everything)
  shown.check()
  expect(shown.toJSON()).toEqual(everything)
  expect(readDocument(shown.toJSON())).toEqual({ ok: true, document: everything })
})

const EMPTY = { type: 'doc', content: [{ type: 'paragraph' }] }

const editorOf = (content: object) =>
  new Editor({
    element: null,
    enableCoreExtensions: false,
    extensions: ARTICLE_EXTENSIONS,
    content,
  })

function editorState(content: object): EditorState {
  const editor = editorOf(content)
  return EditorState.create({
    doc: editor.schema.nodeFromJSON(content),
    plugins: editor.extensionManager.plugins,
  })
}

test('placing the caret changes nothing', { tags: ['@ED-22'] }, () => {
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

/** A text into which a letter was typed at each of these milliseconds. */
const typed = (times: number[]): EditorState =>
  times.reduce(
    (state, time) =>
      state.apply(state.tr.insertText('a', state.doc.content.size - 1).setTime(time)),
    editorState(EMPTY),
  )

test.each([
  ['within 500 ms of each other are one step', [1_000, 1_499, 1_998], 1],
  ['more than 500 ms apart are two steps', [1_000, 1_501], 2],
])('letters typed %s in the history', { tags: ['@ED-31', '@CN-12'] }, (_, times, steps) => {
  expect(undoDepth(typed(times))).toBe(steps)
})

test('undo goes back over at least a hundred steps, and over no more than are kept', {
  tags: ['@ED-30', '@CN-12'],
}, () => {
  const times = Array.from({ length: 400 }, (_, n) => n * 1_000)
  let state = typed(times)
  let undone = 0
  const take = (change: Transaction) => {
    state = state.apply(change)
  }
  while (undo(state, take)) undone += 1
  expect(undone).toBeGreaterThanOrEqual(100)
  // Older steps leave in packs of twenty.
  expect(undone).toBeLessThanOrEqual(120)
  expect(state.doc.textContent).toHaveLength(400 - undone)
})

test('the editor offers headings 1 to 6', { tags: ['@ED-32', '@CN-12'] }, () => {
  const heading = editorOf(EMPTY).extensionManager.extensions.find(({ name }) => name === 'heading')
  expect(heading?.options.levels).toEqual([1, 2, 3, 4, 5, 6])
})

test('no number of characters is too many to type', { tags: ['@ED-29', '@CN-12'] }, () => {
  const state = editorState(EMPTY)
  const long = state.applyTransaction(state.tr.insertText('a'.repeat(2_000_000), 1)).state
  expect(long.doc.textContent).toHaveLength(2_000_000)
})
