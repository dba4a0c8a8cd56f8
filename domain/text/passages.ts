import {
  BLOCK_END,
  type Block,
  blocksOf,
  compareBlocks,
  isEnd,
  LINE_END,
  type Stretch,
  stretchesAt,
  type Token,
  textsOf,
  wordsOf,
} from './compare.ts'
import type { Difference } from './diff.ts'
import { type ArticleDocument, type ArticleText, normalForm } from './document.ts'

/** Side-by-side comparison of two texts for display. */

export type Run = { kind: Stretch['kind']; text: string }

/** One place where two texts differ, as `compareBlocks` finds it. */
export type Passage = Difference & {
  kind: 'changed' | 'inserted' | 'removed'
  /** The heading above it in the second text, or its own when it begins with one; null above the first heading. */
  section: string | null
  /** In a text without headings, the number of its block among those with words, from 1; null in any other text. */
  paragraph: number | null
  /**
   * Same and removed runs are the first text of these blocks, same and inserted ones the second. A line end is '\n'.
   */
  runs: Run[]
  /** Paragraphs were split or joined, or became headings, items or quotes, or the other way round. */
  layoutChanged: boolean
  /** Words that stayed have other marks, addresses aside. */
  marksChanged: boolean
  /**
   * Words that stayed link elsewhere, in their order, and addresses that went with their words from these blocks; each
   * change once.
   */
  links: LinkChange[]
}

/** Words that link to `to` and did to `from`; null where they are no link. */
export type LinkChange = { from: string | null; to: string | null }

/** The passages in the order of the text; none when both texts are equal. */
export function compareTexts(before: ArticleText, after: ArticleText): Passage[] {
  const [old, fresh] = [blocksOf(before), blocksOf(after)]
  return compareBlocks(old, fresh).map((part) => passageOf(old, fresh, part))
}

/** `after` as it would be without what changed in one passage. */
export function withoutPassage(
  before: ArticleText,
  after: ArticleText,
  { from, to, newFrom, newTo }: Difference,
): ArticleDocument {
  const content = normalForm(after).content
  content.splice(newFrom, newTo - newFrom, ...normalForm(before).content.slice(from, to))
  return normalForm(content.length > 0 ? { type: 'doc', content } : {})
}

/** Where the blocks `from` up to `to` of a text are after it changed by `passages`; null when they were removed. */
export function followBlocks(
  passages: readonly Difference[],
  { from, to }: { from: number; to: number },
): { from: number; to: number } | null {
  const start = followed(passages, from, 'newFrom')
  const end = from === to ? start : followed(passages, to - 1, 'newTo')
  return start < end || from === to ? { from: start, to: end } : null
}

/** Start or end of what block `index` became. */
function followed(
  passages: readonly Difference[],
  index: number,
  edge: 'newFrom' | 'newTo',
): number {
  const before = passages.findLast(({ from }) => from <= index)
  if (before && index < before.to) return before[edge]
  const shift = before ? before.newTo - before.to : 0
  return index + shift + (edge === 'newTo' ? 1 : 0)
}

function passageOf(old: Block[], fresh: Block[], part: Difference): Passage {
  const found = stretchesAt(old, fresh, part)
  const isRestyled = ({ tokens, was }: Stretch, ofEnds: boolean): boolean =>
    was.some((token, at) => isEnd(token) === ofEnds && token.style !== tokens[at]?.style)
  const isBoth = part.from < part.to && part.newFrom < part.newTo
  return {
    ...part,
    kind: isBoth ? 'changed' : part.from === part.to ? 'inserted' : 'removed',
    ...placeIn(fresh, part.newFrom),
    runs: readable(found.map(({ kind, tokens }) => ({ kind, text: textOf(tokens) }))),
    layoutChanged:
      isBoth &&
      found.some((at) => (at.kind === 'same' ? isRestyled(at, true) : at.tokens.some(isEnd))),
    marksChanged: found.some((at) => isRestyled(at, false)),
    links: linkChanges(found),
  }
}

function linkChanges(found: readonly Stretch[]): LinkChange[] {
  const changes = new Map<string, LinkChange>()
  for (const { tokens, was } of found) {
    for (const [at, old] of was.entries()) {
      const fresh = tokens[at]
      if (!old.hrefs && !fresh?.hrefs) continue
      for (let letter = 0; letter < old.text.length; letter += 1) {
        const change = { from: old.hrefs?.[letter] ?? null, to: fresh?.hrefs?.[letter] ?? null }
        if (change.from !== change.to) changes.set(JSON.stringify(change), change)
      }
    }
  }
  const left = hrefsOf(found.filter(({ kind }) => kind !== 'removed'))
  for (const from of hrefsOf(found.filter(({ kind }) => kind === 'removed'))) {
    const isNamed = [...changes.values()].some((change) => change.from === from)
    if (!left.has(from) && !isNamed) changes.set(from, { from, to: null })
  }
  return [...changes.values()]
}

const hrefsOf = (found: readonly Stretch[]): Set<string> =>
  new Set(
    found.flatMap(({ tokens }) =>
      tokens.flatMap(({ hrefs }) => hrefs?.filter((href) => href !== null) ?? []),
    ),
  )

const textOf = (tokens: Token[]): string =>
  textsOf(tokens)
    .map((text) => (text === BLOCK_END ? LINE_END : text.replaceAll('\u2028', LINE_END)))
    .join('')

function placeIn(blocks: Block[], index: number): Pick<Passage, 'section' | 'paragraph'> {
  const above = blocks.slice(0, index + 1)
  const heading = above.findLast(isHeading)
  if (heading) return { section: textOf(wordsOf(heading.node)), paragraph: null }
  if (blocks.some(isHeading)) return { section: null, paragraph: null }
  const withWords = above.filter(({ node }) => (node.content ?? []).length > 0)
  return { section: null, paragraph: Math.max(1, withWords.length) }
}

const isHeading = ({ node }: Block): boolean => node.type === 'heading'

/**
 * Single words and signs that match by chance between two changes make them hard to read: they are shown as removed and
 * inserted. A removed run comes before the inserted one.
 */
function readable(runs: Run[]): Run[] {
  const result: Run[] = []
  const change = { removed: '', inserted: '' }
  const flush = () => {
    const space = commonSpaceAtEnd(change)
    const [removed, inserted] = [
      withoutEnd(change.removed, space),
      withoutEnd(change.inserted, space),
    ]
    if (removed) result.push({ kind: 'removed', text: removed })
    if (inserted) result.push({ kind: 'inserted', text: inserted })
    change.removed = ''
    change.inserted = ''
    return space
  }
  for (const [index, { kind, text }] of runs.entries()) {
    if (kind !== 'same') change[kind] += text
    else if (isByChance(text, change, runs.slice(index + 1, index + 3))) {
      change.removed += text
      change.inserted += text
    } else {
      result.push({ kind, text: flush() + text })
    }
  }
  const space = flush()
  if (space) result.push({ kind: 'same', text: space })
  return result
}

/** Spaces at the end of both were not replaced. */
function commonSpaceAtEnd({ removed, inserted }: Record<'removed' | 'inserted', string>): string {
  const [space = ''] = removed.match(/[^\S\n]+$/u) ?? []
  return inserted.endsWith(space) ? space : ''
}

const withoutEnd = (text: string, end: string): string => text.slice(0, text.length - end.length)

function isByChance(
  text: string,
  before: Record<'removed' | 'inserted', string>,
  after: Run[],
): boolean {
  if (text.includes(LINE_END) || /\S\s+\S/u.test(text)) return false
  const next = after.filter(({ kind }) => kind !== 'same')
  const isReplaced = before.removed !== '' && before.inserted !== '' && next.length > 0
  const least = Math.min(
    Math.max(before.removed.length, before.inserted.length),
    Math.max(...next.map((run) => run.text.length)),
  )
  return isReplaced && text.length <= least
}
