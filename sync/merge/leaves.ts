import { isTextBlock } from '../../domain/text/article-text.ts'
import {
  type ArticleDocument,
  addressOf,
  type DocumentMark,
  type DocumentNode,
  linkTo,
  type PlainMark,
} from '../../domain/text/document.ts'
import { NODE_RULES } from '../../domain/text/document-schema.ts'
import { type Addresses, NO_LINK } from './addresses.ts'

/**
 * A document as the row of its lowest blocks (paragraphs, headings, rules), each with the containers around it. So
 * wrapping in a list, taking out of a quote or changing a heading is a change of one block's place or shape, which
 * merges with what was typed in it.
 */
export type Leaf = {
  type: string
  attrs: Readonly<Record<string, unknown>>
  path: Container[]
  /** BREAK represents a hard break. */
  text: string
  /** One digit a character, see `marksOf`; '' when no character has a mark. */
  marks: string
  /** The sign of each character's address, see addresses.ts. */
  links: string
  /** Null when the block has to be built. */
  node: DocumentNode | null
  /** Equal keys: equal type and attributes; equal containers; equal text with equal marks and addresses. */
  shape: string
  place: string
  content: string
}

export type Container = {
  node: DocumentNode
  /** This is its first block. */
  opens: boolean
  /** Begins here although the one before could go on: an item, or a list right after its like. */
  isNew: boolean
}

/** A text that was read has no NUL. */
export const BREAK = '\0'

export const RULE = 'horizontalRule'
export const ITEM = 'listItem'

export function leavesOf(document: ArticleDocument, addresses: Addresses): Leaf[] {
  const leaves: Leaf[] = []
  addLeaves(document.content, [], { leaves, addresses })
  return leaves
}

type Found = { leaves: Leaf[]; addresses: Addresses }

function addLeaves(siblings: DocumentNode[], above: Container[], found: Found): void {
  let path = above
  const continued = above.map(({ node }) => ({ node, opens: false, isNew: false }))
  for (const [index, node] of siblings.entries()) {
    if (isTextBlock(node) || node.type === RULE)
      found.leaves.push(leafOf(node, path, found.addresses))
    else {
      const isNew = node.type === ITEM || siblings[index - 1]?.type === node.type
      addLeaves(node.content ?? [], [...path, { node, opens: true, isNew }], found)
    }
    path = continued
  }
}

function leafOf(node: DocumentNode, path: Container[], addresses: Addresses): Leaf {
  const { text, marks, links } = inlineOf(node, addresses)
  const attrs = attributesOf(node)
  return {
    type: node.type,
    attrs,
    path,
    text,
    marks,
    links,
    node,
    shape: attrs === NO_ATTRIBUTES ? node.type : `${node.type}${JSON.stringify(attrs)}`,
    place: placeOf(path),
    // A sign of an address can be any character, so `@` separates keys with addresses from those without.
    content: links === '' ? `${marks}/${text}` : `${marks}@${links}/${text}`,
  }
}

/** Attributes count only where a container begins: they are its own and not those of each block in it. */
const placeOf = (path: Container[]): string =>
  path
    .map(({ node, opens, isNew }) => {
      const attrs = opens ? Object.values(attributesOf(node)) : []
      return `${node.type}${isNew ? '*' : ''}${attrs.length > 0 ? JSON.stringify(attrs) : ''}`
    })
    .join('/')

/** Shared by all blocks without attributes. */
const NO_ATTRIBUTES: Readonly<Record<string, unknown>> = {}

export function attributesOf(node: DocumentNode): Readonly<Record<string, unknown>> {
  const rules = NODE_RULES.get(node.type)?.attributes ?? []
  if (rules.length === 0) return NO_ATTRIBUTES
  return Object.fromEntries(
    rules.map(({ name, fallback }) => [name, node.attrs?.[name] ?? fallback]),
  )
}

function inlineOf({ content = [] }: DocumentNode, addresses: Addresses): Inline {
  const isMarked = content.some((child) => marksOf(child) > 0)
  const isLinked = content.some((child) => addressOf(child) !== null)
  let [text, marks, links] = ['', '', '']
  for (const child of content) {
    const run = child.type === 'hardBreak' ? BREAK : withoutBreaks(child.text ?? '')
    text += run
    if (isMarked) marks += String(marksOf(child)).repeat(run.length)
    const href = isLinked ? addressOf(child) : null
    if (isLinked) links += (href === null ? NO_LINK : addresses.signOf(href)).repeat(run.length)
  }
  return { text, marks, links }
}

type Inline = Pick<Leaf, 'text' | 'marks' | 'links'>

/** Checks first, because `replaceAll` copies the text even if it contains no break. */
const withoutBreaks = (text: string): string =>
  text.includes(BREAK) ? text.replaceAll(BREAK, '') : text

const PLAIN_MARKS: readonly PlainMark[] = ['bold', 'italic', 'strike']

/** One bit for each mark but links, in their order. */
const marksOf = (node: DocumentNode): number =>
  PLAIN_MARKS.reduce((bits, type, bit) => {
    return node.marks?.some((mark) => mark.type === type) ? bits | (1 << bit) : bits
  }, 0)

/** The text of a leaf back as nodes. */
export function inlineNodes({ text, marks, links }: Inline, addresses: Addresses): DocumentNode[] {
  if (marks === '' && links === '' && !text.includes(BREAK)) return [{ type: 'text', text }]
  const nodes: DocumentNode[] = []
  let from = 0
  for (let to = 1; to <= text.length; to += 1) {
    const isBreak = text[from] === BREAK || text[to] === BREAK
    const isAlike = marks[to] === marks[from] && links[to] === links[from]
    if (to < text.length && !isBreak && isAlike) continue
    const href = addresses.hrefOf(links[from] ?? NO_LINK)
    nodes.push(inlineNode(text.slice(from, to), Number(marks[from] ?? 0), href))
    from = to
  }
  return nodes
}

function inlineNode(run: string, bits: number, href: string | null): DocumentNode {
  const node: DocumentNode = run === BREAK ? { type: 'hardBreak' } : { type: 'text', text: run }
  const types = PLAIN_MARKS.filter((_, bit) => bits & (1 << bit))
  const marks: DocumentMark[] = types.map((type) => ({ type }))
  if (href !== null) marks.push(linkTo(href))
  if (marks.length > 0) node.marks = marks
  return node
}

const words = new WeakMap<Leaf, string[]>()

/** The words between white space; cached with the block, because they are read often. */
export function wordsOf(leaf: Leaf): string[] {
  const known = words.get(leaf)
  if (known) return known
  const found = leaf.text.split(/[\s\0]+/u).filter(Boolean)
  words.set(leaf, found)
  return found
}

/** So few words may be in two places by chance. */
export const FEW = 2

/** Whether `now` is clearly an edited form of `old`: one is what the other begins or ends with, or half of it is the same. */
export function isNewForm({ text: old }: Leaf, { text: now }: Leaf): boolean {
  const [shorter, longer] = [old.length, now.length].sort((a, b) => a - b) as [number, number]
  const same = sameEnds(old, now)
  return shorter > 0 ? same === shorter || same * 2 >= longer : longer === 0
}

/** Characters that two texts have in common at their beginning and end. */
function sameEnds(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  let head = 0
  while (head < shorter && a[head] === b[head]) head += 1
  let tail = 0
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1
  return head + tail
}
