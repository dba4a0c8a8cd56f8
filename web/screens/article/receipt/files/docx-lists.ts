import type { DocumentNode } from '../../../../../domain/text/document.ts'
import { childOf, type Element, valOf } from './xml.ts'

/** The place of a paragraph in its list. `number` is null for a bullet, `level` from 0. */
export type Item = { listId: string; level: number; number: number | null; type: string | null }

/** `list` is null for a paragraph that is no item; `continues` is the depth of the list, from 1, whose item it continues. */
export type ListLine = {
  list: Item | null
  block: DocumentNode
  isQuote?: boolean
  continues?: number | null
}

const TYPES: Record<string, string | null | undefined> = {
  lowerLetter: 'a',
  upperLetter: 'A',
  lowerRoman: 'i',
  upperRoman: 'I',
}

/** Counts the items of every list in the order in which they are asked for; null where a paragraph is in none. */
export function readNumbering(root: Element | undefined): (numbering: Element) => Item | null {
  const idOf = (element: Element, name: string) => element.attributes.get(name) ?? ''
  const all = (name: string) => root?.children.filter((child) => child.name === name) ?? []
  const kinds = new Map(all('w:abstractNum').map((kind) => [idOf(kind, 'w:abstractNumId'), kind]))
  const lists = new Map(all('w:num').map((list) => [idOf(list, 'w:numId'), list]))
  const counters = new Map<string, number[]>()

  return (numbering) => {
    const listId = valOf(numbering, 'w:numId') ?? '0'
    const level = Number(valOf(numbering, 'w:ilvl') ?? 0)
    const list = lists.get(listId)
    if (!list) return null
    const kind = kinds.get(valOf(list, 'w:abstractNumId') ?? '')
    const ofLevel = (element: Element | undefined, name: string) =>
      element?.children.find((one) => one.name === name && idOf(one, 'w:ilvl') === String(level))
    const override = ofLevel(list, 'w:lvlOverride')
    const rules = childOf(override, 'w:lvl') ?? ofLevel(kind, 'w:lvl')
    const format = valOf(rules, 'w:numFmt') ?? 'bullet'
    if (format === 'bullet' || format === 'none') return { listId, level, number: null, type: null }
    const start = Number(valOf(override, 'w:startOverride') ?? valOf(rules, 'w:start') ?? 1)
    const counts = counters.get(listId) ?? []
    const number = counts[level] === undefined ? start : counts[level] + 1
    // A lower level starts again below each item.
    counters.set(listId, [...counts.slice(0, level), number])
    return { listId, level, number, type: TYPES[format] ?? null }
  }
}

type OpenList = { node: DocumentNode; type: string | null; next: number | null }

/** Items become lists within lists by their levels; quoted paragraphs that follow each other are one quotation. */
export function nested(lines: readonly ListLine[]): DocumentNode[] {
  const blocks: DocumentNode[] = []
  let open: OpenList[] = []
  for (const { list, block, isQuote, continues } of lines) {
    if (list !== null) {
      open = addItem(blocks, open, list, block)
      continue
    }
    const item = continues ? open[continues - 1]?.node.content?.at(-1) : undefined
    if (item?.content) {
      item.content.push(block)
      open = open.slice(0, continues ?? 0)
      continue
    }
    open = []
    const last = blocks.at(-1)
    if (isQuote && last?.type === 'blockquote') last.content?.push(block)
    else blocks.push(isQuote ? { type: 'blockquote', content: [block] } : block)
  }
  return blocks
}

/** A level that skips one counts as the next one; another kind of list, or a number out of turn, begins another. */
function addItem(
  blocks: DocumentNode[],
  before: OpenList[],
  { level, number, type }: Item,
  block: DocumentNode,
): OpenList[] {
  const depth = Math.min(level, before.length)
  const open = before.slice(0, depth + 1)
  const item = { type: 'listItem', content: [block] }
  const current = open[depth]
  if (current && current.next === number && current.type === type) {
    current.node.content?.push(item)
    if (number !== null) current.next = number + 1
    return open
  }
  const node: DocumentNode =
    number === null
      ? { type: 'bulletList', content: [item] }
      : { type: 'orderedList', attrs: { start: number, type }, content: [item] }
  const parent = open[depth - 1]?.node.content?.at(-1)
  if (parent?.content) parent.content.push(node)
  else blocks.push(node)
  return [...open.slice(0, depth), { node, type, next: number === null ? null : number + 1 }]
}
