import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ArticleDocument, DocumentNode } from '../../domain/text/document.ts'
import { documentJson } from '../../domain/text/document-json.ts'
import { randomRuns } from '../../scripts/test-depth.ts'
import { createWorld, doc } from '../testing/test-world.ts'
import {
  CHUNK_SIZES,
  changeText,
  type DraftChunk,
  type DraftTextRow,
  joinedChunks,
} from './draft-chunks.ts'
import { deleteDraft, readDraft } from './draft-rows.ts'
import { transact } from './transaction.ts'

/** Long texts are stored in chunks, and readers get them whole. */

type Stored = { pieces: DraftChunk[] | undefined; rows: Map<DraftTextRow['role'], DraftTextRow> }

const nothing = (): Stored => ({ pieces: undefined, rows: new Map() })

function store(text: ArticleDocument, before: Stored, sizes = CHUNK_SIZES) {
  const { pieces, put, drop } = changeText('a1', text, before.pieces, sizes)
  const rows = new Map(before.rows)
  for (const [, role] of drop) rows.delete(role)
  for (const row of put) rows.set(row.role, row)
  return { pieces, rows, put, drop }
}

const read = ({ pieces, rows }: Stored) =>
  pieces ? joinedChunks(pieces, [...rows.values()]) : rows.get('draft')?.json

const paragraph = (text: string): DocumentNode => ({
  type: 'paragraph',
  content: [{ type: 'text', text }],
})
const documentOf = (content: DocumentNode[]): ArticleDocument => ({ type: 'doc', content })

/** 300 KB of paragraphs that are all different. */
const long = Array.from({ length: 600 }, (_, at) =>
  paragraph(`Paragraph ${at} ${'has words '.repeat(40 + (at % 17))}`),
)

describe('a text of 300 KB', () => {
  const opened = store(documentOf(long), nothing())

  test('is stored in about thirty rows, and in no other', () => {
    expect(opened.pieces?.length).toBeGreaterThan(15)
    expect(opened.pieces?.length).toBeLessThan(40)
    expect([...opened.rows.keys()]).toEqual(opened.pieces?.map(({ slot }) => slot))
    expect(read(opened)).toBe(documentJson(documentOf(long)))
  })

  test.each([
    ['a letter', long.with(300, paragraph('Typed in'))],
    ['a paragraph more', [...long.slice(0, 200), paragraph('New'), ...long.slice(200)]],
    ['a paragraph less', long.toSpliced(100, 1)],
    ['a paragraph more at its end', [...long, paragraph('The end')]],
  ])('has at most three chunks rewritten for %s', (_, content) => {
    const { put, drop, ...after } = store(documentOf(content), opened)
    expect(put.length).toBeLessThanOrEqual(3)
    expect(drop.length).toBeLessThanOrEqual(2)
    expect(put.reduce((sum, { json }) => sum + json.length, 0)).toBeLessThan(60_000)
    expect(read(after)).toBe(documentJson(documentOf(content)))
  })

  test('is stored in one row once it is short, and in chunks once it is long again', () => {
    const short = store(doc('short'), opened)
    expect([short.pieces, [...short.rows.keys()]]).toEqual([undefined, ['draft']])
    const again = store(documentOf(long), short)
    expect([...again.rows.keys()]).not.toContain('draft')
    expect(read(again)).toBe(documentJson(documentOf(long)))
  })

  test('is missing when one of its rows is', () => {
    const rows = new Map([...opened.rows].slice(1))
    expect(read({ ...opened, rows })).toBeNull()
  })
})

test('for any writes in any order the rows contain the last text and nothing else', () => {
  const sizes = { whole: 120, least: 50, most: 160 }
  const content = fc.array(fc.constantFrom('', 'a', 'one two', 'x'.repeat(90)), { maxLength: 12 })
  fc.assert(
    fc.property(fc.array(content, { minLength: 1, maxLength: 8 }), (texts) => {
      let stored = nothing()
      for (const paragraphs of texts) {
        const text = doc(...paragraphs)
        stored = store(text, stored, sizes)
        expect(read(stored)).toBe(documentJson(text))
        const wanted = stored.pieces?.map(({ slot }) => slot) ?? ['draft']
        expect(new Set(stored.rows.keys())).toEqual(new Set<unknown>(wanted))
      }
    }),
    { numRuns: randomRuns(1_250) },
  )
})

describe('on a device', () => {
  const PARAGRAPHS = Array.from({ length: 8 }, (_, at) => `This is paragraph ${at} of eight`)

  async function withText() {
    const world = await createWorld(undefined, {
      chunkSizes: { whole: 200, least: 70, most: 200 },
    })
    world.server.add('a1', doc(...PARAGRAPHS))
    const tab = await world.tab('tab')
    return { world, tab, ...(await tab.edit('a1')) }
  }

  test('a save writes only the edited chunk', {
    tags: ['@SY-06'],
  }, async () => {
    const { world, editor, text } = await withText()
    editor.type(' more', 3)
    await text.flush()
    const written: unknown[] = []
    world.database.texts.hook('updating', (_, key) => void written.push(key))
    world.database.texts.hook('creating', (key) => void written.push(key))
    editor.type(' words', 3)
    await text.flush()
    expect(written.length).toBeLessThanOrEqual(2)
    const draft = await readDraft(world.database, 'a1')
    expect(draft?.doc).toEqual(doc(...PARAGRAPHS.with(3, `${PARAGRAPHS[3]} more words`)))
    expect(draft?.pieces?.length).toBeGreaterThan(2)
  })

  test('the whole text is sent, merged and received as before', { tags: ['@SY-07'] }, async () => {
    const { world, tab, editor } = await withText()
    editor.type(' here', 2)
    world.server.change('a1', { text: doc(...PARAGRAPHS.with(6, 'Theirs')) })
    await world.pass(3_000)
    const merged = doc(...PARAGRAPHS.with(2, `${PARAGRAPHS[2]} here`).with(6, 'Theirs'))
    expect(editor.read()).toEqual(merged)
    expect((await readDraft(world.database, 'a1'))?.doc).toEqual(merged)
    expect(world.server.words('a1')).toContain('Theirs')
    expect(world.server.words('a1')).toContain(`${PARAGRAPHS[2]} here`)
    await tab.client.flush()
  })

  test('another tab reads and writes the same chunks', { tags: ['@SY-11'] }, async () => {
    const { world, editor } = await withText()
    const other = await (await world.tab('other')).edit('a1')
    editor.type(' one', 1)
    other.editor.type(' other', 6)
    await world.pass(3_000)
    const both = doc(
      ...PARAGRAPHS.with(1, `${PARAGRAPHS[1]} one`).with(6, `${PARAGRAPHS[6]} other`),
    )
    expect([editor.read(), other.editor.read()]).toEqual([both, both])
    expect((await readDraft(world.database, 'a1'))?.doc).toEqual(both)
  })

  test('a text that has lost a chunk is an error, not a shorter text', {
    tags: ['@SY-05'],
  }, async () => {
    const { world } = await withText()
    const [piece] = (await readDraft(world.database, 'a1'))?.pieces ?? []
    await world.database.texts.delete(['a1', piece?.slot ?? -1])
    await expect(readDraft(world.database, 'a1')).rejects.toThrow('lost its text')
  })

  test('all chunks are deleted with the draft, and those of another article stay', {
    tags: ['@SY-05'],
  }, async () => {
    const { world, tab } = await withText()
    world.server.add('a2', doc(...PARAGRAPHS))
    await world.pass(61_000)
    await tab.edit('a2')
    await transact(world.database, 'rw', ['drafts', 'texts'], (tables) => deleteDraft(tables, 'a1'))
    const left = await world.database.texts.toArray()
    expect(new Set(left.map(({ articleId }) => articleId))).toEqual(new Set(['a2']))
    expect((await readDraft(world.database, 'a2'))?.doc).toEqual(doc(...PARAGRAPHS))
  })
})
