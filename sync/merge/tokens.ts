import { signsOf, signsOrNone } from './addresses.ts'
import { BREAK, ITEM, type Leaf, RULE } from './leaves.ts'

/**
 * A row of blocks as one stream: the begin of each block, its words and its hard breaks. White space belongs to the
 * token before it, so that two sentences never count as alike for their spaces alone.
 */
export type Token = {
  /** The word, BREAK, or '' where a block begins. */
  text: string
  /** White space after it. */
  gap: string
  /** As in a leaf, of `text` and `gap` together; '' when there are none. */
  marks: string
  /** The same for addresses. */
  links: string
  /** Nothing of its line follows, so that its gap is the white space that the line ends with. */
  isLast: boolean
  /** The block that begins here. */
  leaf: Leaf | null
  /** The block that it is in, on each side that has it. */
  homes: readonly Leaf[]
}

/** Signs of scripts that write without spaces are words of their own. */
const DENSE = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/u
const DENSE_FROM = 0x3040

const known = new WeakMap<Leaf, Token[]>()

/** Returns the same tokens for a block each time; for a merged block, the tokens that it was built from. */
export function tokensOf(leaves: Leaf[]): Token[] {
  const tokens: Token[] = []
  for (const leaf of leaves) {
    const own = known.get(leaf) ?? readTokens(leaf)
    known.set(leaf, own)
    for (const token of own) tokens.push(token)
  }
  return tokens
}

/** Returns the tokens of a block that `tokensOf` or `blockOf` has already processed, null for other blocks. */
export const readTokensOf = (leaf: Leaf): Token[] | null => known.get(leaf) ?? null

/** The words of a text, as those of a line are divided. */
export const textsIn = (text: string): string[] =>
  readTokens({ ...PARAGRAPH, text })
    .slice(1)
    .map((token) => token.text)

function readTokens(leaf: Leaf): Token[] {
  const { text } = leaf
  const homes = [leaf]
  let from = spaceFrom(text, 0)
  let last: Token = { ...tokenOf(leaf, 0, 0, from, homes), leaf }
  const tokens = [last]
  while (from < text.length) {
    const end = wordFrom(text, from)
    const next = spaceFrom(text, end)
    if (text.slice(from, end) === BREAK) last.isLast = true
    last = tokenOf(leaf, from, end, next, homes)
    tokens.push(last)
    from = next
  }
  last.isLast = true
  return tokens
}

/** Where the white space that begins at `from` ends. */
function spaceFrom(text: string, from: number): number {
  let end = from
  while (end < text.length && isSpace(text, end)) end += 1
  return end
}

function wordFrom(text: string, from: number): number {
  if (text[from] === BREAK || isDense(text, from)) return from + 1
  let end = from + 1
  while (end < text.length && text[end] !== BREAK && !isSpace(text, end) && !isDense(text, end)) {
    end += 1
  }
  return end
}

const isDense = (text: string, at: number): boolean =>
  text.charCodeAt(at) >= DENSE_FROM && DENSE.test(text[at] ?? '')

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code <= 0x7f ? code === 0x20 || (code >= 9 && code <= 13) : /\s/u.test(text[at] ?? '')
}

/** The word from `from` up to `end`, with the white space up to `next`. */
function tokenOf(
  leaf: Leaf,
  from: number,
  end: number,
  next: number,
  homes: readonly Leaf[],
): Token {
  const marks = leaf.marks === '' ? '' : leaf.marks.slice(from, next)
  return {
    text: leaf.text.slice(from, end),
    gap: leaf.text.slice(end, next),
    marks: marks !== '' && /[1-7]/.test(marks) ? marks : '',
    links: leaf.links === '' ? '' : signsOrNone(leaf.links.slice(from, next)),
    isLast: false,
    leaf: null,
    homes,
  }
}

/** Returns a line start token for the block of a word. The line continues the list or quote of that block. */
export function headOf({ homes }: Token): Token {
  const leaf = homes.at(-1) ?? PARAGRAPH
  const path = leaf.path.map(({ node, isNew }) => ({
    node,
    opens: false,
    isNew: isNew && node.type === ITEM,
  }))
  return { ...tokenOf(PARAGRAPH, 0, 0, 0, homes), leaf: { ...leaf, path } }
}

export const isWord = ({ text }: Token): boolean => text !== '' && text !== BREAK

/** Whether a sentence ends with this word; a hard break ends one too. Skips the expression for words that end with a letter or digit. */
export const endsSentence = ({ text }: Token): boolean =>
  text === BREAK || (!isLetter(text.charCodeAt(text.length - 1)) && SENTENCE_END.test(text))
const isLetter = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)
const SENTENCE_END = /[.!?…。！？][\p{Pe}\p{Pf}"']*$/u

/** Whether the first letter of the word is a capital; false without a word. */
export const isCapital = (word: Token | undefined): boolean =>
  /^\P{L}*\p{Lu}/u.test(word?.text ?? '')

/** Returns the incomplete sentence at the end of a line; '' if there is none. */
export const incompleteSentence = (line: string): string =>
  line.split(/[.!?…。！？][\p{Pe}\p{Pf}"']*(?:\s+|$)/u).at(-1) ?? ''

/** Numbers for texts, the same for equal ones. */
export type Keys = (tokens: Token[]) => Int32Array

export const BLOCK_KEY = 0

export function createKeys(): Keys {
  const known = new Map<string, number>()
  const keyFor = ({ text, leaf }: Token): number => {
    if (leaf && leaf.type !== RULE) return BLOCK_KEY
    const name = leaf ? RULE_NAME : text
    const key = known.get(name) ?? known.size + 1
    known.set(name, key)
    return key
  }
  return (tokens) => {
    const keys = new Int32Array(tokens.length)
    for (let at = 0; at < tokens.length; at += 1) keys[at] = keyFor(tokens[at] as Token)
    return keys
  }
}

/** No word has a NUL. */
const RULE_NAME = `${BREAK}${RULE}`

/** The lines of a stream, each with the begin of its block. */
export function linesOf(tokens: Token[]): Token[][] {
  const lines: Token[][] = []
  for (const token of tokens) {
    const line = lines.at(-1)
    if (line && !token.leaf) line.push(token)
    else lines.push([token])
  }
  return lines
}

/** The block that a line describes. Words never run together that were apart. */
export function blockOf(line: Token[]): Leaf {
  const isMarked = line.some((token) => token.marks !== '')
  const isLinked = line.some((token) => token.links !== '')
  let [text, marks, links] = ['', '', '']
  for (const [index, token] of line.entries()) {
    const gap = gapBetween(token, line[index + 1])
    text += token.text + gap
    if (isMarked) marks += marksWith(token, gap)
    if (isLinked) links += signsOf(token.links, 0, token.text.length + gap.length)
  }
  const leaf = line[0]?.leaf ?? PARAGRAPH
  const block = { ...leaf, text, marks: /[1-7]/.test(marks) ? marks : '', links, node: null }
  known.set(block, line)
  return block
}

const PARAGRAPH: Leaf = {
  type: 'paragraph',
  attrs: {},
  path: [],
  text: '',
  marks: '',
  links: '',
  node: null,
  shape: '',
  place: '',
  content: '',
}

function gapBetween(token: Token, next: Token | undefined): string {
  if (!next || next.text === BREAK) return token.isLast ? token.gap : ''
  if (token.gap !== '') return token.gap
  const mayTouch = !isWord(token) || isDense(token.text, 0) || isDense(next.text, 0)
  return mayTouch ? '' : ' '
}

function marksWith({ text, marks }: Token, gap: string): string {
  const own = marks === '' ? '0'.repeat(text.length) : marks.slice(0, text.length)
  const after = marks.slice(text.length, text.length + gap.length)
  return own + after.padEnd(gap.length, '0')
}
