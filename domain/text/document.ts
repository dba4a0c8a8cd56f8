import { ARTICLE_SIZE, DOCUMENT_DEPTH_MAX, type DocumentSize } from '../limits.ts'
import {
  ALLOWED_MARKS,
  cleanText,
  FAULTS,
  isRecord,
  MARK_ATTRIBUTES,
  type MarkType,
  NODE_RULES,
  type NodeRule,
} from './document-schema.ts'

export { ALLOWED_MARKS, ALLOWED_NODES } from './document-schema.ts'
export { sanitizeDocument } from './sanitize-document.ts'

/** A node of a rich-text document as the editor writes it to JSON. */
export type DocumentNode = {
  type: string
  attrs?: Record<string, unknown>
  content?: DocumentNode[]
  marks?: DocumentMark[]
  text?: string
}
export type DocumentMark = { type: PlainMark } | LinkMark
export type PlainMark = Exclude<MarkType, 'link'>
/** `href` is an address as `readAddress` gives it. */
export type LinkMark = { type: 'link'; attrs: { href: string } }
export type ArticleDocument = { type: 'doc'; content: DocumentNode[] }
/** `{}` is the empty document: a new article starts with it (spec section 3). */
export type ArticleText = ArticleDocument | Record<string, never>

export type DocumentReading = { ok: true; document: ArticleText } | { ok: false; fault: string }

/** What the editor shows for `{}`. */
export const EMPTY_DOCUMENT: ArticleDocument = { type: 'doc', content: [{ type: 'paragraph' }] }

export const asDocument = (text: ArticleText): ArticleDocument =>
  isDocument(text) ? text : EMPTY_DOCUMENT

/**
 * Reads unknown input as a document. The result is a new tree in normal form: known keys only, every attribute present,
 * marks in order, adjacent texts of equal marks joined. Depth, nodes and characters are counted on the way, so hostile
 * input is refused before it exhausts the call stack or much time.
 */
export function readDocument(input: unknown, most = ARTICLE_SIZE): DocumentReading {
  if (isRecord(input) && Object.keys(input).length === 0) return { ok: true, document: {} }
  try {
    const { content = [] } = readNode(input, null, { nodes: 0, characters: 0, most })
    return { ok: true, document: { type: 'doc', content } }
  } catch (error) {
    if (error instanceof DocumentFault) return { ok: false, fault: error.message }
    throw error
  }
}

class DocumentFault extends Error {}

function refuse(fault: string): never {
  throw new DocumentFault(fault)
}

type Progress = DocumentSize & { most: DocumentSize }

/** `depth` is the number of nodes around the one that is read, `index` its place among the children of `type`. */
type Parent = { type: string; rule: NodeRule; depth: number; index: number }

function readNode(input: unknown, parent: Parent | null, progress: Progress): DocumentNode {
  progress.nodes += 1
  if (progress.nodes > progress.most.nodes) refuse(FAULTS.tooManyNodes(progress.most))
  if (!isRecord(input)) refuse(FAULTS.notDocument)
  const rule = NODE_RULES.get(input.type)
  if (rule === undefined) refuse(`The text has an unknown part: ${shown(input.type)}.`)
  const node: DocumentNode = { type: String(input.type) }
  checkKeys(input, node.type)
  if (parent !== null) checkPlace(node.type, rule, parent)
  readAttributes(input.attrs, node, rule)
  const children = readChildren(input.content, node.type, rule)
  readMarks(input.marks, node, rule)
  if (node.type === 'text') node.text = readText(input.text, progress)
  if (parent === null && node.type !== 'doc') refuse(FAULTS.notDocument)
  if (children.length > 0) {
    const depth = (parent?.depth ?? 0) + 1
    const content = readContent(children, { type: node.type, rule, depth, index: 0 }, progress)
    if (content.length > 0) node.content = content
  }
  if (!rule.mayBeEmpty && node.content === undefined)
    refuse(`${label(node.type)} must not be empty.`)
  return node
}

function readContent(children: unknown[], parent: Parent, progress: Progress): DocumentNode[] {
  if (parent.depth >= DOCUMENT_DEPTH_MAX) refuse(FAULTS.tooDeep)
  const content: DocumentNode[] = []
  for (const child of children) {
    const node = readNode(child, parent, progress)
    if (node.text !== '') appendTo(content, node)
    parent.index += 1
  }
  return content
}

function readText(text: unknown, progress: Progress): string {
  if (typeof text !== 'string') refuse('A text has no characters.')
  if (text === '') refuse('A text must not be empty.')
  progress.characters += text.length
  if (progress.characters > progress.most.characters) refuse(FAULTS.tooLong(progress.most))
  return cleanText(text)
}

const NODE_KEYS: readonly string[] = ['type', 'attrs', 'content', 'marks']

function checkKeys(input: Record<string, unknown>, type: string): void {
  for (const key of Object.keys(input)) {
    if (NODE_KEYS.includes(key) || (key === 'text' && type === 'text')) continue
    refuse(`${label(type)} has an unknown key: ${shown(key)}.`)
  }
}

function checkPlace(type: string, rule: NodeRule, parent: Parent): void {
  if (rule.role !== parent.rule.holds) {
    refuse(`${label(type)} cannot stand inside ${label(parent.type).toLowerCase()}.`)
  }
  const first = parent.rule.startsWith
  if (first !== undefined && parent.index === 0 && type !== first) {
    refuse(`${label(parent.type)} must start with ${label(first).toLowerCase()}.`)
  }
}

function readAttributes(attrs: unknown, node: DocumentNode, rule: NodeRule): void {
  const given = attrs === undefined ? {} : attrs
  if (!isRecord(given)) refuse(`${label(node.type)} has attributes that are no object.`)
  for (const key of Object.keys(given)) {
    if (rule.attributes.some(({ name }) => name === key)) continue
    refuse(`${label(node.type)} has an unknown attribute: ${shown(key)}.`)
  }
  if (rule.attributes.length === 0) return
  node.attrs = {}
  for (const { name, fallback, allows } of rule.attributes) {
    const value = given[name] === undefined ? fallback : given[name]
    if (!allows(value)) refuse(`${label(node.type)} has a ${name} that is not allowed.`)
    node.attrs[name] = value
  }
}

function readMarks(marks: unknown, node: DocumentNode, rule: NodeRule): void {
  if (marks === undefined) return
  if (!Array.isArray(marks)) refuse(`${label(node.type)} has marks that are no list.`)
  if (marks.length === 0) return
  if (rule.role !== 'inline') refuse(`${label(node.type)} cannot have marks.`)
  if (marks.length > ALLOWED_MARKS.length) refuse('A text has a repeated mark.')
  const read = marks.map(readMark)
  if (new Set(read.map(({ type }) => type)).size < read.length)
    refuse('A text has a repeated mark.')
  node.marks = inOrder(read)
}

function readMark(mark: unknown): DocumentMark {
  if (!isRecord(mark)) refuse('A text has a mark that is no object.')
  const type = ALLOWED_MARKS.find((allowed) => allowed === mark.type)
  if (type === undefined) refuse(`The text has an unknown mark: ${shown(mark.type)}.`)
  const { attrs = {} } = mark
  const rules = MARK_ATTRIBUTES[type]
  const hasKnown =
    Object.keys(mark).every((key) => key === 'type' || key === 'attrs') &&
    isRecord(attrs) &&
    Object.keys(attrs).every((key) => rules.some(({ name }) => name === key))
  if (!hasKnown) refuse(`The mark ${type} has an unknown attribute.`)
  for (const { name, allows } of rules) {
    if (!allows(attrs[name])) refuse(`A ${type} has a ${name} that is not allowed.`)
  }
  return type === 'link' ? { type, attrs: { href: String(attrs.href) } } : { type }
}

function readChildren(content: unknown, type: string, rule: NodeRule): unknown[] {
  if (content === undefined) return []
  if (!Array.isArray(content)) refuse(`${label(type)} has content that is no list.`)
  if (rule.holds === null && content.length > 0) refuse(`${label(type)} cannot hold anything.`)
  return content
}

/**
 * The one form in which equal documents are equal JSON: `{}` is the empty document, every attribute is present, nothing
 * is empty, adjacent texts of equal marks are one. For documents that were read or come from the editor; readDocument
 * returns this form already.
 */
export function normalForm(text: ArticleText): ArticleDocument {
  return { type: 'doc', content: asDocument(text).content.map(normalNode).reduce(joined, []) }
}

function normalNode(node: DocumentNode): DocumentNode {
  const normal: DocumentNode = { type: node.type }
  const attributes = NODE_RULES.get(node.type)?.attributes ?? []
  const defaults = attributes.map(({ name, fallback }) => [name, fallback])
  const attrs = { ...Object.fromEntries(defaults), ...node.attrs }
  if (Object.keys(attrs).length > 0) normal.attrs = attrs
  if (node.content?.length) normal.content = node.content.map(normalNode).reduce(joined, [])
  if (node.marks?.length) normal.marks = inOrder(node.marks)
  if (node.text !== undefined) normal.text = node.text
  return normal
}

/** Whether both are the same text, whatever the form: `{}` equals the document of one empty paragraph. */
export function sameDocument(a: ArticleText, b: ArticleText): boolean {
  return a === b || sameValue(normalForm(a), normalForm(b))
}

function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))]
  return (
    left.size === right.size && [...left].every(([key, value]) => sameValue(value, right.get(key)))
  )
}

function joined(siblings: DocumentNode[], node: DocumentNode): DocumentNode[] {
  appendTo(siblings, node)
  return siblings
}

/** `siblings` and the nodes in it are being built here, so a text in it may still grow. */
function appendTo(siblings: DocumentNode[], node: DocumentNode): void {
  const last = siblings.at(-1)
  if (last?.text !== undefined && node.text !== undefined && sameMarks(last, node))
    last.text += node.text
  else siblings.push(node)
}

function sameMarks(a: DocumentNode, b: DocumentNode): boolean {
  return (
    ALLOWED_MARKS.every((type) => hasMark(a, type) === hasMark(b, type)) &&
    addressOf(a) === addressOf(b)
  )
}

/** Each mark once, in the order of ALLOWED_MARKS. */
const inOrder = (marks: readonly DocumentMark[]): DocumentMark[] =>
  ALLOWED_MARKS.flatMap((type) => {
    const mark = marks.find((one) => one.type === type)
    if (!mark) return []
    return [mark.type === 'link' ? linkTo(mark.attrs.href) : { type: mark.type }]
  })

export const linkTo = (href: string): LinkMark => ({ type: 'link', attrs: { href } })

/** The address that a text links to; null where it is no link. */
export const addressOf = ({ marks }: DocumentNode): string | null =>
  marks?.find((mark) => mark.type === 'link')?.attrs.href ?? null

const hasMark = (node: DocumentNode, type: DocumentMark['type']): boolean =>
  node.marks?.some((mark) => mark.type === type) ?? false

function isDocument(text: ArticleText): text is ArticleDocument {
  return text.type === 'doc' && Array.isArray(text.content)
}

/** 'orderedList' is 'An ordered list'. */
function label(type: string): string {
  if (type === 'doc') return 'The document'
  const words = type.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${/^[aeiou]/.test(words) ? 'An' : 'A'} ${words}`
}

const NAME_SHOWN_MAX = 40

const shown = (name: unknown): string =>
  typeof name === 'string' ? JSON.stringify(name.slice(0, NAME_SHOWN_MAX)) : 'without a name'
