import {
  type ArticleDocument,
  type DocumentMark,
  type DocumentNode,
  linkTo,
  type PlainMark,
} from '../../domain/text/document.ts'

/**
 * A word, or a hard break when the name is ''. `href`: the address that it links to, null for none. `go`: words of one
 * author and one number were typed in one go.
 */
export type Word = {
  id: string
  name: string
  marks: PlainMark[]
  href: string | null
  go: number
}
export type Block = {
  type: 'paragraph' | 'heading' | 'horizontalRule'
  level: number
  words: Word[]
}
export type Box = {
  type: 'doc' | 'bulletList' | 'orderedList' | 'listItem' | 'blockquote'
  children: Part[]
}
export type Part = Block | Box

export const isBox = (part: Part): part is Box => 'children' in part
export const isList = (part: Part | undefined): part is Box & { type: ListType } =>
  part?.type === 'bulletList' || part?.type === 'orderedList'
type ListType = 'bulletList' | 'orderedList'
export const isText = (part: Part | undefined): part is Block =>
  part?.type === 'paragraph' || part?.type === 'heading'

export function copyOf<P extends Part>(part: P): P {
  if (isBox(part)) return { ...part, children: part.children.map(copyOf) }
  return { ...part, words: part.words.map((word) => ({ ...word })) }
}

/** The words of each block. */
export const wordsIn = (part: Part): Word[][] =>
  isBox(part) ? part.children.flatMap(wordsIn) : [part.words.filter(({ name }) => name !== '')]

/** The position of a part. */
export type Place = { parent: Box; index: number }

export function placesOf(box: Box): (Place & { part: Part })[] {
  return box.children.flatMap((part, index) => [
    { parent: box, index, part },
    ...(isBox(part) ? placesOf(part) : []),
  ])
}

export const inner = (part: Part): Part[] =>
  isBox(part) && part.type === 'listItem' ? part.children : [part]

/** Removes what the editor never leaves: empty boxes, items without a first paragraph, an empty text. */
export function tidy(box: Box): void {
  if (isList(box)) {
    box.children = box.children.map((child) =>
      child.type === 'listItem' ? child : { type: 'listItem', children: [child] },
    )
  } else box.children = box.children.flatMap(inner)
  for (const child of box.children) if (isBox(child)) tidy(child)
  box.children = box.children.filter((child) => !isBox(child) || child.children.length > 0)
  const [first] = box.children
  if (box.type === 'listItem' && first?.type === 'heading') first.type = 'paragraph'
  if (box.type === 'listItem' && first !== undefined && first.type !== 'paragraph') {
    box.children.unshift({ type: 'paragraph', level: 1, words: [] })
  }
  if (box.type === 'doc' && box.children.length === 0) {
    box.children.push({ type: 'paragraph', level: 1, words: [] })
  }
}

export function documentOf(root: Box): ArticleDocument {
  return { type: 'doc', content: root.children.map(nodeOf) }
}

function nodeOf(part: Part): DocumentNode {
  if (isBox(part)) {
    const attrs = part.type === 'orderedList' ? { attrs: { start: 1, type: null } } : {}
    return { type: part.type, ...attrs, content: part.children.map(nodeOf) }
  }
  const { type, level, words } = part
  const node: DocumentNode = type === 'heading' ? { type, attrs: { level } } : { type }
  return words.length === 0 ? node : { ...node, content: inlineOf(words) }
}

const MARKS = ['bold', 'italic', 'strike'] as const

/** Neighbours of equal marks are one text; the space after a word is marked as it is. */
function inlineOf(words: Word[]): DocumentNode[] {
  const nodes: DocumentNode[] = []
  let before: string | null = null
  for (const [index, { name, marks, href }] of words.entries()) {
    const types: DocumentMark[] = MARKS.filter((type) => marks.includes(type)).map((type) => ({
      type,
    }))
    if (href !== null) types.push(linkTo(href))
    const form = JSON.stringify(types)
    const isLast = (words[index + 1]?.name ?? '') === ''
    const last = nodes.at(-1)
    const text = isLast ? name : `${name} `
    if (name === '') nodes.push({ type: 'hardBreak' })
    else if (last && before === form) last.text += text
    else if (types.length === 0) nodes.push({ type: 'text', text })
    else nodes.push({ type: 'text', text, marks: types })
    before = name === '' ? null : form
  }
  return nodes
}
