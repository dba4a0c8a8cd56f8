import { getSchema } from '@tiptap/core'
import { history, undo } from '@tiptap/pm/history'
import { EditorState, TextSelection } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import { ARTICLE_EXTENSIONS } from './article-extensions.ts'
import { showingTransaction } from './show-document.ts'
import { typedRun, typedRunOf } from './typed-run.ts'

const schema = getSchema(ARTICLE_EXTENSIONS)
const doc = (...lines: string[]) =>
  schema.node(
    'doc',
    null,
    lines.map((line) => schema.node('paragraph', null, line ? [schema.text(line)] : [])),
  )

/** A user with the caret at the end of the first line. */
function at(...lines: string[]) {
  let state = EditorState.create({ doc: doc(...lines), plugins: [history(), typedRun()] })
  const dispatch = (tr: EditorState['tr']) => {
    state = state.apply(tr)
  }
  const user = {
    typed: () => typedRunOf(state),
    type(text: string) {
      for (const letter of text) dispatch(state.tr.insertText(letter))
      return user
    },
    /** As smart typing does with the last letters. */
    replace(letters: number, by: string) {
      const { from } = state.selection
      dispatch(state.tr.insertText(by, from - letters, from))
      return user
    },
    back() {
      const { from } = state.selection
      dispatch(state.tr.delete(from - 1, from))
      return user
    },
    enter() {
      dispatch(state.tr.split(state.selection.from))
      return user
    },
    moveTo(position: number) {
      dispatch(state.tr.setSelection(TextSelection.create(state.doc, position)))
      return user
    },
    select(from: number, to: number) {
      dispatch(state.tr.setSelection(TextSelection.create(state.doc, from, to)))
      return user
    },
    link(from: number, to: number) {
      dispatch(
        state.tr.addMark(from, to, schema.mark('link', { href: 'https://larkspur.example' })),
      )
      return user
    },
    undo() {
      undo(state, dispatch)
      return user
    },
    shown(...shown: string[]) {
      const tr = showingTransaction(state, doc(...shown))
      if (tr) dispatch(tr)
      return user
    },
  }
  return user.moveTo((lines[0] ?? '').length + 1)
}

test.each([
  ['nothing was typed', at('One.'), ''],
  ['words were typed', at('One.').type(' The soil was'), ' The soil was'],
  ['a letter was taken back', at('One.').type(' The soiln').back().type(' was'), ' The soil was'],
  ['all was taken back', at('One.').type('a').back(), ''],
  ['more than that was taken back', at('One.').type('a').back().back().type('b'), 'b'],
  ['another line began', at('One.').type(' Two.').enter().type('Three'), 'Three'],
  ['the caret moved', at('One.').type(' Two').moveTo(2), ''],
  ['the caret moved, and words were typed', at('One.').type(' Two').moveTo(1).type('So: '), 'So: '],
  ['it moved and came back', at('One.').type(' Two').moveTo(1).moveTo(9).type(' b'), ' Two b'],
  [
    'a word of it was corrected before the rest',
    at('One.').type(' The lmap is').moveTo(13).back().back().type('am').moveTo(17).type(' low'),
    ' The lamp is low',
  ],
  [
    'two words of it were corrected before the rest',
    at('').type('Teh lmap is').select(2, 4).type('he').select(6, 8).type('am').moveTo(12).type('n'),
    'The lamp isn',
  ],
  ['a word of it is being corrected', at('').type('The lmap is').select(6, 8).type('a'), 'a'],
  [
    'it moved, and the sentence is finished',
    at('').type('A. B.').moveTo(2).moveTo(6).type(' C'),
    ' C',
  ],
  ['one sentence of it is unfinished', at('').type('A. B').moveTo(2).moveTo(5).type(' c'), 'B c'],
  [
    'others wrote behind it before the rest',
    at('')
      .type('The lmap is')
      .select(6, 8)
      .type('am')
      .shown('The lamp is It rains.')
      .moveTo(12)
      .type(' low'),
    'The lamp is low',
  ],
  [
    'others wrote in it before the rest',
    at('')
      .type('The lmap is')
      .select(6, 8)
      .type('am')
      .shown('The old lamp is')
      .moveTo(16)
      .type(' low'),
    'lamp is low',
  ],
  [
    'its first letter was corrected before the rest',
    at('').type('the lamp is').moveTo(2).back().type('T').moveTo(12).type(' low'),
    'The lamp is low',
  ],
  [
    'its last word was replaced after the caret had moved',
    at('').type('The lamp iz').moveTo(2).select(10, 12).type('is low'),
    'The lamp is low',
  ],
  ['it was undone and typed on', at('One.').type(' Two').undo().type(' Three'), ' Three'],
  [
    'a word of others that it replaced came back by undo',
    at('The lamp was').back().back().back().type('is').undo().type(' low.'),
    ' low.',
  ],
  [
    'a line of others that it replaced came back by undo',
    at('Ada wrote this').select(1, 15).type('x').undo().moveTo(15).type(' too.'),
    ' too.',
  ],
  ['words are selected', at('One.').type(' Two').select(1, 3), ''],
  ['words were replaced', at('One two.').select(1, 4).type('Three'), 'Three'],
  ['words of it became a link', at('One.').type(' Two').link(6, 9).type(' b'), ' Two b'],
  ['a sign was replaced', at('One.').type(' Two "').replace(1, '“').type('three'), ' Two “three'],
  ['the first sign was replaced', at('One.').type('"').replace(1, '”').type(' Two'), '” Two'],
  ['two signs were replaced', at('One.').type(' Two--').replace(2, '—').type('b'), ' Two—b'],
  [
    'a replacement was taken back',
    at('One.').type(' Two--').replace(2, '—').replace(1, '--').type('b'),
    ' Two--b',
  ],
  ['it was undone', at('One.').type(' Two').undo(), ''],
  ['others wrote before it', at('One.').type(' Two').shown('Zero. One. Two').type('!'), ' Two!'],
  [
    'others wrote directly behind it',
    at('One.').type(' The soil').shown('One. The soil The first year.').type(' was'),
    ' The soil was',
  ],
  ['others wrote a line', at('One.').type(' Two').shown('Zero.', 'One. Two').type('!'), ' Two!'],
  [
    'others wrote before it, and the same space is before both',
    at('One and').type(' In spring').shown('One and two were warm In spring').type(' we'),
    'In spring we',
  ],
  [
    'others wrote in it',
    at('One.').type(' In spring we').shown('One. In late spring we').type(' paint'),
    'spring we paint',
  ],
  ['others removed it', at('One.').type(' Two').shown('One.'), ''],
])('what is being typed, where %s', (_, user, typed) => {
  expect(user.typed()).toBe(typed)
})
