import { Editor } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { TextSelection } from '@tiptap/pm/state'
import { DecorationSet } from '@tiptap/pm/view'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Clock } from '../../../../sync/ports.ts'
import { ARTICLE_EXTENSIONS } from '../editor/article-extensions.ts'
import { showingTransaction } from '../editor/show-document.ts'
import { followTyping } from './typed-block.ts'
import { addWritersMarks } from './writers-marks.ts'

/** What a page names as the block typed in, and which block another page marks by it. */

const WALK = 'Walk the route after dark.'
const LAMP = 'A lamp needs a reason to be.'
const GATE = 'Begin at the gate and look.'

let now = 0
let timers: { at: number; task: () => void }[] = []
const clock: Clock = {
  now: () => now,
  after(ms, task) {
    const timer = { at: now + ms, task }
    timers.push(timer)
    return () => {
      timers = timers.filter((one) => one !== timer)
    }
  },
}
function pass(ms: number): void {
  now += ms
  for (const timer of timers.filter(({ at }) => at <= now)) {
    timers = timers.filter((one) => one !== timer)
    timer.task()
  }
}
beforeEach(() => {
  timers = []
})

const paragraphs = (...lines: string[]) => ({
  type: 'doc',
  content: lines.map((line) =>
    line === ''
      ? { type: 'paragraph' }
      : { type: 'paragraph', content: [{ type: 'text', text: line }] },
  ),
})
/** Without an element, which it has in a browser only, it would count as destroyed. */
function editorOf(content: object): Editor {
  const editor = new Editor({
    element: null,
    enableCoreExtensions: false,
    extensions: ARTICLE_EXTENSIONS,
    content,
  })
  return Object.defineProperty(editor, 'isDestroyed', { value: false })
}

/** The page of the one who types: the caret goes to the end of the block with this text. */
function writerOf(content: object) {
  const editor = editorOf(content)
  const named: (readonly string[])[] = []
  let keys = 0
  followTyping(editor, clock, {
    typed: () => {
      keys += 1
    },
    typedIn: (blocks) => named.push(blocks),
    close: () => {},
  })
  return {
    editor,
    blocks: () => named.at(-1) ?? [],
    keys: () => keys,
    type(words: string, at: string) {
      let end = 0
      editor.state.doc.descendants((node, position) => {
        if (node.isTextblock && node.textContent === at) end = position + 1 + node.content.size
      })
      const { tr } = editor.state
      editor.view.dispatch(tr.setSelection(TextSelection.create(tr.doc, end)).insertText(words))
    },
    split() {
      const { tr } = editor.state
      editor.view.dispatch(tr.split(tr.selection.from))
    },
  }
}

/** The page of another user, who reads. */
function readerOf(content: object) {
  const editor = editorOf(content)
  const marks = addWritersMarks(editor, clock)
  const person = { id: 'tobias', name: 'Tobias Wren', writing: true }
  return {
    editor,
    receives: (blocks: readonly string[], writing = true) =>
      marks.show([{ ...person, writing, blocks: [...blocks] }]),
    /** The server's text arrives. */
    shows(document: Node) {
      const next = editor.schema.nodeFromJSON(document.toJSON())
      const transaction = showingTransaction(editor.state, next)
      if (transaction) editor.view.dispatch(transaction)
      pass(500)
    },
    types(words: string, position: number) {
      editor.view.dispatch(editor.state.tr.insertText(words, position))
      pass(500)
    },
    marked() {
      const shown = editor.state.plugins.flatMap((plugin) => {
        const decorations = plugin.props.decorations?.call(plugin, editor.state)
        return decorations instanceof DecorationSet ? decorations.find() : []
      })
      return shown
        .filter(({ spec }) => spec.writer === person.id)
        .map(({ from, to }) => editor.state.doc.textBetween(from, to, '|'))
    },
  }
}

function both(...lines: string[]) {
  return { writer: writerOf(paragraphs(...lines)), reader: readerOf(paragraphs(...lines)) }
}

describe('the block in which another user types', { tags: ['@WH-06'] }, () => {
  test('is marked before its new words have come, and stays marked while they come', () => {
    const { writer, reader } = both(WALK, LAMP, GATE)
    writer.type(' Yes', LAMP)
    reader.receives(writer.blocks())
    expect(reader.marked()).toEqual([LAMP])
    writer.type(' indeed', `${LAMP} Yes`)
    reader.shows(writer.editor.state.doc)
    expect(reader.marked()).toEqual([`${LAMP} Yes indeed`])
    pass(2_000)
    reader.receives(writer.blocks())
    expect(reader.marked()).toEqual([`${LAMP} Yes indeed`])
  })

  test('is another one when the writer goes there, and none when the writing ends', () => {
    const { writer, reader } = both(WALK, LAMP, GATE)
    writer.type(' Yes', LAMP)
    reader.receives(writer.blocks())
    writer.type(' No', GATE)
    reader.receives(writer.blocks())
    expect(reader.marked()).toEqual([GATE])
    reader.receives([], false)
    expect(reader.marked()).toEqual([])
  })

  test('is not marked while it is new and empty, and marked once its words are here', () => {
    const { writer, reader } = both(WALK, LAMP)
    writer.type(' Yes', LAMP)
    reader.receives(writer.blocks())
    writer.split()
    reader.receives(writer.blocks())
    expect(reader.marked()).toEqual([])
    writer.type('Light the thing you look at.', '')
    pass(2_000)
    reader.receives(writer.blocks())
    expect(reader.marked()).toEqual([])
    reader.shows(writer.editor.state.doc)
    expect(reader.marked()).toEqual(['Light the thing you look at.'])
  })

  test('is not marked where its text is there twice, on either page', () => {
    const twice = both(WALK, LAMP, LAMP)
    twice.writer.type(' Yes', LAMP)
    expect(twice.writer.blocks()).toEqual([])
    const { writer } = both(WALK, LAMP)
    writer.type(' Yes', LAMP)
    const reader = readerOf(paragraphs(LAMP, WALK, LAMP))
    reader.receives(writer.blocks())
    expect(reader.marked()).toEqual([])
  })

  test('is not marked where its text is short', () => {
    const { writer, reader } = both(WALK, 'Paths', GATE)
    writer.type('!', 'Paths')
    pass(2_000)
    expect(writer.blocks()).toEqual([])
    reader.receives(writer.blocks())
    expect(reader.marked()).toEqual([])
  })

  test('is found wherever it is on the other page, also in a list', () => {
    const item = (line: string) => ({ type: 'listItem', content: paragraphs(line).content })
    const list = { type: 'bulletList', content: [item(WALK), item(LAMP)] }
    const writer = writerOf({ type: 'doc', content: [list, ...paragraphs(GATE).content] })
    const reader = readerOf({ type: 'doc', content: [...paragraphs('New', GATE).content, list] })
    writer.type(' Yes', LAMP)
    reader.receives(writer.blocks())
    expect(reader.marked()).toEqual([LAMP])
  })

  test('moves with its text when the reader types above it, and is not marked once the reader splits it', () => {
    const { writer, reader } = both(WALK, LAMP, GATE)
    writer.type(' Yes', LAMP)
    reader.receives(writer.blocks())
    reader.types('Now ', 1)
    expect(reader.marked()).toEqual([LAMP])
    const inside = WALK.length + 4 + 2 + 8
    reader.editor.view.dispatch(reader.editor.state.tr.split(inside))
    pass(500)
    expect(reader.marked()).toEqual([])
  })

  test('is no longer the one that the writer has left for one without a name', () => {
    const { writer, reader } = both(WALK, LAMP, GATE)
    writer.type(' Yes', LAMP)
    reader.receives(writer.blocks())
    writer.split()
    writer.type('Short', '')
    reader.shows(writer.editor.state.doc)
    expect(reader.marked()).toEqual([`${LAMP} Yes`])
    reader.receives(writer.blocks())
    expect(reader.marked()).toEqual([])
  })

  test('is not that of a change which came from others', () => {
    const { writer } = both(WALK, LAMP)
    const next = writer.editor.schema.nodeFromJSON(paragraphs(WALK, `${LAMP} Theirs.`))
    const transaction = showingTransaction(writer.editor.state, next)
    if (transaction) writer.editor.view.dispatch(transaction)
    pass(2_000)
    expect([writer.keys(), writer.blocks()]).toEqual([0, []])
  })
})
