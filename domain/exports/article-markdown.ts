import type { ArticleText, DocumentMark, DocumentNode } from '../text/document.ts'
import { withoutLineEndSpaces } from '../text/line-ends.ts'
import {
  isWritable,
  type MarkWriters,
  type NodeWriters,
  sameMark,
  writeNode,
} from './article-writers.ts'

/**
 * An article's text as CommonMark, with struck text as in GFM. Empty paragraphs are left out and lists are numbered in
 * figures, as Markdown has neither the one nor other numerals. White space at the ends of lines is left out too. Marks do not reach over the spaces at their ends: there
 * Markdown knows none. Where its signs would not be read as marks, in the middle of words for one, the tag of HTML is
 * there instead. docs/decisions/036-exports.md has the reasons.
 */
export const markdownOf = (text: ArticleText): string =>
  linesOfBlocks(withoutLineEndSpaces(text).content).join('\n')

/** `isSecond`: the list before is of the same kind, so this one needs the other sign. */
type Place = { isSecond: boolean }

const BLOCKS: NodeWriters<'block', Place, string[]> = {
  paragraph: ({ content }) => {
    const words = inlineMarkdown(content, '\\\n')
    // Alone in its line a tag is a block of HTML.
    return words === '<br>' ? ['<p><br></p>'] : words.split('\n')
  },
  heading: ({ attrs, content }) => {
    const words = inlineMarkdown(content, '<br>', true)
    return [`${'#'.repeat(Number(attrs?.level ?? 1))} ${words}`.trimEnd()]
  },
  bulletList: ({ content = [] }, { isSecond }) =>
    linesOfItems(content, () => (isSecond ? '*' : '-')),
  orderedList: ({ attrs, content = [] }, { isSecond }) => {
    const start = Number(attrs?.start ?? 1)
    return linesOfItems(content, (at) => `${start + at}${isSecond ? ')' : '.'}`)
  },
  blockquote: ({ content }) => {
    const lines = linesOfBlocks(content)
    return lines.length === 0 ? ['>'] : lines.map((line) => (line === '' ? '>' : `> ${line}`))
  },
  // Not of hyphens: those would make a heading of the line above, or begin the properties of a page.
  horizontalRule: () => ['***'],
}

/** An empty line is between two blocks. */
function linesOfBlocks(blocks: readonly DocumentNode[] = []): string[] {
  const lines: string[] = []
  let [before, isSecond] = ['', false]
  for (const block of blocks) {
    if (isEmptyParagraph(block)) continue
    isSecond = block.type === before && !isSecond
    before = block.type
    if (lines.length > 0) lines.push('')
    lines.push(...writeNode(BLOCKS, block, { isSecond }))
  }
  return lines
}

const isEmptyParagraph = ({ type, content = [] }: DocumentNode): boolean =>
  type === 'paragraph' && content.length === 0

function linesOfItems(items: readonly DocumentNode[], markerAt: (at: number) => string): string[] {
  const isTight = items.every(isShort)
  return items.flatMap((item, at) => {
    const marker = markerAt(at)
    const indent = ' '.repeat(marker.length + 1)
    const lines = linesOfItem(item, isTight).map((line) => (line === '' ? '' : indent + line))
    // What begins without a paragraph begins below its sign: an empty line there would end the item.
    const whole =
      lines.length === 0 || isEmptyParagraph(item.content?.[0] ?? item)
        ? [marker, ...lines]
        : [`${marker} ${lines[0]?.slice(indent.length) ?? ''}`, ...lines.slice(1)]
    return at > 0 && !isTight ? ['', ...whole] : whole
  })
}

function linesOfItem({ content = [] }: DocumentNode, isTight: boolean): string[] {
  const lines = linesOfBlocks(content)
  return isTight ? lines.filter((line) => line !== '') : lines
}

/** Has no words: empty, or a break alone, which is a block of HTML that only an empty line ends. */
const isUnseen = ({ content = [] }: DocumentNode): boolean =>
  content.every(({ type }) => type === 'hardBreak')

/** Words, and at most a list below them that needs no empty line: its first item has words, and the number 1. */
function isShort({ content = [] }: DocumentNode): boolean {
  const [first, list, ...rest] = content
  if (first === undefined || isUnseen(first) || rest.length > 0) return false
  if (list === undefined) return true
  const isList = list.type === 'bulletList' || list.type === 'orderedList'
  const isFirst = list.type !== 'orderedList' || (list.attrs?.start ?? 1) === 1
  return isList && isFirst && (list.content ?? []).every(isShort)
}

/** A piece of a line: white space is apart, as marks cannot end with it. */
type Piece = { kind: 'words' | 'space' | 'break'; text: string; marks: readonly DocumentMark[] }

const PIECES: NodeWriters<'inline', null, Piece[]> = {
  text: ({ text = '', marks = [] }) => {
    const words = text.trim()
    const start = text.length - text.trimStart().length
    const pieces: Piece[] = [
      { kind: 'space', text: text.slice(0, start), marks },
      { kind: 'words', text: words, marks },
      { kind: 'space', text: text.slice(start + words.length), marks },
    ]
    return pieces.filter((piece) => piece.text !== '')
  },
  hardBreak: ({ marks = [] }) => [{ kind: 'break', text: '', marks }],
}

/**
 * `lineBreak` is how a hard break is written between two lines; at the end of a block it is a tag.
 */
function inlineMarkdown(
  nodes: readonly DocumentNode[] = [],
  lineBreak: string,
  isHeading = false,
): string {
  const pieces = nodes
    .flatMap((node) => writeNode(PIECES, node, null))
    .map((piece) => ({ ...piece, marks: piece.marks.filter(isWritable) }))
  const texts = pieces.map((piece, at) => {
    const [before, after] = [pieces[at - 1], pieces[at + 1]]
    if (piece.kind === 'break') return after ? lineBreak : '<br>'
    return writtenText(piece, {
      isHeading,
      startsLine: before === undefined || before.kind === 'break',
    })
  })
  const tokens = tokensOf(pieces)
  chooseSigns(tokens)
  // Marks are written between the pieces, whose order stays.
  let at = 0
  return tokens.map((token) => ('pair' in token ? signOf(token) : texts[at++])).join('')
}

const signOf = ({ pair, opens }: MarkToken): string => {
  const { mark } = pair
  if (mark.type === 'link') return opens ? '[' : `](${escapedAddress(mark.attrs.href)})`
  return pair.isTag ? `<${opens ? '' : '/'}${TAGS[mark.type]}>` : pair.sign
}

/** An ampersand needs escaping only at the start of a named, decimal or hexadecimal character reference. */
const REFERENCE = /&(?=(?:[a-z][a-z\d]{1,31}|#\d{1,7}|#x[\da-f]{1,6});)/i
const ADDRESS_SIGN = new RegExp(`[()]|${REFERENCE.source}`, 'gi')

/** Addresses have neither spaces nor angle brackets. */
const escapedAddress = (href: string): string => href.replace(ADDRESS_SIGN, '\\$&')

/** What opens and closes a mark has the same `pair`. `isTag`: as HTML. */
type Pair = { mark: DocumentMark; sign: string; isTag: boolean }
type MarkToken = { pair: Pair; opens: boolean }
type Token = { piece: Piece } | MarkToken

/** The mark that reaches furthest encloses the others; white space at its ends stays outside. */
function tokensOf(pieces: readonly Piece[]): Token[] {
  const tokens: Token[] = []
  for (let from = 0; from < pieces.length; ) {
    const piece = pieces[from] as Piece
    const [mark, reach] = furthest(pieces, from)
    if (mark === null) {
      tokens.push({ piece })
      from += 1
      continue
    }
    const run = pieces.slice(from, reach).map((each) => without(each, mark))
    const first = run.findIndex(({ kind }) => kind === 'words')
    const end = run.findLastIndex(({ kind }) => kind === 'words') + 1
    const pair: Pair = { mark, sign: SIGNS[mark.type][0] ?? '', isTag: false }
    if (end === 0) tokens.push(...tokensOf(run))
    else {
      tokens.push(...tokensOf(run.slice(0, first)), { pair, opens: true })
      tokens.push(...tokensOf(run.slice(first, end)), { pair, opens: false })
      tokens.push(...tokensOf(run.slice(end)))
    }
    from = reach
  }
  return tokens
}

function furthest(pieces: readonly Piece[], from: number): [DocumentMark | null, number] {
  let [best, furthestEnd]: [DocumentMark | null, number] = [null, from]
  for (const mark of pieces[from]?.marks ?? []) {
    let end = from
    while (pieces[end]?.marks.some((other) => sameMark(other, mark))) end += 1
    if (end > furthestEnd || (end === furthestEnd && mark.type === 'link'))
      [best, furthestEnd] = [mark, end]
  }
  return [best, furthestEnd]
}

const without = (piece: Piece, mark: DocumentMark): Piece => ({
  ...piece,
  marks: piece.marks.filter(({ type }) => type !== mark.type),
})

/** Signs in the order in which they are tried, and the tag for where none is read as one. */
const SIGNS: MarkWriters<readonly string[]> = {
  bold: ['**'],
  italic: ['_', '*'],
  strike: ['~~'],
  link: ['['],
}
const TAGS: MarkWriters<string> = { bold: 'strong', italic: 'em', strike: 's', link: 'a' }

/** A sign that changes may be the neighbour of another one, so all are looked at until none changes. */
function chooseSigns(tokens: readonly Token[]): void {
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    tokens.forEach((token, at) => {
      if ('piece' in token || token.pair.isTag || isRead(tokens, at)) return
      const { pair } = token
      const next = SIGNS[pair.mark.type].indexOf(pair.sign) + 1
      pair.isTag = next >= SIGNS[pair.mark.type].length
      pair.sign = SIGNS[pair.mark.type][next] ?? pair.sign
      isChanged = true
    })
  }
}

/**
 * Whether the sign is read as the beginning or end of a mark (CommonMark 0.31, 6.2). Parsers differ in which letters
 * they take for punctuation, so a letter counts as what would be worse.
 */
function isRead(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  if (token === undefined || 'piece' in token || token.pair.mark.type === 'link') return true
  const [before, after] = [lastOf(tokens, at - 1), firstOf(tokens, at + 1)]
  const [inner, outer] = token.opens ? [after, before] : [before, after]
  const { sign } = token.pair
  if (before === sign[0] || after === sign[0]) return false
  const isOuterApart =
    outer === '' || /^(?:[\t\n\f\r\p{Zs}!-/:-@[-`{-~]|(?![^\0-\uffff])\p{P})$/u.test(outer)
  if (sign === '_' && !isOuterApart) return false
  const isInnerSign = /^(?:[\p{P}\p{S}]|[^\0-\uffff])$/u.test(inner)
  return inner !== '' && !/^\s$/u.test(inner) && (!isInnerSign || isOuterApart)
}

const lastOf = (tokens: readonly Token[], at: number): string =>
  [...signsOf(tokens, at).slice(-2)].at(-1) ?? ''
const firstOf = (tokens: readonly Token[], at: number): string =>
  [...signsOf(tokens, at).slice(0, 2)][0] ?? ''

function signsOf(tokens: readonly Token[], at: number): string {
  const token = tokens[at]
  if (token === undefined) return ''
  if ('piece' in token) return token.piece.kind === 'break' ? ' ' : token.piece.text
  return token.pair.isTag ? '<>' : signOf(token)
}

type Edges = { startsLine: boolean; isHeading: boolean }

/** Parsers cut off the white space at the start of a line, so there it is a reference. */
function writtenText({ kind, text }: Piece, edges: Edges): string {
  const { startsLine, isHeading } = edges
  if (kind === 'words') {
    const escaped = escapedMarkdown(text, isHeading)
    return startsLine ? escaped.replace(LINE_START, startEscaped) : escaped
  }
  const begun = startsLine ? text.replace(/^\s/, reference) : text
  return begun.replace(/[\n\r]/g, reference)
}

const reference = (sign: string): string =>
  sign === '\u00a0' ? '&nbsp;' : `&#${sign.charCodeAt(0)};`

/** Signs of Markdown anywhere in a line. A low line within a word is none, but any hash sign in a heading may be. */
const escapedMarkdown = (text: string, isHeading: boolean): string =>
  text.replace(isHeading ? HEADING_SIGN : SIGN, '\\$&').replace(/[\n\r]/g, reference)

const SIGN = new RegExp(
  `[\\\\\`*[\\]<~]|${REFERENCE.source}|!$|(?<![\\dA-Za-z])_|_(?![\\dA-Za-z])`,
  'gi',
)
const HEADING_SIGN = new RegExp(`${SIGN.source}|#`, 'gi')

/** Signs that make something else of the line that they begin: headings, items, quotations, tables. */
const LINE_START = /^(?:[#+\-=>|:]|\d{1,9}(?=[.)]))/
const startEscaped = (start: string): string => (/\d/.test(start) ? `${start}\\` : `\\${start}`)
