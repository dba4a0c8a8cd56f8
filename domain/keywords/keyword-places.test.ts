import { describe, expect, it } from 'vitest'
import type { ArticleDocument, DocumentNode } from '../text/document.ts'
import { createKeywordPlaces } from './keyword-places.ts'
import { documentTree } from './keyword-use.ts'

const text = (words: string): DocumentNode => ({ type: 'text', text: words })
const paragraph = (words: string): DocumentNode => ({ type: 'paragraph', content: [text(words)] })
const heading = (words: string): DocumentNode => ({
  type: 'heading',
  attrs: { level: 2 },
  content: [text(words)],
})
const item = (...content: DocumentNode[]): DocumentNode => ({ type: 'listItem', content })
const article = (...content: DocumentNode[]): ArticleDocument => ({ type: 'doc', content })

const KEYWORDS = ['garden path', 'path', 'lamp', 'owl']
const GUIDE = article(
  paragraph('A path is a path: paths, path, PATH.'),
  heading('Start with the garden path'),
  {
    type: 'bulletList',
    content: [item(paragraph('lamp'), { type: 'blockquote', content: [paragraph('Path lamps')] })],
  },
  { type: 'horizontalRule' },
  paragraph(''),
  {
    type: 'paragraph',
    content: [
      { type: 'text', text: 'gar', marks: [{ type: 'bold' }] },
      text('den path'),
      { type: 'hardBreak' },
      text('garden'),
    ],
  },
)

const always = () => true
const never = () => false
const tree = { ...documentTree, isHeading: ({ type }: DocumentNode) => type === 'heading' }
const placesOfGuide = () => createKeywordPlaces<DocumentNode>(KEYWORDS, tree)

describe('the places of a document', () => {
  it('are counted in all blocks, in headings, and where they are densest', {
    tags: ['@SC-12'],
  }, () => {
    const places = placesOfGuide()
    expect(places.update(GUIDE, always)).toBe(true)
    expect(KEYWORDS.map((_, index) => places.count(index))).toEqual([
      { places: 2, inHeadings: 1, mostInBlock: 1 },
      { places: 8, inHeadings: 1, mostInBlock: 5 },
      { places: 2, inHeadings: 0, mostInBlock: 1 },
      { places: 0, inHeadings: 0, mostInBlock: 0 },
    ])
    expect(places.total).toBe(12)
  })

  it('count in each place of a block that occurs twice', { tags: ['@SC-12'] }, () => {
    const places = placesOfGuide()
    const block = paragraph('path')
    places.update(article(block, paragraph('owl'), block), always)
    expect(places.count(1).places).toBe(2)
    expect(places.searchedBlocks).toBe(2)
  })

  it('stay the old ones until a document is read to its end, a block in each slice', {
    tags: ['@SC-18'],
  }, () => {
    const places = placesOfGuide()
    places.update(article(paragraph('owl')), always)
    // The last slice finds that nothing is left.
    for (let slice = 1; slice <= 6; slice += 1) {
      expect(places.update(GUIDE, never)).toBe(false)
      expect(places.searchedBlocks).toBe(1 + slice)
      expect(places.count(3)).toEqual({ places: 1, inHeadings: 0, mostInBlock: 1 })
      expect(places.count(1).places).toBe(0)
      expect(places.total).toBe(1)
    }
    expect(places.update(GUIDE, never)).toBe(true)
    expect(places.count(3).places).toBe(0)
    expect(places.total).toBe(12)
    expect(places.update(GUIDE, never)).toBe(true)
  })

  it('are searched in changed blocks only', { tags: ['@SC-18'] }, () => {
    const places = placesOfGuide()
    places.update(GUIDE, always)
    const content = GUIDE.content.with(1, heading('The owl'))
    places.update(article(...content, paragraph('garden paths')), always)
    expect(places.searchedBlocks).toBe(8)
    expect(places.count(0)).toEqual({ places: 2, inHeadings: 0, mostInBlock: 1 })
    expect(places.count(3)).toEqual({ places: 1, inHeadings: 1, mostInBlock: 1 })
    places.update(GUIDE, always)
    expect(places.searchedBlocks).toBe(8)
    expect(places.count(0).inHeadings).toBe(1)
  })

  it('are those of the newest document when it changes between slices', {
    tags: ['@SC-18'],
  }, () => {
    const places = placesOfGuide()
    const [owls, lamps] = [paragraph('owl owl'), paragraph('lamp')]
    places.update(article(owls, lamps), never)
    const newest = article(lamps, owls, lamps)
    while (!places.update(newest, never));
    expect([places.count(2).places, places.count(3).places, places.total]).toEqual([2, 2, 4])
    // A change that is undone while it is read leaves nothing to read.
    places.update(GUIDE, never)
    expect(places.update(newest, never)).toBe(true)
    expect(places.total).toBe(4)
    places.update(GUIDE, always)
    expect(places.total).toBe(12)
  })

  it('of one block are its marks, before and after it is counted', { tags: ['@SC-12'] }, () => {
    const places = placesOfGuide()
    const block = paragraph('The garden path')
    const marks = places.placesIn(block)
    expect(marks).toEqual([
      { index: 0, from: 4, to: 15 },
      { index: 1, from: 11, to: 15 },
    ])
    expect(places.total).toBe(0)
    places.update(article(block), always)
    expect(places.placesIn(block)).toBe(marks)
    expect(places.searchedBlocks).toBe(1)
  })
})
