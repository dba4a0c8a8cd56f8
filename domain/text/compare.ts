import { isTextBlock } from './article-text.ts'
import { canonicalJson } from './canonical.ts'
import { type Difference, diff } from './diff.ts'
import {
  type ArticleDocument,
  type ArticleText,
  addressOf,
  type DocumentNode,
  normalForm,
} from './document.ts'
import { diffWords } from './word-diff.ts'

/** Side-by-side comparison of two texts for display. */

export type Run = { kind: 'same' | 'removed' | 'inserted'; text: string }

/**
 * One place where two texts differ. `from` and `to` are the blocks of the first text (paragraphs, headings, whole lists
 * and quotes), `newFrom` and `newTo` the blocks of the second that replace them; the ends are exclusive. The range in
 * the first text is empty for an added block, the range in the second for a removed one.
 */
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
  return diff(keysOf(old), keysOf(fresh)).flatMap((place) =>
    cutAtBlocks(old, fresh, place).map((part) => passageOf(old, fresh, part)),
  )
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

/** Equal keys are equal blocks. */
type Block = { key: string; node: DocumentNode }

const blocksOf = (text: ArticleText): Block[] =>
  normalForm(text).content.map((node) => ({ key: canonicalJson(node), node }))

const keysOf = (blocks: Block[]): string[] => blocks.map(({ key }) => key)

/**
 * A word, a space, a sign or the end of a line. `style` is how it looks: the marks of a word, and for a
 * line end what kind of line it is. `hrefs` has the address of each letter, null for a block without
 * links.
 */
type Token = { text: string; style: string; hrefs: readonly (string | null)[] | null }

/** Ends of lines; the second one ends a block too. */
const LINE_END = '\n'
const BLOCK_END = '\n\n'
const isEnd = ({ text }: Token): boolean => text === LINE_END || text === BLOCK_END

const tokensOf = (blocks: Block[]): Token[] => blocks.flatMap(({ node }) => blockTokens(node))

function blockTokens(node: DocumentNode): Token[] {
  const tokens = linesOf(node, '')
  const last = tokens.at(-1)
  return last ? [...tokens.slice(0, -1), { ...last, text: BLOCK_END }] : tokens
}

function linesOf(node: DocumentNode, within: string): Token[] {
  const shape = `${within}>${node.type}${canonicalJson(node.attrs ?? {})}`
  const end = { text: LINE_END, style: shape, hrefs: null }
  if (isTextBlock(node)) return [...wordsOf(node), end]
  if (!node.content) return [end]
  return node.content.flatMap((child, index) =>
    linesOf(child, node.type === 'listItem' && index > 0 ? `${shape}+` : shape),
  )
}

/** A word may have marks on a part of it only, so marks are noted for each letter. */
function wordsOf(block: DocumentNode): Token[] {
  const parts = (block.content ?? []).map((node) => ({
    text: node.text ?? '\u2028',
    marks: String.fromCharCode(
      (node.marks ?? []).reduce((bits, { type }) => bits | MARK_BITS[type], 0x30),
    ),
    href: addressOf(node),
  }))
  const text = parts.map((part) => part.text).join('')
  const hrefs = parts.some(({ href }) => href !== null)
    ? parts.flatMap((part) => Array<string | null>(part.text.length).fill(part.href))
    : null
  const styles = parts.map((part) => part.marks.repeat(part.text.length)).join('')
  return [...text.matchAll(WORD_SPACE_OR_SIGN)].map(({ 0: word, index }) => ({
    text: word,
    style: styles.slice(index, index + word.length),
    hrefs: hrefs?.slice(index, index + word.length) ?? null,
  }))
}

/** Links are named by their addresses. */
const MARK_BITS = { bold: 1, italic: 2, strike: 4, link: 0 }
const WORD_SPACE_OR_SIGN = /[\p{L}\p{M}\p{N}'’_-]+|\s+|[^\p{L}\p{M}\p{N}\s'’_-]/gu

/** The blocks of one place, cut where both texts end a block, without those pieces that stayed as they were. */
function cutAtBlocks(old: Block[], fresh: Block[], place: Difference): Difference[] {
  const parts: Difference[] = []
  let part = { from: place.from, to: place.from, newFrom: place.newFrom, newTo: place.newFrom }
  const cut = () => {
    const [was, is] = [old.slice(part.from, part.to), fresh.slice(part.newFrom, part.newTo)]
    if (keysOf(was).join() !== keysOf(is).join()) parts.push(part)
    part = { from: part.to, to: part.to, newFrom: part.newTo, newTo: part.newTo }
  }
  const isInside = { old: false, fresh: false }
  const found = stretches(tokensAt(old, fresh, place))
  for (const [at, { kind, tokens }] of found.entries()) {
    for (const { text } of tokens) {
      const ends = text === BLOCK_END
      if (kind !== 'inserted') isInside.old = !ends
      if (kind !== 'removed') isInside.fresh = !ends
      if (ends && kind !== 'inserted') part.to += 1
      if (ends && kind !== 'removed') part.newTo += 1
      if (ends && kind === 'same') cut()
    }
    if (!isInside.old && !isInside.fresh && found[at + 1]?.kind === 'same') cut()
  }
  cut()
  return parts
}

type Sides = { old: Token[]; fresh: Token[] }

const tokensAt = (
  old: Block[],
  fresh: Block[],
  { from, to, newFrom, newTo }: Difference,
): Sides => ({
  old: tokensOf(old.slice(from, to)),
  fresh: tokensOf(fresh.slice(newFrom, newTo)),
})

/** `was` are the tokens of the first text where both texts have the same words. */
type Stretch = { kind: Run['kind']; tokens: Token[]; was: Token[] }

function stretches({ old, fresh }: Sides): Stretch[] {
  const found: Stretch[] = []
  const push = (kind: Run['kind'], tokens: Token[], was: Token[] = []) => {
    if (tokens.length > 0) found.push({ kind, tokens, was })
  }
  let [at, newAt] = [0, 0]
  for (const { from, to, newFrom, newTo } of differences(old, fresh)) {
    push('same', fresh.slice(newAt, newFrom), old.slice(at, from))
    push('removed', old.slice(from, to))
    push('inserted', fresh.slice(newFrom, newTo))
    ;[at, newAt] = [to, newTo]
  }
  push('same', fresh.slice(newAt), old.slice(at))
  return found
}

function differences(old: Token[], fresh: Token[]): Difference[] {
  const found = diffWords(textsOf(old), textsOf(fresh))
  return found.flatMap((part) => withLineEnd(old, fresh, part))
}

const textsOf = (tokens: Token[]): string[] => tokens.map(({ text }) => text)

/**
 * When one side of a difference has an end more, and an end follows it, either of the two may be the added
 * one. It reads better when that is the last, because whole lines then came or went.
 */
function withLineEnd(old: Token[], fresh: Token[], part: Difference): Difference[] {
  const { from, to, newFrom, newTo } = part
  const [was, is] = [
    old.slice(from, to).findIndex(isEnd),
    fresh.slice(newFrom, newTo).findIndex(isEnd),
  ]
  if (was < 0 === is < 0) return [part]
  const [end, newEnd] = is < 0 ? [from + was, newTo] : [to, newFrom + is]
  if (old[end]?.text !== fresh[newEnd]?.text || old[to]?.text !== fresh[newTo]?.text) return [part]
  const [rest, newRest] = is < 0 ? [to + 1, newEnd + 1] : [end + 1, newTo + 1]
  const changed = { from, to: end, newFrom, newTo: newEnd }
  const added = { from: end + 1, to: rest, newFrom: newEnd + 1, newTo: newRest }
  return end > from || newEnd > newFrom ? [changed, added] : [added]
}

function passageOf(old: Block[], fresh: Block[], part: Difference): Passage {
  const found = stretches(tokensAt(old, fresh, part))
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
