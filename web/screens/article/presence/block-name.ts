import type { Node } from '@tiptap/pm/model'
import { sha256 } from '../../../../domain/text/canonical.ts'

/** Shorter texts may be in the article twice by chance. */
const LENGTH_MIN = 12
const LENGTH_DIGITS = 4

/** A text block with the position before it. */
export type Block = { node: Node; position: number }

/**
 * The name of a text block for other pages: its length and a part of the hash of its text, 16 hexadecimal digits. Null
 * where another block of the document could be meant.
 */
export function nameOfBlock(document: Node, block: Node): string | null {
  const size = block.content.size
  if (size < LENGTH_MIN) return null
  const text = textOf(block)
  const alike = blocksOf(document, size).filter(({ node }) => textOf(node) === text)
  return alike.length === 1 ? nameOfText(text) : null
}

/** The block that this is the name of. Null where there is none, or more than one. */
export function findBlock(document: Node, name: string): Block | null {
  const size = Number.parseInt(name.slice(0, LENGTH_DIGITS), 16)
  const found = blocksOf(document, size).filter(({ node }) => nameOfText(textOf(node)) === name)
  return found.length === 1 ? (found[0] ?? null) : null
}

/** The length is compared first, so that few blocks are hashed. */
function blocksOf(document: Node, size: number): Block[] {
  const blocks: Block[] = []
  document.descendants((node, position) => {
    if (node.isTextblock && lengthOf(node.content.size) === lengthOf(size))
      blocks.push({ node, position })
    return !node.isTextblock
  })
  return blocks
}

const lengthOf = (size: number): number => size % 16 ** LENGTH_DIGITS

/** As long as the block: a line break is one character. */
const textOf = (block: Node): string => block.textBetween(0, block.content.size, undefined, '\n')

const nameOfText = (text: string): string =>
  lengthOf(text.length).toString(16).padStart(LENGTH_DIGITS, '0') +
  sha256(text).slice(0, 16 - LENGTH_DIGITS)
