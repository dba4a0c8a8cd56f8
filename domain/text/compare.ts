import { isTextBlock } from './article-text.ts'
import { canonicalJson } from './canonical.ts'
import { type Difference, diff } from './diff.ts'
import { type ArticleText, addressOf, type DocumentNode, normalForm } from './document.ts'
import { diffWords } from './word-diff.ts'

/**
 * Returns the differing ranges of two texts in order; empty if they are equal. `from` and `to` are the blocks of the first text
 * (paragraphs, headings, whole lists and quotes), `newFrom` and `newTo` the blocks of the second that replace them; the ends are
 * exclusive. The range in the first text is empty for an added block, the range in the second for a removed one.
 */
export function compareBlocks(old: Block[], fresh: Block[]): Difference[] {
  return diff(keysOf(old), keysOf(fresh)).flatMap((place) => cutAtBlocks(old, fresh, place))
}

/** Equal keys are equal blocks. */
export type Block = { key: string; node: DocumentNode }

export const blocksOf = (text: ArticleText): Block[] =>
  normalForm(text).content.map((node) => ({ key: canonicalJson(node), node }))

const keysOf = (blocks: Block[]): string[] => blocks.map(({ key }) => key)

/**
 * A word, a space, a sign or the end of a line. `style` is how it looks: the marks of a word, and for a
 * line end what kind of line it is. `hrefs` has the address of each letter, null for a block without
 * links.
 */
export type Token = { text: string; style: string; hrefs: readonly (string | null)[] | null }

/** Ends of lines; the second one ends a block too. */
export const LINE_END = '\n'
export const BLOCK_END = '\n\n'
export const isEnd = ({ text }: Token): boolean => text === LINE_END || text === BLOCK_END

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
export function wordsOf(block: DocumentNode): Token[] {
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
  const found = stretchesAt(old, fresh, place)
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

/** `was` are the tokens of the first text where both texts have the same words. */
export type Stretch = { kind: 'same' | 'removed' | 'inserted'; tokens: Token[]; was: Token[] }

/** Returns the tokens of one differing range of both texts in order. */
export function stretchesAt(was: Block[], is: Block[], place: Difference): Stretch[] {
  const old = tokensOf(was.slice(place.from, place.to))
  const fresh = tokensOf(is.slice(place.newFrom, place.newTo))
  const found: Stretch[] = []
  const push = (kind: Stretch['kind'], tokens: Token[], was: Token[] = []) => {
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

export const textsOf = (tokens: Token[]): string[] => tokens.map(({ text }) => text)

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
