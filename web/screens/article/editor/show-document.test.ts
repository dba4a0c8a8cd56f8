import { getSchema } from '@tiptap/core'
import { history, undo, undoDepth } from '@tiptap/pm/history'
import type { Node } from '@tiptap/pm/model'
import { EditorState, TextSelection } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import { ARTICLE_EXTENSIONS } from './article-extensions.ts'
import { protectRemoteEdits } from './protect-remote-edits.ts'
import { showingTransaction } from './show-document.ts'
import { typedRun } from './typed-run.ts'

const schema = getSchema(ARTICLE_EXTENSIONS)
const p = (...text: string[]) =>
  schema.node(
    'paragraph',
    null,
    text.map((part) => schema.text(part)),
  )
const bold = (text: string) => schema.text(text, [schema.mark('bold')])
const li = (text: string) => schema.node('listItem', null, [p(text)])
const ul = (...items: string[]) => schema.node('bulletList', null, items.map(li))
const h = (level: number, text: string) => schema.node('heading', { level }, [schema.text(text)])
const quote = (...blocks: Node[]) => schema.node('blockquote', null, blocks)
const doc = (...blocks: Node[]) => schema.node('doc', null, blocks)

/** Characters of the shown text that the transaction touches. */
function touched(before: Node, after: Node): number {
  const tr = showingTransaction(EditorState.create({ doc: before }), after)
  let size = 0
  for (const map of tr?.mapping.maps ?? []) {
    map.forEach((from, to) => {
      size += to - from
    })
  }
  return size
}

const CASES: { title: string; before: Node; after: Node; touches: number }[] = [
  { title: 'one letter more', before: doc(p('one')), after: doc(p('ones')), touches: 0 },
  { title: 'one letter less', before: doc(p('ones')), after: doc(p('one')), touches: 1 },
  { title: 'repeated letters', before: doc(p('aaa')), after: doc(p('aaaa')), touches: 0 },
  { title: 'repeated letters less', before: doc(p('baaa')), after: doc(p('baa')), touches: 1 },
  {
    title: 'first and last of three blocks',
    before: doc(p('a1'), p('the caret stands in here'), p('c1')),
    after: doc(p('a2'), p('the caret stands in here'), p('c2')),
    touches: 2,
  },
  {
    title: 'a block in between',
    before: doc(p('a'), p('c')),
    after: doc(p('a'), p('b'), p('c')),
    touches: 0,
  },
  {
    title: 'a block at the end',
    before: doc(p('a')),
    after: doc(p('a'), h(2, 'b')),
    touches: 0,
  },
  {
    title: 'a block less',
    before: doc(p('a'), p('bb'), p('c')),
    after: doc(p('a'), p('c')),
    touches: 4,
  },
  {
    title: 'a word inside a list',
    before: doc(ul('one', 'two', 'three')),
    after: doc(ul('one', 'two words', 'three')),
    touches: 0,
  },
  {
    title: 'an item more in a list',
    before: doc(ul('one', 'three')),
    after: doc(ul('one', 'two', 'three')),
    touches: 0,
  },
]

test.each(CASES)(
  'shows $title by touching no more than it must',
  { tags: ['@Q44'] },
  ({ before, after, touches }) => {
    expect(touched(before, after)).toBe(touches)
  },
)

const SHAPES: Node[] = [
  doc(p('a')),
  doc(p()),
  doc(h(2, 'a'), p('b')),
  doc(p('a'), quote(p('b'), ul('c', 'd'))),
  doc(quote(ul('c'), p('b')), p('a')),
  doc(ul('a', 'b'), schema.node('horizontalRule'), p('a')),
  doc(schema.node('paragraph', null, [schema.text('plain '), bold('bold')])),
  doc(schema.node('paragraph', null, [bold('plain '), schema.text('bold')])),
  doc(schema.node('orderedList', { start: 3, type: null }, [li('a')]), p('x')),
  doc(
    schema.node('paragraph', null, [schema.text('a'), schema.node('hardBreak'), schema.text('b')]),
  ),
]

test('for any previous text, exactly the given text is shown afterwards', {
  tags: ['@Q44'],
}, () => {
  for (const before of SHAPES) {
    for (const after of SHAPES) {
      const state = EditorState.create({ doc: before })
      const tr = showingTransaction(state, after)
      expect(tr === null ? state.doc.toJSON() : tr.doc.toJSON()).toEqual(after.toJSON())
      expect(tr === null).toBe(before.eq(after))
    }
  }
})

test('the caret stays in its word while blocks around it change', { tags: ['@Q44'] }, () => {
  const before = doc(p('before'), p('caret here'), p('after'))
  const start = EditorState.create({ doc: before })
  const state = start.apply(start.tr.setSelection(TextSelection.create(before, 8 + 1 + 6)))
  const tr = showingTransaction(
    state,
    doc(h(1, 'New title'), p('before it'), p('caret here'), p('after', ' it')),
  )
  const after = state.apply(tr ?? state.tr)
  expect(after.selection.$from.parent.textContent).toBe('caret here')
  expect(after.selection.$from.parentOffset).toBe(6)
})

test('words of another user after the caret stay behind it when blocks are added or removed next to it', {
  tags: ['@fault-21'],
}, () => {
  const mine = 'The roots are wet. The garden was hard and the roots'
  const theirs = `${mine} The path was low.`
  const AROUND: { before: Node[]; after: Node[] }[] = [
    { before: [p('one'), p(mine)], after: [p('two'), p('three'), p(theirs)] },
    { before: [p(mine), p('one')], after: [p(theirs), p('two'), p('three')] },
    { before: [p('one'), p('two'), p(mine)], after: [p('three'), p(theirs)] },
    { before: [p('one'), ul('a', mine)], after: [p('two'), p('three'), ul('b', 'c', theirs)] },
    { before: [p('one'), p(mine)], after: [p('two'), quote(p(theirs)), p('three')] },
    { before: [p(mine), p('one')], after: [p(`Tobias: ${theirs}`), p('two'), p('three')] },
  ]
  for (const { before, after } of AROUND) {
    const start = EditorState.create({ doc: doc(...before) })
    const caret = endOf(start.doc, mine)
    const state = start.apply(start.tr.setSelection(TextSelection.create(start.doc, caret)))
    const tr = showingTransaction(state, doc(...after))
    const shown = state.apply(tr ?? state.tr)
    expect(shown.doc.toJSON()).toEqual(doc(...after).toJSON())
    const { $from } = shown.selection
    expect($from.parent.textBetween(0, $from.parentOffset).endsWith(mine)).toBe(true)
  }
})

/** Returns the position at the end of the block with this text. */
function endOf(node: Node, text: string): number {
  let found = 0
  node.descendants((child, position) => {
    if (child.isTextblock && child.textContent === text) found = position + 1 + text.length
  })
  return found
}

test('a shown text is no edit and no step of undo', { tags: ['@Q44'] }, () => {
  const start = EditorState.create({ doc: doc(p('mine')), plugins: [history()] })
  const typed = start.apply(start.tr.insertText(' typed', 5))
  const tr = showingTransaction(typed, doc(p('theirs'), p('mine typed')))
  expect(tr?.getMeta('preventUpdate')).toBe(true)
  const shown = typed.apply(tr ?? typed.tr)
  expect(undoDepth(shown)).toBe(1)
  expect(undone(shown).doc.toJSON()).toEqual(doc(p('theirs'), p('mine')).toJSON())
})

test('remote edits before and after the caret in its paragraph keep it in its word and its typing undoable', {
  tags: ['@fault-21'],
}, () => {
  const start = EditorState.create({
    doc: doc(p('one two three four')),
    plugins: [history()],
  })
  const typed = start.apply(start.tr.insertText(' mine', 8))
  const caret = typed.apply(typed.tr.setSelection(TextSelection.create(typed.doc, 11)))
  const next = doc(p('one FIRST two mine three four LAST'))
  const shown = caret.apply(showingTransaction(caret, next) ?? caret.tr)
  expect(shown.doc.toJSON()).toEqual(next.toJSON())
  const { parent, parentOffset } = shown.selection.$from
  expect(parent.textBetween(0, parentOffset)).toBe('one FIRST two mi')
  expect(undone(shown).doc.textContent).toBe('one FIRST two three four LAST')
})

function undone(state: EditorState): EditorState {
  let after = state
  undo(state, (step) => {
    after = state.apply(step)
  })
  return after
}

const WET = ' The soil was wet and the roots were slow to take.'
const HARD = ' The first year was hard and the leaves were small.'

/** Text that was typed, with the caret behind it, and the merge that comes; '|' is where the caret is then. */
const TYPED: { title: string; base: string[]; typed: string; lines: string[] }[] = [
  {
    title: 'before words that were typed at the same place',
    base: ['We planted the hedge in spring.'],
    typed: WET,
    lines: [`We planted the hedge in spring.${HARD}${WET}|`],
  },
  {
    title: 'in the middle of a sentence that begins like the other',
    base: ['We planted.'],
    typed: ' The so',
    lines: ['We planted. The first year The so|'],
  },
  {
    title: 'behind the caret, where they repeat the words before it, and before these',
    base: [
      ' It is c0z cold in It is b0z slow in b1z the kitchen, and b2z the b3z stones are dry too.',
    ],
    typed: ' b4z In autumn b5z the roof b6z is dry and the',
    lines: [
      ' It is c0z cold in c1z the hedge, and the leaves are c2z warm c3z too. It is b0z slow in b1z the kitchen, and b2z the b3z stones are dry too. b4z In autumn b5z the roof b6z is dry and the| Wren says a1z It is cold in a2z the soil, and the a3z roots are cold a4z too. a0z it is high.',
    ],
  },
  {
    title: 'behind the caret at the end of a paragraph',
    base: ['We planted.'],
    typed: ' Yes.',
    lines: ['We planted. Yes.| It is cold.'],
  },
  {
    title: 'behind it, with the words that were typed last',
    base: ['We planted.'],
    typed: ' It is warm.',
    lines: ['We planted. It is warm.| So warm.'],
  },
  {
    title: 'where one sentence was rewritten by both',
    base: ['We planted.'],
    typed: ' The lamps are low.',
    lines: ['We planted. The lamps are warm. The lamps are low.|'],
  },
  {
    title: 'in an empty article',
    base: [''],
    typed: 'Imogen says it is wet.',
    lines: ['Tobias says it is cold.', 'Imogen says it is wet.|'],
  },
  {
    title: 'in a paragraph of its own above',
    base: ['One.', ''],
    typed: 'In winter the path is wet and the light is low.',
    lines: [
      'One.',
      'In summer the path is dry and the light is high.',
      'In winter the path is wet and the light is low.|',
    ],
  },
  {
    title: 'earlier in its line, behind the caret and in lines below',
    base: ['In winter the hedge is hard and we prune. The soil is loud.'],
    typed: ' We paint the',
    lines: [
      'In winter the hedge is hard and the light is low. In spring we prune. The soil is loud. We paint the| In winter we mulch.',
      'The hedge is low.',
      'Ada and Imogen mulch the soil in winter.',
    ],
  },
  {
    title: 'earlier in its line, which they divide, and in a line below',
    base: ['In winter the hedge is hard and we prune. The soil is loud.'],
    typed: ' We paint the',
    lines: [
      'In winter the hedge is hard and the light is low.',
      'In spring we prune. The soil is loud. We paint the|',
      'Ada and Imogen mulch the soil in winter.',
    ],
  },
  {
    title: 'in the line before it, which they join with its line',
    base: ['One two.', 'The soil is loud.'],
    typed: ' We paint the',
    lines: ['One two three. The soil is loud. We paint the|'],
  },
  {
    title: 'in a paragraph of its own below',
    base: ['One.'],
    typed: ' Two.',
    lines: ['One. Two.|', 'Three.'],
  },
]

test.each(TYPED)(
  'words of another writer come $title: the caret stays behind the own words, and undo takes only these',
  { tags: ['@Q44', '@fault-21'] },
  ({ base, typed, lines }) => {
    const start = EditorState.create({
      doc: doc(...base.map((line) => (line ? p(line) : p()))),
      plugins: [history({ newGroupDelay: 0 }), protectRemoteEdits(), typedRun()],
    })
    const end = start.apply(start.tr.setSelection(TextSelection.atEnd(start.doc)))
    const mine = end.apply(end.tr.insertText(typed))
    const next = doc(...lines.map((line) => p(line.replace('|', ''))))
    const shown = mine.apply(showingTransaction(mine, next) ?? mine.tr)
    expect(linesOf(shown, '|')).toEqual(lines)
    const without = lines.map((line) => line.replace(`${typed}|`, '|').replace('|', ''))
    expect(linesOf(undone(shown))).toEqual(without)
  },
)

test.each([
  {
    before: ['In winter the hedge is hard and we prune. The soil is loud. We paint the|'],
    after: [
      'In winter the hedge is hard and the light is low.',
      'In spring we prune. The soil is loud. We paint the|',
      'Ada and Imogen mulch the soil in winter.',
    ],
  },
  {
    before: [
      'In winter the hedge is hard and the In spring we paint. The soil is loud and the light is dry. We paint the|',
    ],
    after: [
      'In winter the hedge is hard and the light is The kitchen hard. In spring In spring the kitchen is dry. we paint. The soil is loud and the light is dry. We paint the| In winter we mulch.',
      'The hedge low on lawn that today.',
      'Ada and Imogen mulch the soil. We plant the kitchen in winter.',
    ],
  },
])(
  'a line that another user divides or adds lines to, case %#: the caret stays after the typed words',
  {
    tags: ['@Q44', '@fault-21'],
  },
  ({ before, after }) => {
    const [line = ''] = after.filter((one) => one.includes('|'))
    const without = (lines: string[]) => lines.map((one) => one.replace('|', ''))
    for (const textOf of [
      (lines: string[]) => doc(...without(lines).map((one) => p(one))),
      (lines: string[]) => doc(ul(...without(lines))),
    ]) {
      const start = EditorState.create({ doc: textOf(before) })
      const state = start.apply(start.tr.setSelection(TextSelection.atEnd(start.doc)))
      const shown = state.apply(showingTransaction(state, textOf(after)) ?? state.tr)
      expect(shown.doc.toJSON()).toEqual(textOf(after).toJSON())
      const { parent, parentOffset } = shown.selection.$head
      expect(parent.textBetween(0, parentOffset)).toBe(line.split('|')[0])
    }
  },
)

/** The caret is '|'. */
const CONTINUED: { title: string; before: string; after: string }[] = [
  {
    title: 'a word of which only the first letters had arrived',
    before: 'It is wet in the he|',
    after: 'It is wet in the hedge, Tobias says it is low.|',
  },
  {
    title: 'an incomplete sentence',
    before: 'It is wet|',
    after: 'It is wet and cold in the hedge|',
  },
  {
    title: 'an incomplete sentence within its line',
    before: 'It is wet in the he| The soil is dry.',
    after: 'It is wet in the hedge.| The soil is dry.',
  },
  {
    title: 'a line after a complete sentence',
    before: 'It is wet.|',
    after: 'It is wet.| and so on',
  },
  {
    title: 'an incomplete sentence with another sentence',
    before: 'It is wet in the|',
    after: 'It is wet in the| Tobias says it is low.',
  },
]

test.each(CONTINUED)(
  'another user continues $title at the caret of a user who typed nothing there',
  { tags: ['@Q44', '@fault-21'] },
  ({ before, after }) => expect(caretAfter(before, after)).toBe(after),
)

test('a caret within a line where one typed nothing keeps its place while the blocks around it are replaced', {
  tags: ['@fault-21'],
}, () => {
  const line = 'We paint the roof and the hedge.'
  const AROUND: { before: Node[]; after: Node[] }[] = [
    { before: [p(line)], after: [p('Two.'), ul('a'), p(line), p('Last.')] },
    { before: [p('One.'), p(line)], after: [p('Two.'), ul('a'), p(line), p('Last.')] },
    { before: [p('One.'), p(line)], after: [p('Two.'), quote(p(`So: ${line} Then.`)), p('Last.')] },
    { before: [p('One.'), p(line)], after: [ul('a'), p('Two.'), p(`So: ${line} Then.`)] },
    { before: [p('One.'), ul('a', line)], after: [p('Two.'), ul('b', 'c', `So: ${line} Then.`)] },
  ]
  for (const { before, after } of AROUND) {
    const start = EditorState.create({ doc: doc(...before), plugins: [typedRun()] })
    const caret = endOf(start.doc, line) - ' roof and the hedge.'.length
    const state = start.apply(start.tr.setSelection(TextSelection.create(start.doc, caret)))
    const shown = state.apply(showingTransaction(state, doc(...after)) ?? state.tr)
    const { parent, parentOffset } = shown.selection.$head
    expect(parent.textBetween(0, parentOffset)).toMatch(/We paint the$/)
  }
})

test('a user who returned to the end of the own words continues there, before words that come', {
  tags: ['@Q44', '@fault-21'],
}, () => {
  const start = EditorState.create({ doc: doc(p('One.')), plugins: [typedRun()] })
  const end = start.apply(start.tr.setSelection(TextSelection.atEnd(start.doc)))
  const typed = end.apply(end.tr.insertText(' We dig the he'))
  const away = typed.apply(typed.tr.setSelection(TextSelection.create(typed.doc, 2)))
  const back = away.apply(away.tr.setSelection(TextSelection.atEnd(away.doc)))
  for (const state of [typed, back]) {
    const next = doc(p('One. We dig the hedge and the soil'))
    const shown = state.apply(showingTransaction(state, next) ?? state.tr)
    expect(linesOf(shown, '|')).toEqual(['One. We dig the he|dge and the soil'])
  }
})

/** Returns the line with its caret when it is updated to `after`. The caret is '|' in both; its place in `after` is ignored. */
function caretAfter(before: string, after: string): string | undefined {
  const start = EditorState.create({
    doc: doc(p(before.replace('|', ''))),
    plugins: [typedRun()],
  })
  const caret = TextSelection.create(start.doc, before.indexOf('|') + 1)
  const state = start.apply(start.tr.setSelection(caret))
  const next = doc(p(after.replace('|', '')))
  return linesOf(state.apply(showingTransaction(state, next) ?? state.tr), '|')[0]
}

/** With the caret, where it has a sign. */
function linesOf({ doc, selection }: EditorState, caret = ''): string[] {
  const lines = doc.children.map(({ textContent }) => textContent)
  const { $head } = selection
  const line = lines[$head.index(0)] ?? ''
  lines[$head.index(0)] = line.slice(0, $head.parentOffset) + caret + line.slice($head.parentOffset)
  return lines
}

test.each([
  {
    title: 'the begin of a sentence',
    before: 'It| rained. We left early. We came home late.',
    after: 'Rain| fell. We left early. We came home late. It was dark.',
  },
  {
    title: 'a number',
    before: 'It costs 3.5| euro in spring and in the autumn.',
    after: 'It costs 4.2| euro in spring and in the autumn, or 5 at best.',
  },
])(
  '$title that others replaced, and have elsewhere by chance, does not take the caret there',
  ({ before, after }) => expect(caretAfter(before, after)).toBe(after),
)

test('words that come at the end of selected words, or at their start, are not selected', {
  tags: ['@Q44', '@fault-21'],
}, () => {
  const start = EditorState.create({ doc: doc(p('one two three')) })
  for (const [anchor, head] of [
    [5, 8],
    [8, 5],
  ] as const) {
    const selected = start.apply(
      start.tr.setSelection(TextSelection.create(start.doc, anchor, head)),
    )
    const next = doc(p('one NEW two MORE three'))
    const { selection, doc: text } = selected.apply(
      showingTransaction(selected, next) ?? selected.tr,
    )
    expect(text.textBetween(selection.from, selection.to)).toBe('two')
    expect(selection.anchor < selection.head).toBe(anchor < head)
  }
})
