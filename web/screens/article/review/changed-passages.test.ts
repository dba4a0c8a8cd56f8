import { getSchema } from '@tiptap/core'
import { describe, expect, test } from 'vitest'
import type { ArticleDocument, DocumentNode } from '../../../../domain/text/document.ts'
import type { Run } from '../../../../domain/text/passages.ts'
import { ARTICLE_EXTENSIONS } from '../editor/article-extensions.ts'
import { findPassages, passagesOf, undonePassage } from './changed-passages.ts'
import { excerptOf } from './excerpt.ts'

const schema = getSchema(ARTICLE_EXTENSIONS)
const p = (text: string): DocumentNode => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const ul = (...items: string[]): DocumentNode => ({
  type: 'bulletList',
  content: items.map((item) => ({ type: 'listItem', content: [p(item)] })),
})
const doc = (...content: DocumentNode[]): ArticleDocument => ({ type: 'doc', content })

const before = doc(
  p('The first walk.'),
  p('They need many lamps.'),
  p('Nothing happens here.'),
  p('Old words.'),
  p('Nor does it here.'),
  ul('a', 'b'),
)
const after = doc(
  p('The first walk.'),
  p('They need half the lamps.'),
  p('Nothing happens here.'),
  p('Nor does it here.'),
  ul('a', 'new item', 'b'),
  p('An end.'),
)
/** With other blocks in the place of block `index`. */
const afterBut = (index: number, ...instead: DocumentNode[]) =>
  doc(...after.content.slice(0, index), ...instead, ...after.content.slice(index + 1))

const changes = { before, after }
const passages = passagesOf(changes)
const undo = (index: number, live: ArticleDocument) => {
  const passage = passages[index]
  if (!passage) throw new Error(`There is no passage ${index}`)
  return undonePassage(changes, passage, schema.nodeFromJSON(live).toJSON())
}
const shownAs = (text: ArticleDocument) => schema.nodeFromJSON(text).toJSON()

/** 'state: marked words' of each passage. */
function found(live: ArticleDocument): string[] {
  const shown = schema.nodeFromJSON(live)
  return findPassages(changes, passages, shown).map(({ state, words, place }) => {
    const marked = words.map(({ from, to }) => shown.textBetween(from, to))
    return [state, ...marked, ...(place ? [] : ['gone'])].join(': ')
  })
}

describe('passages in a text that was written on', () => {
  test('right after the merge every inserted word is marked', () => {
    expect(found(after)).toEqual(['there: half the', 'there', 'there: new item', 'there: An end.'])
  })

  test('edits above and below move them, edits inside remove the marks', () => {
    const inside = afterBut(1, p('They need half the lamps, I say.'), p('Between.'))
    const live = doc(p('A new start.'), ...inside.content)
    expect(found(live)).toEqual(['rewritten', 'there', 'there: new item', 'there: An end.'])
  })

  test('a passage that reads as before is undone, by whatever way', () => {
    expect(found(before)).toEqual(['undone', 'undone', 'undone', 'undone: gone'])
  })
})

describe('undo of one passage', () => {
  test.each([
    [0, afterBut(1, p('They need many lamps.'))],
    [1, afterBut(2, p('Nothing happens here.'), p('Old words.'))],
    [2, afterBut(4, ul('a', 'b'))],
    [3, afterBut(5)],
  ])('reverts passage %i and nothing else', (index, expected) => {
    const text = undo(index, after)
    expect(text && shownAs(text)).toEqual(shownAs(expected))
    expect(found(expected).map((state) => state.startsWith('undone'))).toEqual(
      [0, 1, 2, 3].map((at) => at === index),
    )
  })

  test('keeps later edits in other places', () => {
    const text = undo(0, doc(...after.content, p('Typed since.')))
    expect(text?.content[1]).toEqual(p('They need many lamps.'))
    expect(text?.content.at(-1)).toEqual(p('Typed since.'))
  })

  test('does nothing when the passage has been replaced since', () => {
    expect(undo(0, afterBut(1, p('They need three lamps.')))).toBeNull()
  })
})

const LONG = 'one two three four five six seven eight nine ten eleven twelve'
const same = (text: string): Run => ({ kind: 'same', text })
const removed = (text: string): Run => ({ kind: 'removed', text })
const inserted = (text: string): Run => ({ kind: 'inserted', text })

test.each<[Run[], string]>([
  [
    [same(LONG), inserted(' new'), same(` ${LONG}\n`)],
    '…eight nine ten eleven twelve+ new+ one two three four five six…',
  ],
  [[same('short '), removed('old'), same('.\n')], 'short -old-.'],
  [
    [removed('a'), same(` ${LONG} `), removed('b'), same('\n')],
    '-a- one two three four five six … nine ten eleven twelve -b-',
  ],
  [[inserted(`${LONG} `.repeat(9))], `+${`${LONG} `.repeat(4)}one two three four five six …+`],
])('an excerpt has the change and a little around it %#', (runs, expected) => {
  const told = excerptOf(runs)
    .map(({ kind, text }) => ({ same: text, removed: `-${text}-`, inserted: `+${text}+` })[kind])
    .join('')
  expect(told).toBe(expected)
})
