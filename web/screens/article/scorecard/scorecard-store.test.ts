import { Editor, getSchema } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { EditorState } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import { scorecardGroups } from '../../../../domain/keywords/keyword.ts'
import { ARTICLE_EXTENSIONS } from '../editor/article-extensions.ts'
import { createScorecardStore, type ScorecardStore } from './scorecard-store.ts'

const schema = getSchema(ARTICLE_EXTENSIONS)
const { plugins } = new Editor({
  element: null,
  enableCoreExtensions: false,
  extensions: ARTICLE_EXTENSIONS,
  content: { type: 'doc', content: [{ type: 'paragraph' }] },
}).extensionManager

const paragraph = (text: string): Node => schema.node('paragraph', null, [schema.text(text)])
const listOf = (...texts: string[]): Node =>
  schema.node(
    'bulletList',
    null,
    texts.map((text) => schema.node('listItem', null, [paragraph(text)])),
  )
const stateOf = (...blocks: Node[]): EditorState =>
  EditorState.create({ doc: schema.node('doc', null, blocks), plugins })

const keyword = (name: string, category: string) => ({
  keyword: name,
  source: 'X',
  score: 1,
  category,
})

/** Counts the notifications of components. */
function watch(store: ScorecardStore) {
  const told: string[] = []
  store.words.subscribe(() => told.push(`words ${store.words.get()}`))
  for (const group of store.groups) {
    group.used.subscribe(() => told.push(`${group.category} ${group.used.get()}`))
    for (const name of group.keywords) {
      const signal = store.isUsed(name)
      signal.subscribe(() => told.push(`${name} ${signal.get()}`))
    }
  }
  return told
}

test('in an article of 6,000 words with 80 entities a keystroke reads one paragraph and notifies only about changes', {
  tags: ['@SC-18'],
}, () => {
  const entities = Array.from({ length: 80 }, (_, index) => `entity${index}`)
  const blocks = Array.from({ length: 120 }, (_, index) =>
    paragraph(`${'word '.repeat(48)}entity${index % 40} end${index}`),
  )
  const store = createScorecardStore(
    scorecardGroups(entities.map((name) => keyword(name, 'Must Use'))),
  )
  let state = stateOf(
    ...blocks.slice(0, 60),
    listOf('in a list', 'another item'),
    ...blocks.slice(60),
  )
  store.update(state.doc)
  expect(store.words.get()).toBe(6_005)
  expect(store.groups[0]?.used.get()).toBe(40)
  expect(store.scannedBlocks()).toBe(122)
  const told = watch(store)

  const type = (text: string, at: number) => {
    const before = store.scannedBlocks()
    state = state.apply(state.tr.insertText(text, at))
    store.update(state.doc)
    return store.scannedBlocks() - before
  }
  expect(type('x', 3)).toBe(1)
  expect(told).toEqual([])
  expect(type(' entity7', 1 + 48 * 5 - 1)).toBe(1)
  expect(told.splice(0)).toEqual(['words 6006'])
  expect(type(' entity79', 1 + 48 * 5 - 1)).toBe(1)
  expect(told.splice(0)).toEqual(['words 6007', 'entity79 true', 'Must Use 41'])

  let inList = 0
  state.doc.descendants((node, position) => {
    if (node.textContent === 'in a list' && node.isTextblock) inList = position + 1
  })
  expect(type('typed ', inList)).toBe(1)
  expect(told).toEqual(['words 6008'])
})

test('groups are in their order with used and total', {
  tags: ['@SC-10', '@SC-11', '@SC-16', '@SC-17', '@Q37'],
}, () => {
  const store = createScorecardStore(
    scorecardGroups([
      keyword('solar', 'Use When You Can'),
      keyword('glare', 'Must Use'),
      keyword('solar', 'Must Use'),
      keyword('ignored', 'Optional'),
    ]),
  )
  store.update(stateOf(paragraph('No glare here.')).doc)
  expect(store.read()).toEqual({
    words: 3,
    groups: [
      { category: 'Must Use', used: 1, total: 2 },
      { category: 'Need to Use', used: 0, total: 0 },
      { category: 'Use When You Can', used: 0, total: 0 },
    ],
    unused: ['solar'],
  })
})

test('without an entity of the three categories there are no groups', {
  tags: ['@SC-15', '@Q38'],
}, () => {
  const store = createScorecardStore(scorecardGroups([keyword('ignored', 'Optional')]))
  store.update(stateOf(paragraph('ignored')).doc)
  expect(store.groups).toEqual([])
  expect(store.read()).toEqual({ words: 1, groups: [], unused: [] })
})

test('the tab key reaches the first entity, until another one has had the focus', () => {
  const store = createScorecardStore(
    scorecardGroups([keyword('glare', 'Must Use'), keyword('timer', 'Need to Use')]),
  )
  expect(store.tabStop.get()).toBe('glare')
  store.tabStop.set('timer')
  store.update(stateOf(paragraph('only glare')).doc)
  expect(store.tabStop.get()).toBe('timer')
  expect(createScorecardStore([]).tabStop.get()).toBeNull()
})
