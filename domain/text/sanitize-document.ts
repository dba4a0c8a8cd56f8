import { DOCUMENT_DEPTH_MAX } from '../limits.ts'
import type { ArticleDocument, DocumentMark, DocumentNode } from './document.ts'
import {
  ALLOWED_MARKS,
  cleanText,
  isRecord,
  MARK_ATTRIBUTES,
  NODE_RULES,
  type NodeRule,
} from './document-schema.ts'

export type SanitizedDocument = {
  /** Valid for the editor, with at least one block. */
  document: ArticleDocument
  /**
   * The input parts that the document could not contain, unchanged, outermost parts only. Empty for a valid document.
   */
  aside: unknown[]
}

/**
 * Makes a document that the editor can open from any input (Q47). `{}`, null and '' open as empty. Unknown parts are
 * returned in `aside` and the text inside them stays in the document, as paragraphs. A known part with an unknown
 * attribute or mark loses only that; its original is in `aside`. Nothing is truncated: the limits of nodes and
 * characters do not apply.
 */
export function sanitizeDocument(input: unknown): SanitizedDocument {
  const aside: unknown[] = []
  const content = isDocumentNode(input) ? blocksIn(input.content, 2, aside) : paragraphsOf(input)
  if (!isDocumentNode(input) && !isNothing(input)) aside.push(input)
  if (content.length === 0) content.push({ type: 'paragraph' })
  return { document: { type: 'doc', content }, aside }
}

const isDocumentNode = (input: unknown): input is Record<string, unknown> =>
  isRecord(input) && input.type === 'doc'

const isNothing = (input: unknown): boolean =>
  input === null ||
  input === undefined ||
  input === '' ||
  (isRecord(input) && Object.keys(input).length === 0)

/** The children as blocks; `depth` is their level, the document's being 1. */
function blocksIn(children: unknown, depth: number, aside: unknown[]): DocumentNode[] {
  const blocks: DocumentNode[] = []
  let loose: DocumentNode[] | null = null
  for (const child of listOf(children)) {
    if (ruleOf(child)?.role !== 'inline') {
      blocks.push(...blocksOf(child, depth, aside))
      loose = null
      continue
    }
    const inline = inlinesIn([child], aside)
    if (loose !== null) loose.push(...inline)
    else if (inline.length > 0) {
      loose = inline
      blocks.push({ type: 'paragraph', content: loose })
    }
  }
  return blocks
}

/** A known block gives one block, an empty list or quote none, anything else its paragraphs. */
function blocksOf(input: unknown, depth: number, aside: unknown[]): DocumentNode[] {
  const rule = ruleOf(input)
  if (rule?.role === 'item' || rule?.role === 'document')
    return blocksIn(contentOf(input), depth, aside)
  if (rule === undefined || !isRecord(input) || isTooDeep(rule, depth)) {
    aside.push(input)
    return paragraphsOf(input)
  }
  const node = shellOf(input, rule, aside)
  const content = childrenOf(input, rule, depth, aside)
  if (content.length > 0) node.content = content
  return rule.mayBeEmpty || content.length > 0 ? [node] : []
}

/** A list needs room below it for an item, a paragraph and a text. */
const isTooDeep = (rule: NodeRule, depth: number): boolean =>
  (rule.holds === 'item' || rule.holds === 'block') && depth + 3 > DOCUMENT_DEPTH_MAX

function childrenOf(
  input: unknown,
  rule: NodeRule,
  depth: number,
  aside: unknown[],
): DocumentNode[] {
  if (rule.holds === 'inline') return inlinesIn(contentOf(input), aside)
  if (rule.holds === 'block') return blocksIn(contentOf(input), depth + 1, aside)
  if (rule.holds === 'item') return itemsIn(contentOf(input), depth + 1, aside)
  return []
}

/** Children of a list that are not items become items; every item starts with a paragraph. */
function itemsIn(children: unknown, depth: number, aside: unknown[]): DocumentNode[] {
  return listOf(children).flatMap((child) => {
    const isItem = ruleOf(child)?.role === 'item'
    const blocks = blocksIn(isItem ? contentOf(child) : [child], depth + 1, aside)
    if (blocks.length === 0 && !isItem) return []
    if (blocks[0]?.type !== 'paragraph') blocks.unshift({ type: 'paragraph' })
    return [{ type: 'listItem', content: blocks }]
  })
}

function inlinesIn(children: unknown, aside: unknown[]): DocumentNode[] {
  return listOf(children).flatMap((child) => {
    const rule = ruleOf(child)
    if (isRecord(child) && rule?.role === 'inline' && (child.type !== 'text' || hasText(child))) {
      const node = shellOf(child, rule, aside)
      return node.text === '' ? [] : [node]
    }
    aside.push(child)
    const text = linesIn(child).join(' ')
    return text === '' ? [] : [{ type: 'text', text }]
  })
}

const hasText = (node: Record<string, unknown>): boolean => typeof node.text === 'string'

/** The node without its content; a copy of anything unknown on it goes to `aside`. */
function shellOf(input: Record<string, unknown>, rule: NodeRule, aside: unknown[]): DocumentNode {
  const node: DocumentNode = { type: String(input.type) }
  const attrs = isRecord(input.attrs) ? input.attrs : {}
  for (const { name, fallback, allows } of rule.attributes) {
    node.attrs = { ...node.attrs, [name]: allows(attrs[name]) ? attrs[name] : fallback }
  }
  const marks = rule.role === 'inline' ? knownMarks(input.marks) : []
  if (marks.length > 0) node.marks = marks
  if (typeof input.text === 'string' && node.type === 'text') node.text = cleanText(input.text)
  const { content, ...shell } = input
  const seen = rule.holds !== null && Array.isArray(content) ? shell : input
  if (!Object.entries(seen).every(([key, value]) => keeps(node, key, value))) aside.push(seen)
  return node
}

/** Whether the node keeps everything that `value` has under `key`. */
function keeps(node: DocumentNode, key: string, value: unknown): boolean {
  if (key === 'type' || value === undefined || value === null) return true
  if (key === 'text') return node.text !== undefined
  if (key === 'marks') return listOf(value).length === (node.marks?.length ?? 0)
  if (key === 'content') return Array.isArray(value) && value.length === 0
  if (key !== 'attrs' || !isRecord(value)) return false
  return Object.entries(value).every(([name, attribute]) => node.attrs?.[name] === attribute)
}

/** A link whose address is not allowed is none; its words stay. */
function knownMarks(marks: unknown): DocumentMark[] {
  const given = listOf(marks).filter(isRecord)
  return ALLOWED_MARKS.flatMap((type): DocumentMark[] => {
    const mark = given.find((one) => one.type === type)
    if (!mark) return []
    const attrs = isRecord(mark.attrs) ? mark.attrs : {}
    if (!MARK_ATTRIBUTES[type].every(({ name, allows }) => allows(attrs[name]))) return []
    return [type === 'link' ? { type, attrs: { href: String(attrs.href) } } : { type }]
  })
}

const ruleOf = (input: unknown): NodeRule | undefined =>
  isRecord(input) ? NODE_RULES.get(input.type) : undefined

const contentOf = (input: unknown): unknown => (isRecord(input) ? input.content : undefined)

const listOf = (input: unknown): readonly unknown[] => (Array.isArray(input) ? input : [])

const paragraphsOf = (input: unknown): DocumentNode[] =>
  linesIn(input).map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] }))

const LINE_END = Symbol('line end')

/** The text in an unknown value, one line per node that has content. Unbounded depth, so no recursion. */
function linesIn(input: unknown): string[] {
  const lines: string[] = []
  let line = ''
  const waiting: unknown[] = [LINE_END, input]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (next === LINE_END) {
      lines.push(cleanText(line))
      line = ''
    } else if (isRecord(next)) {
      if (typeof next.text === 'string') line += next.text
      if (next.type === 'hardBreak') waiting.push(LINE_END)
      if (Array.isArray(next.content)) waiting.push(LINE_END, next.content, LINE_END)
    } else if (Array.isArray(next)) {
      for (let index = next.length - 1; index >= 0; index -= 1) waiting.push(next[index])
    }
  }
  return lines.filter((found) => found !== '')
}
