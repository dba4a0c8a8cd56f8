import { getSchema } from '@tiptap/core'
import { closeHistory, history, redo, undo } from '@tiptap/pm/history'
import type { Node } from '@tiptap/pm/model'
import { EditorState, TextSelection } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import { randomRuns } from '../../../../scripts/test-depth.ts'
import { merge3 } from '../../../../sync/merge/merge3.ts'
import { ARTICLE_EXTENSIONS } from './article-extensions.ts'
import { protectRemoteEdits } from './protect-remote-edits.ts'
import { showingTransaction } from './show-document.ts'

/** Own typing, a text from elsewhere, undo: what the writer takes back is the writer's alone. */

const schema = getSchema(ARTICLE_EXTENSIONS)
const block = (words: string[], type = 'paragraph', attrs: object | null = null): Node =>
  schema.node(type, attrs, words.length > 0 ? [schema.text(words.join(' '))] : [])
const list = (items: string[][]): Node =>
  schema.node(
    'bulletList',
    null,
    items.map((words) => schema.node('listItem', null, [block(words)])),
  )
const doc = (...blocks: Node[]): Node => schema.node('doc', null, blocks)
const wordsIn = (node: Node): string[] =>
  node.textBetween(0, node.content.size, ' ').split(/\s+/).filter(Boolean)

/** A space that was typed here may go with undo, a letter of theirs may not. */
const foreignIn = (node: Node): string[] => (node.textContent.match(/theirs\d/g) ?? []).sort()

type Random = (limit: number) => number

function randomFrom(seed: number): Random {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % limit
  }
}

/** Every word of it is there once. */
function someText(random: Random): Node {
  let count = 0
  const words = () => Array.from({ length: 2 + random(8) }, () => `base${count++}`)
  const kinds = [
    () => block(words()),
    () => block(words(), 'heading', { level: 2 }),
    () => list([words(), words()]),
    () => schema.node('blockquote', null, [block(words())]),
  ]
  return doc(...Array.from({ length: 2 + random(4) }, () => (kinds[random(4)] ?? words)() as Node))
}

function placeIn(state: EditorState, random: Random): number {
  const places: number[] = []
  state.doc.descendants((node, position) => {
    if (!node.isTextblock) return
    for (let at = 0; at <= node.content.size; at += 1) places.push(position + 1 + at)
  })
  return places[random(places.length)] ?? 1
}

/** A word typed somewhere, sometimes a new paragraph, sometimes a word deleted. */
function edit(state: EditorState, name: string, random: Random): EditorState {
  const place = placeIn(state, random)
  const caret = state.apply(state.tr.setSelection(TextSelection.create(state.doc, place)))
  const choice = random(6)
  if (choice === 0) return caret.apply(caret.tr.split(place))
  if (choice > 1) return caret.apply(caret.tr.insertText(` ${name} `, place))
  const { $from } = caret.selection
  const text = $from.parent.textContent
  const [from, to] = [
    text.lastIndexOf(' ', $from.parentOffset - 1),
    text.indexOf(' ', $from.parentOffset),
  ]
  if (from < 0 || to < 0) return caret
  return caret.apply(caret.tr.delete($from.start() + from, $from.start() + to))
}

function edits(start: EditorState, name: string, random: Random): EditorState {
  let state = start
  for (let count = 0; count < 1 + random(4); count += 1)
    state = edit(state, `${name}${count}`, random)
  return state
}

function all(command: typeof undo, start: EditorState): EditorState {
  let state = start
  while (
    command(state, (tr) => {
      state = state.apply(tr)
    })
  )
    state.doc.check()
  return state
}

test('undo of local typing after any remote edit keeps every remote word, removes none and restores none', {
  tags: ['@Q44', '@fault-21'],
}, () => {
  for (let seed = 1; seed <= randomRuns(1_000); seed += 1) {
    const random = randomFrom(seed)
    const base = someText(random)
    const mine = edits(
      EditorState.create({
        doc: base,
        plugins: [history({ newGroupDelay: 0 }), protectRemoteEdits()],
      }),
      'mine',
      random,
    )
    const theirs = edits(EditorState.create({ doc: base }), 'theirs', random)
    const merged = merge3(base.toJSON(), mine.doc.toJSON(), theirs.doc.toJSON()).document
    const next = schema.nodeFromJSON(merged)
    const shown = mine.apply(showingTransaction(mine, next) ?? mine.tr)
    expect(shown.doc.toJSON()).toEqual(next.toJSON())

    const undone = all(undo, shown)
    undone.doc.check()
    const remote = foreignIn(next)
    expect([seed, foreignIn(undone.doc)]).toEqual([seed, remote])
    const [kept, left] = [
      new Set(wordsIn(mine.doc)),
      new Set([...wordsIn(theirs.doc), ...wordsIn(next)]),
    ]
    const takenByThem = wordsIn(base).filter((word) => kept.has(word) && !left.has(word))
    const back = wordsIn(undone.doc).filter((word) => takenByThem.includes(word))
    expect([seed, back]).toEqual([seed, []])
    const again = all(redo, undone)
    expect([seed, foreignIn(again.doc)]).toEqual([seed, remote])
  }
})

/** As often as `count`. */
function times(count: number, command: typeof undo, start: EditorState): EditorState {
  let state = start
  for (let time = 0; time < count; time += 1)
    command(state, (tr) => {
      state = state.apply(tr)
    })
  return state
}

test('undo of typing, pasting and deleting inside remote text restores the text before, and redo the text after', {
  tags: ['@Q44', '@fault-58'],
}, () => {
  for (let seed = 1; seed <= randomRuns(1_000); seed += 1) {
    const random = randomFrom(seed)
    const plugins = [history({ newGroupDelay: 0 }), protectRemoteEdits()]
    let shown = EditorState.create({ doc: someText(random), plugins })
    for (let round = 0; round < 3; round += 1) {
      const theirs = edits(EditorState.create({ doc: shown.doc }), `theirs${round}`, random)
      shown = shown.apply(showingTransaction(shown, theirs.doc) ?? shown.tr)
      let [state, count] = [shown, 0]
      for (let step = 0; step < 4; step += 1) {
        const next = edit(state.apply(closeHistory(state.tr)), `own${round}x${step}`, random)
        if (!next.doc.eq(state.doc)) count += 1
        state = next
      }
      const undone = times(count, undo, state)
      expect([seed, undone.doc.toJSON()]).toEqual([seed, shown.doc.toJSON()])
      expect([seed, times(count, redo, undone).doc.toJSON()]).toEqual([seed, state.doc.toJSON()])
      shown = state
    }
  }
})

test('a paragraph that was cut and pasted between remote text exists once after each undo', {
  tags: ['@Q44', '@fault-58'],
}, () => {
  const plugins = [history({ newGroupDelay: 0 }), protectRemoteEdits()]
  const paragraphs = (...texts: string[]) => doc(...texts.map((text) => block([text])))
  let state = EditorState.create({ doc: paragraphs('cut me', 'base'), plugins })
  const next = paragraphs('cut me', 'base', 'one of theirs', 'two of theirs', 'three of theirs')
  state = state.apply(showingTransaction(state, next) ?? state.tr)
  const cut = state.doc.slice(0, 8)
  state = state.apply(state.tr.delete(0, 8))
  const inside = state.doc.child(0).nodeSize + state.doc.child(1).nodeSize
  state = state.apply(state.tr.replace(inside, inside, cut))
  const places = (): number[] =>
    state.doc.children.flatMap(({ textContent }, at) => (textContent === 'cut me' ? [at] : []))
  expect(places()).toEqual([2])
  state = times(1, undo, state)
  expect(places()).toEqual([])
  state = times(1, undo, state)
  expect(places()).toEqual([0])
  expect(state.doc.toJSON()).toEqual(next.toJSON())
})

test('undo of a move that a merge already reverted does not duplicate the paragraph, nor does redo', {
  tags: ['@Q44', '@fault-58'],
}, () => {
  const plugins = [history({ newGroupDelay: 0 }), protectRemoteEdits()]
  const moved = 'this paragraph of eight words is moved away'
  const paragraphs = (...texts: string[]) => doc(...texts.map((text) => block([text])))
  const linesOf = ({ doc }: EditorState) => doc.children.map(({ textContent }) => textContent)
  let state = EditorState.create({ doc: paragraphs('first', moved, 'last'), plugins })
  const place = block(['first']).nodeSize
  const cut = state.doc.slice(place, place + block([moved]).nodeSize)
  state = state.apply(state.tr.delete(place, place + cut.size))
  state = state.apply(closeHistory(state.tr).replace(state.doc.content.size, undefined, cut))
  expect(linesOf(state)).toEqual(['first', 'last', moved])
  const next = paragraphs('first', `${moved} with theirs`, 'last')
  state = state.apply(showingTransaction(state, next) ?? state.tr)

  const undone = times(2, undo, state)
  expect(linesOf(undone)).toEqual(['first', `${moved} with theirs`, 'last'])
  expect(linesOf(times(2, redo, undone))).toEqual(['first', `${moved} with theirs`, 'last'])

  const few = EditorState.create({ doc: paragraphs('first', 'few words', 'last'), plugins })
  const without = few.apply(few.tr.delete(place, place + block(['few words']).nodeSize))
  const others = paragraphs('first', 'last', 'few words of theirs')
  const typed = without.apply(showingTransaction(without, others) ?? without.tr)
  expect(linesOf(times(1, undo, typed))).toEqual([
    'first',
    'few words',
    'last',
    'few words of theirs',
  ])
})
