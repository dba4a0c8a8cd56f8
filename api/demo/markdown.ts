import {
  type ArticleText,
  type DocumentNode,
  linkTo,
  type PlainMark,
} from '../../domain/text/document.ts'
import { readAddress } from '../../domain/text/link-address.ts'

/**
 * The small part of Markdown that the demo articles are written in. Blocks are separated by blank lines:
 *
 *   # to ######   heading                 - item     bullet list
 *   > text        quote, may hold blocks  1. item    ordered list
 *   ---           horizontal rule         anything else is a paragraph
 *
 * In a text: **bold**, *italic*, ~~strike~~, [words](address), and a backslash at the end of a line for a hard break.
 */

/**
 * Nothing but white space is `{}`. Throws at a mark that is opened and not closed, and at an
 * address that cannot be a link's.
 */
export function readMarkdown(source: string): ArticleText {
  const content = readBlocks(source)
  return content.length === 0 ? {} : { type: 'doc', content }
}

const readBlocks = (source: string): DocumentNode[] =>
  source
    .split(/\n(?:[ \t]*\n)+/)
    .map((block) => block.replace(/^\n+|\s+$/g, ''))
    .filter((block) => block !== '')
    .map(readBlock)

const HEADING = /^(#{1,6}) +(.+)$/
const BULLET = /^- +/
const NUMBER = /^\d+\. +/
const QUOTE = /^> ?/

function readBlock(block: string): DocumentNode {
  const [, signs, title] = HEADING.exec(block) ?? []
  if (signs && title) return textBlock({ type: 'heading', attrs: { level: signs.length } }, title)
  if (block === '---') return { type: 'horizontalRule' }
  if (QUOTE.test(block)) return { type: 'blockquote', content: readBlocks(unquoted(block)) }
  if (BULLET.test(block)) return { type: 'bulletList', content: readItems(block, BULLET) }
  if (NUMBER.test(block)) {
    return {
      type: 'orderedList',
      attrs: { start: Number.parseInt(block, 10) },
      content: readItems(block, NUMBER),
    }
  }
  return textBlock({ type: 'paragraph' }, block)
}

const unquoted = (block: string): string =>
  block
    .split('\n')
    .map((line) => line.replace(QUOTE, ''))
    .join('\n')

/** A line without a sign of its own continues the item above it. */
function readItems(block: string, sign: RegExp): DocumentNode[] {
  const items: string[] = []
  for (const line of block.split('\n')) {
    if (sign.test(line)) items.push(line.replace(sign, ''))
    else items.push(`${items.pop()}\n${line.trim()}`)
  }
  return items.map((item) => ({
    type: 'listItem',
    content: [textBlock({ type: 'paragraph' }, item)],
  }))
}

function textBlock(block: DocumentNode, source: string): DocumentNode {
  return { ...block, content: readInline(source) }
}

const MARKS: ReadonlyMap<string, PlainMark[]> = new Map([
  ['***', ['bold', 'italic']],
  ['**', ['bold']],
  ['*', ['italic']],
  ['~~', ['strike']],
])
const TOKEN = /( *\\\n|\*{1,3}|~~|\[[^\]]+\]\([^)\s]+\))/
const LINK = /^\[(.+)\]\((.+)\)$/s

function readInline(source: string): DocumentNode[] {
  const open = new Set<PlainMark>()
  const nodes: DocumentNode[] = []
  for (const token of source.split(TOKEN)) {
    const toggled = MARKS.get(token)
    if (toggled) for (const mark of toggled) toggle(open, mark)
    else if (token.endsWith('\\\n')) nodes.push({ type: 'hardBreak' })
    else if (LINK.test(token)) nodes.push(linkNode(token, open))
    else if (token !== '') nodes.push(textNode(token.replaceAll('\n', ' '), open))
  }
  if (open.size > 0) throw new Error(`A mark is opened and not closed: ${source}`)
  return nodes
}

function toggle(open: Set<PlainMark>, mark: PlainMark): void {
  if (!open.delete(mark)) open.add(mark)
}

function linkNode(token: string, open: ReadonlySet<PlainMark>): DocumentNode {
  const [, words = '', address = ''] = LINK.exec(token) ?? []
  const href = readAddress(address)
  if (href === null) throw new Error(`This cannot be the address of a link: ${address}`)
  const { marks = [], ...node } = textNode(words.replaceAll('\n', ' '), open)
  return { ...node, marks: [...marks, linkTo(href)] }
}

function textNode(text: string, open: ReadonlySet<PlainMark>): DocumentNode {
  const marks = [...open].map((type) => ({ type }))
  return marks.length === 0 ? { type: 'text', text } : { type: 'text', text, marks }
}
