import { Editor } from '@tiptap/core'
import { EditorState, TextSelection } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import { nextTool } from '../../../ui/buttons/next-tool.ts'
import { ARTICLE_EXTENSIONS } from './article-extensions.ts'
import { sameToolbar, toolbarState } from './toolbar-state.ts'
import { TOOL_GROUPS } from './tools.ts'

test('the toolbar has exactly the listed controls in the listed order', {
  tags: [
    '@ED-06',
    '@ED-07',
    '@ED-08',
    '@ED-09',
    '@ED-10',
    '@ED-11',
    '@ED-12',
    '@ED-13',
    '@ED-14',
    '@ED-15',
    '@ED-16',
    '@ED-17',
  ],
}, () => {
  expect(TOOL_GROUPS.map((group) => group.map(({ name }) => name))).toEqual([
    ['Bold', 'Italic', 'Strike'],
    ['Paragraph', 'Heading 1', 'Heading 2', 'Heading 3', 'Heading 4', 'Heading 5', 'Heading 6'],
    ['Bullet list', 'Ordered list', 'Blockquote'],
    ['Horizontal rule', 'Hard break'],
    ['Undo', 'Redo'],
  ])
})

const text = (words: string, ...marks: string[]) => ({
  type: 'text',
  text: words,
  marks: marks.map((type) => ({ type })),
})
const content = {
  type: 'doc',
  content: [
    { type: 'heading', attrs: { level: 3 }, content: [text('Title')] },
    { type: 'paragraph', content: [text('plain '), text('strong', 'bold', 'strike')] },
    {
      type: 'blockquote',
      content: [
        {
          type: 'orderedList',
          attrs: { start: 1, type: null },
          content: [
            {
              type: 'listItem',
              content: [{ type: 'paragraph', content: [text('item', 'italic')] }],
            },
          ],
        },
      ],
    },
  ],
}

const editor = new Editor({
  element: null,
  enableCoreExtensions: false,
  extensions: ARTICLE_EXTENSIONS,
  content,
})
const start = EditorState.create({
  doc: editor.schema.nodeFromJSON(content),
  plugins: editor.extensionManager.plugins,
})

function pressedAt(from: number, to = from): string[] {
  const selection = TextSelection.create(start.doc, from, to)
  const state = toolbarState(start.apply(start.tr.setSelection(selection)))
  return Object.entries(state).flatMap(([tool, on]) => (on ? [tool] : []))
}

test.each([
  { where: 'in the heading', from: 3, pressed: ['h3'] },
  { where: 'in plain words', from: 10, pressed: ['paragraph'] },
  { where: 'in strong words', from: 18, pressed: ['bold', 'strike', 'paragraph'] },
  { where: 'over plain and strong words', from: 9, to: 18, pressed: ['paragraph'] },
  { where: 'over heading and paragraph', from: 3, to: 10, pressed: [] },
  {
    where: 'in a quoted list',
    from: 26,
    pressed: ['italic', 'paragraph', 'orderedList', 'blockquote'],
  },
])('a caret $where presses $pressed', ({ from, to, pressed }) => {
  expect(pressedAt(from, to)).toEqual(pressed)
})

test('typing on in the same paragraph gives the same toolbar', () => {
  const caret = start.apply(start.tr.setSelection(TextSelection.create(start.doc, 10)))
  const typed = caret.apply(caret.tr.insertText('x'))
  const more = typed.apply(typed.tr.insertText('y'))
  expect(sameToolbar(toolbarState(typed), toolbarState(more))).toBe(true)
  expect(sameToolbar(toolbarState(caret), toolbarState(typed))).toBe(false)
  expect(toolbarState(typed)).toMatchObject({ canUndo: true, canRedo: false })
})

test.each([
  { key: 'ArrowRight', from: 0, to: 1 },
  { key: 'ArrowRight', from: 17, to: 0 },
  { key: 'ArrowLeft', from: 0, to: 17 },
  { key: 'Home', from: 9, to: 0 },
  { key: 'End', from: 9, to: 17 },
  { key: 'Tab', from: 9, to: null },
])('$key leads from tool $from to $to', ({ key, from, to }) => {
  expect(nextTool(key, from, 18)).toBe(to)
})
