import { DOCUMENT_DEPTH_MAX, type DocumentSize } from '../limits.ts'
import { isAddress } from './link-address.ts'
/**
 * The allow-list for documents: the same nodes, marks, attributes and nesting as in the editor, so that the server
 * never refuses a document of the editor.
 */

export type NodeRule = {
  /** Where the node may occur. */
  role: 'document' | 'block' | 'item' | 'inline'
  /** What the node may contain; null for a leaf. */
  holds: 'block' | 'item' | 'inline' | null
  mayBeEmpty: boolean
  /** Type that the first child must have. */
  startsWith?: string
  attributes: readonly AttributeRule[]
}

export type AttributeRule = {
  name: string
  /** Value of a missing attribute. */
  fallback: unknown
  allows: (value: unknown) => boolean
}

export const LIST_START_MAX = 999_999
export const LIST_TYPES: readonly unknown[] = [null, '1', 'a', 'A', 'i', 'I']

/** A whole number from 0 to LIST_START_MAX. */
export const isListStart = (value: unknown): boolean => isWholeWithin(value, 0, LIST_START_MAX)

const level: AttributeRule = {
  name: 'level',
  fallback: 1,
  allows: (value) => isWholeWithin(value, 1, 6),
}
const start: AttributeRule = { name: 'start', fallback: 1, allows: isListStart }
const listType: AttributeRule = {
  name: 'type',
  fallback: null,
  allows: (value) => LIST_TYPES.includes(value),
}

type Role = NodeRule['role']
type RuleOf<R extends Role> = NodeRule & { role: R }

const leaf = <R extends Role>(role: R): RuleOf<R> => ({
  role,
  holds: null,
  mayBeEmpty: true,
  attributes: [],
})
const textBlock = (...attributes: AttributeRule[]): RuleOf<'block'> => ({
  role: 'block',
  holds: 'inline',
  mayBeEmpty: true,
  attributes,
})
const list = (...attributes: AttributeRule[]): RuleOf<'block'> => ({
  role: 'block',
  holds: 'item',
  mayBeEmpty: false,
  attributes,
})
const blocks = <R extends Role>(role: R): RuleOf<R> => ({
  role,
  holds: 'block',
  mayBeEmpty: false,
  attributes: [],
})

const RULES = {
  doc: blocks('document'),
  paragraph: textBlock(),
  heading: textBlock(level),
  bulletList: list(),
  orderedList: list(start, listType),
  listItem: { ...blocks('item'), startsWith: 'paragraph' },
  blockquote: blocks('block'),
  horizontalRule: leaf('block'),
  hardBreak: leaf('inline'),
  text: leaf('inline'),
}

/** Names of the nodes that may occur in such a place. */
export type NodeName<R extends Role = Role> = {
  [Name in keyof typeof RULES]: (typeof RULES)[Name]['role'] extends R ? Name : never
}[keyof typeof RULES]

/** A Map and not an object, so that a node called `constructor` is not found. */
export const NODE_RULES: ReadonlyMap<unknown, NodeRule> = new Map<unknown, NodeRule>(
  Object.entries(RULES),
)

export const ALLOWED_NODES: readonly string[] = [...NODE_RULES.keys()].map(String)

/** In the order in which the editor writes them on a text. */
export const ALLOWED_MARKS = ['bold', 'italic', 'strike', 'link'] as const
export type MarkType = (typeof ALLOWED_MARKS)[number]

/** Attributes of each mark; a mark without one of them is no mark. */
export const MARK_ATTRIBUTES: Record<MarkType, readonly Omit<AttributeRule, 'fallback'>[]> = {
  bold: [],
  italic: [],
  strike: [],
  link: [{ name: 'href', allows: isAddress }],
}

/**
 * The text without NUL, which a database may refuse, and with U+FFFD for half of a surrogate pair: an unusual paste
 * must not block saving permanently.
 */
export function cleanText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isWholeWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
}

const figure = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',')

/** Reasons for refusing a document; each can be shown in a snackbar. */
export const FAULTS = {
  notDocument: 'The text is not a document.',
  tooDeep: `The text is nested too deep (more than ${DOCUMENT_DEPTH_MAX} levels).`,
  tooManyNodes: ({ nodes }: DocumentSize) =>
    `The text has too many parts (more than ${figure(nodes)}).`,
  tooLong: ({ characters }: DocumentSize) =>
    `The text is too long (more than ${figure(characters)} characters).`,
} as const
