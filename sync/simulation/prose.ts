import {
  type ArticleDocument,
  type ArticleText,
  addressOf,
  type DocumentNode,
  linkTo,
} from '../../domain/text/document.ts'

export type BlockKind = 'paragraph' | 'heading' | 'item'
/** A line of a text: neighbouring items make a list. */
export type Block = { kind: BlockKind; text: string }

const NOTHING: Block = { kind: 'paragraph', text: '' }

/** The blocks that hold words, in order; the empty document has one empty paragraph. */
export function blocksOf(text: ArticleText): Block[] {
  const blocks = 'content' in text ? text.content.flatMap((node) => blocksIn(node, false)) : []
  return blocks.length === 0 ? [NOTHING] : blocks
}

/** The text of each block. */
export const paragraphsOf = (text: ArticleText): string[] => blocksOf(text).map((one) => one.text)

/** The same without what marks a word as a link. */
export const plainParagraphsOf = (text: ArticleText): string[] => paragraphsOf(text).map(plainOf)

export const plainOf = (text: string): string =>
  text.replace(/\S+/g, (word) => LINKED.exec(word)?.[1] ?? word)

/** Words and structure: what two copies of a text must agree about. */
export const shapeOf = (text: ArticleText): string =>
  blocksOf(text)
    .map(({ kind, text }) => `${kind} ${text}`)
    .join('\n')

/** The words, and behind each that is a link the name of its address. */
export const wordsOf = (text: ArticleText): string[] => paragraphsOf(text).flatMap(wordsIn)

export const wordsIn = (paragraph: string): string[] =>
  paragraph
    .split(/\s+/)
    .filter(Boolean)
    .flatMap((word) => LINKED.exec(word)?.slice(1) ?? [word])

/** How a block has a word that is a link to `https://<name>.example/`. */
export const linkedWord = (word: string, name: string): string => `[${word}](${name})`
const LINKED = /^\[(.+)\]\((\w+)\)$/
const hrefOf = (name: string): string => `https://${name}.example/`
const nameOf = (href: string): string => /^https:\/\/(\w+)/.exec(href)?.[1] ?? ''

export const proseOf = (paragraphs: readonly string[]): ArticleDocument =>
  documentOf(paragraphs.map((text) => ({ kind: 'paragraph', text })))

export function documentOf(blocks: readonly Block[]): ArticleDocument {
  const content: DocumentNode[] = []
  for (const block of blocks) {
    const last = content.at(-1)
    if (block.kind !== 'item') content.push(nodeOf(block))
    else if (last?.type === 'bulletList') last.content?.push(nodeOf(block))
    else content.push({ type: 'bulletList', content: [nodeOf(block)] })
  }
  return { type: 'doc', content }
}

function nodeOf({ kind, text }: Block): DocumentNode {
  const content = text === '' ? {} : { content: inlineOf(text) }
  if (kind === 'heading') return { type: 'heading', attrs: { level: 2 }, ...content }
  const paragraph: DocumentNode = { type: 'paragraph', ...content }
  return kind === 'item' ? { type: 'listItem', content: [paragraph] } : paragraph
}

/** Between two words of one link the space is part of it. */
function inlineOf(text: string): DocumentNode[] {
  const nodes: DocumentNode[] = []
  let before: string | null = null
  for (const [at, word] of text.split(' ').entries()) {
    const [, inside = word, name = null] = LINKED.exec(word) ?? []
    const isGoingOn = name !== null && name === before
    if (at > 0) append(nodes, ' ', isGoingOn ? name : null)
    append(nodes, inside, name)
    before = name
  }
  return nodes
}

function append(nodes: DocumentNode[], text: string, name: string | null): void {
  const last = nodes.at(-1)
  if (text === '') return
  if (last && addressOf(last) === (name && hrefOf(name))) last.text += text
  else nodes.push({ type: 'text', text, ...(name !== null && { marks: [linkTo(hrefOf(name))] }) })
}

function blocksIn(node: DocumentNode, isItem: boolean): Block[] {
  const children = node.content ?? []
  if (node.type === 'heading') return [{ kind: 'heading', text: textOf(node) }]
  if (node.type === 'paragraph')
    return [{ kind: isItem ? 'item' : 'paragraph', text: textOf(node) }]
  return children.flatMap((child) => blocksIn(child, isItem || node.type === 'listItem'))
}

function textOf(node: DocumentNode): string {
  const { text, content = [] } = node
  if (text === undefined) return content.map(textOf).join('')
  const href = addressOf(node)
  return href === null ? text : text.replace(/\S+/g, (word) => linkedWord(word, nameOf(href)))
}
