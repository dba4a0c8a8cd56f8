import { getSchema } from '@tiptap/core'
import { Fragment, type Node, Slice } from '@tiptap/pm/model'
import { EditorState, TextSelection } from '@tiptap/pm/state'
import { describe, expect, test } from 'vitest'
import { ARTICLE_EXTENSIONS } from './article-extensions.ts'
import { pasteSlice } from './paste-slice.ts'

const schema = getSchema(ARTICLE_EXTENSIONS)

/** Blocks in short: "one", ["h2", "one"], ["ul", "one", "two"]; an item of a list may be a list of blocks. */
type Short = string | readonly Short[]

function nodeOf(short: Short): Node {
  if (typeof short === 'string') return schema.node('paragraph', null, textOf(short))
  const [tag, ...content] = [String(short[0]), ...short.slice(1)] as [string, ...Short[]]
  if (/^h\d$/.test(tag))
    return schema.node('heading', { level: Number(tag.slice(1)) }, textOf(String(content[0])))
  if (tag === 'ul' || tag === 'ol') {
    const items = content.map((item) => schema.node('listItem', null, [nodeOf(item)]))
    return schema.node(tag === 'ul' ? 'bulletList' : 'orderedList', null, items)
  }
  return schema.node('blockquote', null, content.map(nodeOf))
}

const textOf = (text: string) => (text === '' ? [] : [schema.text(text)])

function shortOf(node: Node): Short {
  if (node.type.name === 'paragraph') return node.textContent
  if (node.type.name === 'heading') return [`h${node.attrs.level}`, node.textContent]
  const tag = { bulletList: 'ul', orderedList: 'ol', blockquote: 'quote' }[node.type.name] ?? '?'
  const inside =
    node.type.name === 'blockquote' ? node.children : node.children.flatMap((item) => item.children)
  return [tag, ...inside.map(shortOf)]
}

/** The text after a paste; "|" is where the caret is, two of them are around what is selected. */
function pasted(text: Short[], blocks: Short[], isOwn = false): Short[] {
  const doc = schema.node('doc', null, text.map(nodeOf))
  const carets: number[] = []
  doc.descendants((node, position) => {
    for (const { index } of (node.text ?? '').matchAll(/\|/g)) carets.push(position + index)
  })
  let state = EditorState.create({ doc })
  const { tr } = state
  for (const caret of [...carets].reverse()) tr.delete(caret, caret + 1)
  const [from = 0, to = from + 1] = carets
  tr.setSelection(TextSelection.create(tr.doc, from, to - 1))
  state = state.apply(tr)
  const slice = Slice.maxOpen(Fragment.from(blocks.map(nodeOf)))
  const after = state.apply(pasteSlice(state.tr, slice, isOwn))
  after.doc.check()
  return after.apply(after.tr.insertText('|')).doc.children.map(shortOf)
}

describe('blocks from other applications', { tags: ['@fault-65'] }, () => {
  test.each<[string, Short[], Short[], Short[]]>([
    ['before the first word', ['|Most'], ['new', 'one'], ['new', 'one|', 'Most']],
    ['behind the last word', ['Most|'], ['one', 'new'], ['Most', 'one', 'new|']],
    ['between words', ['Most |gardens'], ['one', 'two'], ['Most ', 'one', 'two|', 'gardens']],
    ['inside a word', ['gar|den'], ['one', 'two'], ['gar', 'one', 'two|', 'den']],
    ['over a selection', ['a |bad| end'], ['one', 'two'], ['a ', 'one', 'two|', ' end']],
    [
      'into an empty paragraph',
      ['a', '|', 'b'],
      [['h2', 'New'], 'one'],
      ['a', ['h2', 'New'], 'one|', 'b'],
    ],
    ['a heading before words', ['|Most'], [['h2', 'New']], [['h2', 'New|'], 'Most']],
    [
      'a heading between words',
      ['Most |gardens'],
      [['h2', 'New']],
      ['Most ', ['h2', 'New|'], 'gardens'],
    ],
    ['blocks before a heading', [['h3', '|Most']], ['one', 'two'], ['one', 'two|', ['h3', 'Most']]],
    ['blocks behind a heading', [['h3', 'Most|']], ['one', 'two'], [['h3', 'Most'], 'one', 'two|']],
    [
      'blocks inside a heading',
      [['h3', 'Most |dark']],
      ['one', 'two'],
      [['h3', 'Most '], 'one', 'two|', ['h3', 'dark']],
    ],
    ['a list before words', ['|Most'], [['ul', 'a', 'b']], [['ul', 'a', 'b|'], 'Most']],
    ['a list behind words', ['Most|'], [['ul', 'a', 'b']], ['Most', ['ul', 'a', 'b|']]],
    [
      'a list between words',
      ['Most |gardens'],
      [['ol', 'a', 'b']],
      ['Most ', ['ol', 'a', 'b|'], 'gardens'],
    ],
    [
      'items before an item',
      [['ul', '|x', 'y']],
      [['ul', 'a', 'b']],
      [['ul', 'a', 'b|', 'x', 'y']],
    ],
    [
      'items behind an item',
      [['ul', 'x|', 'y']],
      [['ul', 'a', 'b']],
      [['ul', 'x', 'a', 'b|', 'y']],
    ],
    ['items inside an item', [['ul', 'x |y']], [['ul', 'a', 'b']], [['ul', 'x ', 'a', 'b|', 'y']]],
    ['a quote before words', ['|Most'], [['quote', 'a']], [['quote', 'a|'], 'Most']],
    ['blocks in a quote', [['quote', '|Most']], ['a', 'b'], [['quote', 'a', 'b|', 'Most']]],
  ])('%s', (_, text, blocks, after) => {
    expect(pasted(text, blocks)).toEqual(after)
  })

  test.each<[string, Short[], Short[]]>([
    ['before the first word is a paragraph', ['|Most'], ['one|', 'Most']],
    ['behind the last word is a paragraph', ['Most|'], ['Most', 'one|']],
    ['behind a space joins', ['Most |'], ['Most one|']],
    ['before a space joins', ['| Most'], ['one| Most']],
    ['between words joins with a space', ['Most |gardens'], ['Most one |gardens']],
    ['inside a word stays a word', ['gar|den'], ['gar one |den']],
    ['before a comma joins', ['Most |, gardens'], ['Most one|, gardens']],
    ['between brackets joins', ['Most (|) gardens'], ['Most (one|) gardens']],
    ['in an empty text', ['|'], ['one|']],
  ])('a single paragraph %s', (_, text, after) => {
    expect(pasted(text, ['one'])).toEqual(after)
  })
})

describe('blocks from this editor', () => {
  test.each<[string, Short[], Short[], Short[]]>([
    ['words go where the caret is', ['gar|den'], ['one'], ['garone|den']],
    ['what was cut from two paragraphs fits back in', ['on|ee'], ['e', 'thr'], ['one', 'thr|ee']],
    [
      'paragraphs before the first word stay apart',
      ['|Most'],
      ['new', 'one'],
      ['new', 'one|', 'Most'],
    ],
    [
      'paragraphs behind the last word stay apart',
      ['Most|'],
      ['one', 'new'],
      ['Most', 'one', 'new|'],
    ],
    ['the rest of a paragraph joins', ['one |'], ['two', 'three'], ['one two', 'three|']],
  ])('%s', (_, text, blocks, after) => {
    expect(pasted(text, blocks, true)).toEqual(after)
  })
})
