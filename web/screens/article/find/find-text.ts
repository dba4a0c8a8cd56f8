import type { Node } from '@tiptap/pm/model'
import type { Occurrence } from '../entity-marks.ts'

export type Wanted = { text: string; matchCase: boolean }

/**
 * Where text stands inside a block, as offsets, from the left and never overlapping. Straight quotes find
 * curly ones and a space finds any space, in both directions, because nobody types what an editor made of them.
 */
export function findText(block: string, { text, matchCase }: Wanted): Occurrence[] {
  if (text === '') return []
  const [inside, wanted] = [fold(block, matchCase), fold(text, matchCase)]
  const found: Occurrence[] = []
  for (let at = inside.indexOf(wanted); at >= 0; at = inside.indexOf(wanted, at + wanted.length)) {
    found.push({ from: at, to: at + wanted.length })
  }
  return found
}

const NOT_TEXT = '\ufffc'

/** A block as one string in which every position of the document is one unit. */
export const unitsOf = (block: Node): string =>
  block.textBetween(0, block.content.size, undefined, NOT_TEXT)

/** Keeps the length: a position in the folded text is one in the text. */
function fold(text: string, matchCase: boolean): string {
  const plain = text
    .replace(/[\u2018\u2019\u201a\u201b]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f]/g, '"')
    .replace(/\s/g, ' ')
  if (matchCase) return plain
  const lower = plain.toLowerCase()
  if (lower.length === plain.length) return lower
  const kept = (character: string) => {
    const small = character.toLowerCase()
    return small.length === character.length ? small : character
  }
  return Array.from(plain, kept).join('')
}
