import { type ArticleText, addressOf, asDocument, type DocumentNode } from '../text/document.ts'
import type { NodeName } from '../text/document-schema.ts'
import type { NodeWriters } from './article-writers.ts'

/**
 * The text as other programs take it from the clipboard or a file. An empty line is between two blocks; an item of a
 * list is one line with its bullet or number, indented below the item it belongs to; a hard break is a new line. The
 * address of a link follows its words in brackets, unless they are the address.
 */
export const copiedText = (text: ArticleText): string =>
  linesOfBlocks(asDocument(text).content).join('\n')

/** Empty paragraphs give no line: the empty lines around them are enough. */
const linesOfBlocks = (blocks: readonly DocumentNode[]): string[] =>
  blocks
    .map(linesOf)
    .filter((lines) => lines.some((line) => line !== ''))
    .flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))

const linesOf = (block: DocumentNode): string[] =>
  LINES[block.type as NodeName<'block' | 'item'>](block, null)

const LINES: NodeWriters<'block' | 'item', null, string[]> = {
  paragraph: linesOfText,
  heading: linesOfText,
  bulletList: linesOfItems,
  orderedList: linesOfItems,
  // A selection may be one item without its list.
  listItem: ({ content = [] }) => linesOfBlocks(content),
  horizontalRule: () => ['---'],
  blockquote: ({ content = [] }) => linesOfBlocks(content),
}

function linesOfItems(list: DocumentNode): string[] {
  return (list.content ?? []).flatMap((item, index) => linesOfItem(item, markerOf(list, index)))
}

function linesOfText({ content = [] }: DocumentNode): string[] {
  let [text, link] = ['', '']
  content.forEach((node, at) => {
    const words = WORDS[node.type as NodeName<'inline'>](node, null)
    text += words
    const href = addressOf(node)
    if (href === null) return
    link += words
    const next = content[at + 1]
    if (next && addressOf(next) === href) return
    const address = href.replace(/^mailto:/, '')
    if (!isSaid(address, link)) text += ` (${address})`
    link = ''
  })
  return text.split('\n')
}

const WORDS: NodeWriters<'inline', null, string> = {
  text: ({ text = '' }) => text,
  hardBreak: () => '\n',
}

/** Whether the words of a link are its address, as people write it. */
const isSaid = (address: string, words: string): boolean =>
  address === words.trim() ||
  address.replace(/^https?:\/\//, '').replace(/\/$/, '') === words.trim().replace(/\/$/, '')

/** An item that was copied without its beginning has no marker. */
function linesOfItem({ content = [] }: DocumentNode, marker: string): string[] {
  const indent = ' '.repeat(marker.length + 1)
  const isWhole = content[0]?.type === 'paragraph'
  return content
    .flatMap(linesOf)
    .map((line, index) => (isWhole && index === 0 ? `${marker} ${line}` : `${indent}${line}`))
    .map((line) => (line.trim() === marker || line.trim() === '' ? line.trimEnd() : line))
}

function markerOf({ type, attrs }: DocumentNode, index: number): string {
  return type === 'bulletList' ? '•' : `${numeral(Number(attrs?.start ?? 1) + index, attrs?.type)}.`
}

/** A number as the list shows it; letters and Roman numerals end where browsers end them. */
function numeral(number: number, type: unknown): string {
  if (type === 'a' || type === 'A') return inCaseOf(type, letters(number))
  if (type === 'i' || type === 'I') return inCaseOf(type, roman(number))
  return String(number)
}

const inCaseOf = (type: string, numeral: string): string =>
  type === type.toUpperCase() ? numeral.toUpperCase() : numeral

function letters(number: number): string {
  if (number < 1) return String(number)
  const [before, last] = [Math.floor((number - 1) / 26), (number - 1) % 26]
  return (before > 0 ? letters(before) : '') + String.fromCharCode(97 + last)
}

const ROMAN = [
  ['m', 1000],
  ['cm', 900],
  ['d', 500],
  ['cd', 400],
  ['c', 100],
  ['xc', 90],
  ['l', 50],
  ['xl', 40],
  ['x', 10],
  ['ix', 9],
  ['v', 5],
  ['iv', 4],
  ['i', 1],
] as const

function roman(number: number): string {
  if (number < 1 || number > 3_999) return String(number)
  const [sign, value] = ROMAN.find(([, least]) => least <= number) ?? ['i', 1]
  return sign + (number > value ? roman(number - value) : '')
}
