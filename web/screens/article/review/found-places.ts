import type { Node } from '@tiptap/pm/model'
import { plainText } from '../../../../domain/text/article-text.ts'
import type { ArticleDocument } from '../../../../domain/text/document.ts'
import { followLetters, keptLetters, type Letters } from '../../../../domain/text/kept-letters.ts'
import type { BothPlaces } from '../../../../sync/editing/both-places.ts'
import { linesIn, type Range, within } from './shown-lines.ts'

/** Where both had written: what is still there of the words that each had. */
export type FoundPlace = { theirs: Range[]; mine: Range[] }

/** Finds each place in the shown text again. */
export function findPlaces({ text, places }: BothPlaces, shown: Node): FoundPlace[] {
  const live: ArticleDocument = shown.toJSON()
  const kept = keptLetters(plainText(text), plainText(live))
  // Plain text has no line for a rule.
  const lines = linesIn(shown, { from: 0, to: shown.childCount }, ({ isTextblock }) => isTextblock)
  const rangesOf = (letters: Letters[]) =>
    followLetters(kept, letters).flatMap(({ from, to }) => within(lines, from, to))
  return places.map(({ theirs, mine }) => ({ theirs: rangesOf(theirs), mine: rangesOf(mine) }))
}
