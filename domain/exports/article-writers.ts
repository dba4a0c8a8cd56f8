import type { DocumentMark, DocumentNode } from '../text/document.ts'
import type { NodeName, NodeRule } from '../text/document-schema.ts'
import { isAddress } from '../text/link-address.ts'

/**
 * A format as functions that write one kind of node each. The types name every node and mark that an article may hold,
 * so a format that forgets one does not compile.
 */
export type NodeWriters<Role extends NodeRule['role'], Context, Out> = {
  [Name in NodeName<Role>]: (node: DocumentNode, context: Context) => Out
}

export type MarkName = DocumentMark['type']
export type MarkWriters<Value> = { [Name in MarkName]: Value }

/** Throws for a node that the format does not know, as it would be left out otherwise. */
export function writeNode<Role extends NodeRule['role'], Context, Out>(
  writers: NodeWriters<Role, Context, Out>,
  node: DocumentNode,
  context: Context,
): Out {
  if (!Object.hasOwn(writers, node.type)) throw new Error(`No such part here: ${node.type}`)
  return writers[node.type as NodeName<Role>](node, context)
}

/** Documents that were read have no other addresses; one that was not must not make a link of any. */
export const isWritable = (mark: DocumentMark): boolean =>
  mark.type !== 'link' || isAddress(mark.attrs.href)

const RIGHT_TO_LEFT =
  /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** Whether the first letter in the nodes is of a script that is written from right to left. */
export const isRightToLeft = (nodes: readonly DocumentNode[] = []): boolean =>
  RIGHT_TO_LEFT.test(textIn(nodes))

const textIn = (nodes: readonly DocumentNode[]): string =>
  nodes.map(({ text = '', content = [] }) => text + textIn(content)).join(' ')

/** A mark around what it is on, or a node without any. */
export type Span = { mark: DocumentMark; spans: Span[] } | { node: DocumentNode }

/** Marks as they enclose each other, in the order in which the document has them. */
export function nestMarks(nodes: readonly DocumentNode[], depth = 0): Span[] {
  const spans: Span[] = []
  for (let from = 0; from < nodes.length; ) {
    const node = nodes[from] as DocumentNode
    const mark = node.marks?.[depth]
    let to = from + 1
    if (mark === undefined) spans.push({ node })
    else {
      while (sameMark(nodes[to]?.marks?.[depth], mark)) to += 1
      spans.push({ mark, spans: nestMarks(nodes.slice(from, to), depth + 1) })
    }
    from = to
  }
  return spans
}

/** Two links are the same mark only with the same address. */
export const sameMark = (a: DocumentMark | undefined, b: DocumentMark): boolean =>
  a?.type === b.type && hrefOf(a) === hrefOf(b)

const hrefOf = (mark: DocumentMark): string | null =>
  mark.type === 'link' ? mark.attrs.href : null
