import type { Node } from '@tiptap/pm/model'
import type { Letters } from '../../../../domain/text/kept-letters.ts'

/** The text of the document as `plainText` has it, and where its paragraphs and headings begin in both. */
export type DocumentLetters = { text: string; blocks: Block[] }

/** `at`: in the text; `position`: of its first letter in the editor. */
type Block = { at: number; position: number; length: number }

export function lettersOf(doc: Node): DocumentLetters {
  const blocks: Block[] = []
  const lines: string[] = []
  let at = 0
  doc.descendants((node, position) => {
    if (!node.isTextblock) return true
    const line = lineOf(node)
    blocks.push({ at, position: position + 1, length: line.length })
    lines.push(line)
    at += line.length + 1
    return false
  })
  return { text: lines.join('\n'), blocks }
}

const known = new WeakMap<Node, string>()

/** Read once for each block: a change of the text makes new ones of those that it changes. */
function lineOf(block: Node): string {
  const line = known.get(block) ?? block.textBetween(0, block.content.size, null, '\n')
  known.set(block, line)
  return line
}

export function positionsOf({ blocks }: DocumentLetters, { from, to }: Letters): Letters {
  const position = (letter: number) => {
    const block = blocks.findLast(({ at }) => at <= letter)
    return block ? block.position + Math.min(letter - block.at, block.length) : 0
  }
  return { from: position(from), to: position(to) }
}

export function lettersAt({ blocks }: DocumentLetters, { from, to }: Letters): Letters {
  const letter = (position: number) => {
    const block = blocks.findLast((one) => one.position <= position)
    return block ? block.at + Math.min(position - block.position, block.length) : 0
  }
  return { from: letter(from), to: letter(to) }
}
