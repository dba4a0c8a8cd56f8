import { getSchema } from '@tiptap/core'
import { joinBackward } from '@tiptap/pm/commands'
import { history, undo } from '@tiptap/pm/history'
import type { Node } from '@tiptap/pm/model'
import { EditorState, TextSelection } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import { ARTICLE_EXTENSIONS } from './article-extensions.ts'
import { heldCut, holdsCut, withCut } from './held-cut.ts'

/** What the sync core reads between a cut and its paste. */

const schema = getSchema(ARTICLE_EXTENSIONS)
const paragraph = (text: string): Node =>
  schema.node('paragraph', null, text === '' ? [] : [schema.text(text)])
const list = (...items: string[]): Node =>
  schema.node(
    'bulletList',
    null,
    items.map((text) => schema.node('listItem', null, [paragraph(text)])),
  )
const TEXT = schema.node('doc', null, [
  paragraph('One two three.'),
  paragraph('Four five six.'),
  list('Seven eight.', 'Nine ten.'),
  paragraph('Eleven twelve.'),
])

const begin = (): EditorState =>
  EditorState.create({ doc: TEXT, plugins: [history({ newGroupDelay: 0 }), heldCut()] })

const placeOf = (doc: Node, text: string): number => {
  let place = 0
  doc.descendants((node, position) => {
    const at = node.text?.indexOf(text) ?? -1
    if (at >= 0) place = position + at
  })
  return place
}

/** As the editor does it for the keys. */
function cut(state: EditorState, from: number, to: number): EditorState {
  const selected = state.apply(state.tr.setSelection(TextSelection.create(state.doc, from, to)))
  return selected.apply(selected.tr.deleteSelection().setMeta('uiEvent', 'cut'))
}

const cutParagraph = (state: EditorState): EditorState => {
  const from = placeOf(state.doc, 'Four')
  return cut(state, from, from + 'Four five six.'.length)
}

const linesOf = (doc: Node): string[] => {
  const lines: string[] = []
  doc.descendants((node) => {
    if (node.isTextblock) lines.push(node.textContent)
  })
  return lines
}

test('during a cut the text read is the one from before the cut', {
  tags: ['@SY-11', '@fault-57'],
}, () => {
  const places: number[] = []
  TEXT.descendants((node, position) => {
    for (let at = 0; node.isTextblock && at <= node.content.size; at += 1)
      places.push(position + 1 + at)
  })
  for (const from of places) {
    for (const to of places.filter((place) => place > from)) {
      const state = cut(begin(), from, to)
      expect(holdsCut(state)).toBe(true)
      expect([from, to, withCut(state).toJSON()]).toEqual([from, to, TEXT.toJSON()])
    }
  }
})

test('text typed and joined between a cut and its paste is read next to the cut text, in its own paragraph', {
  tags: ['@SY-11', '@fault-57'],
}, () => {
  let state = cutParagraph(begin())
  joinBackward(state, (tr) => {
    state = state.apply(tr)
  })
  const end = state.doc.content.size - 1
  state = state.apply(state.tr.insertText(' Typed.', end))
  state = state.apply(state.tr.split(state.doc.content.size - 1))
  expect(linesOf(withCut(state))).toEqual([
    'One two three.',
    'Four five six.',
    'Seven eight.',
    'Nine ten.',
    'Eleven twelve. Typed.',
    '',
  ])
  const pasted = state.apply(state.tr.insertText('Four five six.').setMeta('uiEvent', 'paste'))
  expect(holdsCut(pasted)).toBe(false)
  expect(withCut(pasted)).toBe(pasted.doc)

  state = cutParagraph(begin())
  state = state.apply(state.tr.insertText('In its place.'))
  expect(linesOf(withCut(state)).slice(0, 3)).toEqual([
    'One two three.',
    'In its place.',
    'Four five six.',
  ])
})

test('a cut that is undone is none, and a second one takes the place of the first', {
  tags: ['@SY-11', '@fault-57'],
}, () => {
  let state = cutParagraph(begin())
  undo(state, (tr) => {
    state = state.apply(tr)
  })
  expect(holdsCut(state)).toBe(false)
  expect(withCut(state).toJSON()).toEqual(TEXT.toJSON())

  state = cutParagraph(begin())
  const from = placeOf(state.doc, 'twelve')
  state = cut(state, from, from + 'twelve'.length)
  expect(linesOf(withCut(state))).toEqual([
    'One two three.',
    '',
    'Seven eight.',
    'Nine ten.',
    'Eleven twelve.',
  ])
})
