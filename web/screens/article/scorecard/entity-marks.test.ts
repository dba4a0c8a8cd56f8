import { Editor, getSchema } from '@tiptap/core'
import { EditorState } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import { ARTICLE_EXTENSIONS } from '../editor/article-extensions.ts'
import { markedRanges, marksTransaction } from './entity-marks.ts'
import { createScorecardStore } from './scorecard-store.ts'

const schema = getSchema(ARTICLE_EXTENSIONS)
const { plugins } = new Editor({
  element: null,
  enableCoreExtensions: false,
  extensions: ARTICLE_EXTENSIONS,
  content: { type: 'doc', content: [{ type: 'paragraph' }] },
}).extensionManager
const p = (text: string) => schema.node('paragraph', null, [schema.text(text)])
const bold = schema.text('light', [schema.mark('bold')])

const store = createScorecardStore([{ category: 'Must Use', keywords: ['path light', 'glare'] }])
const start = EditorState.create({
  doc: schema.node('doc', null, [
    p('A path light and two Path Lights.'),
    schema.node('blockquote', null, [
      schema.node('paragraph', null, [schema.text('One path '), bold, schema.text(' more')]),
    ]),
    p('Nothing of it here.'),
  ]),
  plugins,
})
const marked = (state: EditorState) =>
  markedRanges(state).map(({ from, to }) => state.doc.textBetween(from, to))
const mark = (state: EditorState, keyword: string | null) =>
  state.apply(
    marksTransaction(state, keyword === null ? null : (block) => store.find(keyword, block)),
  )

test('marks every occurrence of one entity, also across bold letters, and changes no text', () => {
  const state = mark(start, 'path light')
  expect(marked(state)).toEqual(['path light', 'Path Lights', 'path light'])
  expect(state.doc).toBe(start.doc)
  expect(marked(mark(state, null))).toEqual([])
})

test('the marks follow the typing', () => {
  const state = mark(start, 'glare')
  expect(marked(state)).toEqual([])
  expect(marked(state.apply(state.tr.insertText('Glare. ', 1)))).toEqual(['Glare'])
})
