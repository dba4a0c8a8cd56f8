import { sha256 } from '../../domain/text/canonical.ts'
import { type ArticleText, asDocument, type DocumentNode } from '../../domain/text/document.ts'
import { blockJson, documentJson } from '../../domain/text/document-json.ts'

/**
 * A long text of a draft is stored in chunks, one row for each run of its blocks, so that a save writes the changed
 * part and not the whole text: a thirtieth at 50,000 words. The draft's row lists them.
 *
 * Chunk boundaries depend only on the blocks themselves, so adding or removing a block moves only the boundaries next
 * to it.
 */
export type DraftChunk = {
  /** Number of its row among those of the draft. */
  slot: number
  /** Hash of its JSON. */
  hash: string
}

/**
 * A text of a draft: its own, or the server's that it grew from once the two differ; a number for a chunk of its own.
 * `hash` is that of a base, missing in rows of an earlier release: a base left from before must not be mistaken for it.
 */
export type DraftTextRow = {
  articleId: string
  role: 'draft' | 'base' | number
  json: string
  hash?: string
}

/** In characters of JSON. */
export type ChunkSizes = {
  /** A text up to this length is stored whole in one row. */
  whole: number
  /**
   * A chunk ends with the first block beyond `least` whose length is a multiple of four, and at `most` at the latest.
   */
  least: number
  most: number
}

/** Short enough to be written as fast as the draft's row, and long enough for a list of about thirty. */
export const CHUNK_SIZES: ChunkSizes = { whole: 24_000, least: 10_000, most: 24_000 }

/** The writes to the rows of a draft's own text. */
export type TextWrite = {
  /** Undefined for a text that is stored whole. */
  pieces: DraftChunk[] | undefined
  put: DraftTextRow[]
  drop: [string, DraftTextRow['role']][]
}

/** `before` is the list in the draft's row, read in the same transaction; undefined when it has none. */
export function changeText(
  articleId: string,
  text: ArticleText,
  before: readonly DraftChunk[] | undefined,
  sizes: ChunkSizes,
): TextWrite {
  const { content } = asDocument(text)
  if (lengthOf(content) <= sizes.whole) {
    const put: DraftTextRow[] = [{ articleId, role: 'draft', json: documentJson(text) }]
    return { pieces: undefined, put, drop: slotsOf(before).map((slot) => [articleId, slot]) }
  }
  const cut = cutInPieces(content, sizes)
  const isWanted = new Set(cut.map(({ hash }) => hash))
  const slots = new Map(before?.map(({ hash, slot }) => [hash, slot]))
  const kept = new Set([...slots].filter(([hash]) => isWanted.has(hash)).map(([, slot]) => slot))
  const free = slotsOf(before).filter((slot) => !kept.has(slot))
  let unused = Math.max(-1, ...slotsOf(before)) + 1
  const put: DraftTextRow[] = []
  const pieces = cut.map(({ hash, json }) => {
    const own = slots.get(hash)
    if (own !== undefined) return { slot: own, hash }
    const slot = free.shift() ?? unused++
    slots.set(hash, slot)
    put.push({ articleId, role: slot, json })
    return { slot, hash }
  })
  const left = before ? free : (['draft'] as const)
  return { pieces, put, drop: left.map((role) => [articleId, role]) }
}

/** The JSON of a text from the rows of its chunks; null when one is missing. */
export function joinedChunks(
  pieces: readonly DraftChunk[],
  rows: readonly DraftTextRow[],
): string | null {
  const bySlot = new Map(rows.map(({ role, json }) => [role, json]))
  const parts = pieces.map(({ slot }) => bySlot.get(slot))
  return parts.includes(undefined) ? null : `{"type":"doc","content":[${parts.join(',')}]}`
}

const slotsOf = (pieces: readonly DraftChunk[] | undefined): number[] => [
  ...new Set(pieces?.map(({ slot }) => slot)),
]

const lengthOf = (blocks: readonly DocumentNode[]): number =>
  blocks.reduce((sum, block) => sum + blockJson(block).length, 0)

function cutInPieces(blocks: readonly DocumentNode[], { least, most }: ChunkSizes): Spelled[] {
  const pieces: Spelled[] = []
  let run: DocumentNode[] = []
  let size = 0
  for (const block of blocks) {
    const { length } = blockJson(block)
    run.push(block)
    size += length
    if (size < least || (length % 4 !== 0 && size < most)) continue
    pieces.push(spelled(run))
    run = []
    size = 0
  }
  if (run.length > 0) pieces.push(spelled(run))
  return pieces
}

type Spelled = { blocks: readonly DocumentNode[]; json: string; hash: string }

/** Keyed by first block: a save serializes and hashes only the chunks that were edited. */
const known = new WeakMap<DocumentNode, Spelled>()

function spelled(blocks: readonly DocumentNode[]): Spelled {
  const [first] = blocks
  const before = first && known.get(first)
  if (before && isSameRun(before.blocks, blocks)) return before
  const json = blocks.map(blockJson).join(',')
  const piece = { blocks, json, hash: sha256(json).slice(0, TELLING) }
  if (first) known.set(first, piece)
  return piece
}

/** 128 bits: no two chunks collide. */
const TELLING = 32

const isSameRun = (one: readonly DocumentNode[], other: readonly DocumentNode[]): boolean =>
  one.length === other.length && one.every((block, at) => block === other[at])
