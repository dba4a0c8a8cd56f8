import type { Node } from '@tiptap/pm/model'
import { foldInPlace } from '../../../../domain/text/folding.ts'
import type { Occurrence } from '../scorecard/entity-marks.ts'

export type Wanted = { text: string; matchCase: boolean }

/**
 * The occurrences of a text inside a block, as offsets, from left to right and never overlapping. Letters are compared
 * with the folding of the scorecard; an occurrence never splits a single letter of the block.
 */
export function findText(block: string, { text, matchCase }: Wanted): Occurrence[] {
  const wanted = foldInPlace(text, matchCase).text
  if (wanted === '') return []
  const inside = foldInPlace(block, matchCase)
  const found: Occurrence[] = []
  for (let at = inside.text.indexOf(wanted); at >= 0; at = inside.text.indexOf(wanted, at)) {
    const end = at + wanted.length
    const [from = 0, to = 0] = [inside.from[at], inside.to[end - 1]]
    const isWhole = inside.from[at - 1] !== from && inside.to[end] !== to
    if (isWhole) found.push({ from, to })
    at = isWhole ? end : at + 1
  }
  return found
}

const NOT_TEXT = '\ufffc'

/** A block as one string in which every position of the document is one unit. */
export const unitsOf = (block: Node): string =>
  block.textBetween(0, block.content.size, undefined, NOT_TEXT)
