import type { Node } from '@tiptap/pm/model'
import { canonicalJson } from '../../../../domain/text/canonical.ts'
import {
  type ArticleDocument,
  type ArticleText,
  type DocumentNode,
  normalForm,
} from '../../../../domain/text/document.ts'
import {
  compareTexts,
  followBlocks,
  type Passage,
  type Run,
  withoutPassage,
} from '../../../../domain/text/passages.ts'
import { merge3 } from '../../../../sync/merge/merge3.ts'
import { linesIn, positionOf, type Range, within } from './shown-lines.ts'

/** The passages that came from elsewhere, in a text that may have been written on since. */

export type Changes = { before: ArticleText; after: ArticleText }

export type FoundPassage = {
  passage: Passage
  /** 'undone': the text there reads as it did before. 'rewritten': it was edited since. */
  state: 'there' | 'undone' | 'rewritten'
  /** Its blocks; empty where blocks were taken out. Null when they are gone. */
  place: Range | null
  /** The words that were put in; none where the passage was rewritten. */
  words: Range[]
}

export const passagesOf = ({ before, after }: Changes): Passage[] => compareTexts(before, after)

/** Finds each passage in the shown text again. */
export function findPassages(
  { before, after }: Changes,
  passages: readonly Passage[],
  shown: Node,
): FoundPassage[] {
  const live: ArticleDocument = shown.toJSON()
  const since = compareTexts(after, live)
  const blocks = { before: blocksOf(before), after: blocksOf(after), live: blocksOf(live) }
  return passages.map((passage) => {
    const { from, to, newFrom, newTo } = passage
    const at = followBlocks(since, { from: newFrom, to: newTo })
    const place = at && { from: positionOf(shown, at.from), to: positionOf(shown, at.to) }
    const was = blocks.before.slice(from, to)
    const is = at ? blocks.live.slice(at.from, at.to) : []
    const putBack =
      at && newFrom === newTo ? blocks.live.slice(at.from - was.length, at.from) : null
    if (isSame(putBack ?? is, was)) return { passage, state: 'undone', place, words: [] }
    if (!isSame(is, blocks.after.slice(newFrom, newTo)))
      return { passage, state: 'rewritten', place, words: [] }
    return { passage, state: 'there', place, words: at ? wordsPutIn(shown, at, passage.runs) : [] }
  })
}

/**
 * The shown text without the change of one passage. Null when the words there have been edited since, so that the
 * result would be ambiguous.
 */
export function undonePassage(
  { before, after }: Changes,
  passage: Passage,
  shown: ArticleText,
): ArticleDocument | null {
  const { document, conflict } = merge3(after, shown, withoutPassage(before, after, passage))
  return conflict ? null : document
}

const blocksOf = (text: ArticleText): DocumentNode[] => normalForm(text).content

const isSame = (some: DocumentNode[], others: DocumentNode[]): boolean =>
  canonicalJson(some) === canonicalJson(others)

/** The ranges of the inserted runs. Together with the unchanged runs they are the lines of these blocks, in order. */
function wordsPutIn(shown: Node, blocks: Range, runs: readonly Run[]): Range[] {
  const lines = linesIn(shown, blocks)
  const ranges: Range[] = []
  let offset = 0
  for (const { kind, text } of runs) {
    if (kind === 'removed') continue
    const end = offset + text.length
    const [from, to] = [end - text.trimStart().length, offset + text.trimEnd().length]
    if (kind === 'inserted') ranges.push(...within(lines, from, to))
    offset = end
  }
  return ranges
}
