import { isTextBlock } from '../../domain/text/article-text.ts'
import { type ArticleDocument, addressOf, type DocumentNode } from '../../domain/text/document.ts'

/** Between two blocks that have words, and at both ends of a text. */
export const BLOCK = '¶'

/** The words of a text in their order, with BLOCK between blocks. */
export type Stream = {
  /** Where these names are in a row. */
  placesOf(names: readonly string[]): number[]
  count(names: readonly string[]): number
  /** Whether no block begins between these places. */
  isOneBlock(from: number, to: number): boolean
  /** Whether the words from this place on have these marks and links; '' means BLOCK. */
  hasLooks(place: number, looks: readonly string[]): boolean
}

export function streamOf({ content }: ArticleDocument): Stream {
  const names: string[] = [BLOCK]
  const looks: string[] = ['']
  for (const words of content.flatMap(blocksOf)) {
    if (words.length === 0) continue
    names.push(...words.map(({ name }) => name), BLOCK)
    looks.push(...words.map(({ look }) => look), '')
  }
  const starts = new Map<string, number[]>()
  for (const [at, name] of names.entries()) {
    const places = starts.get(name)
    if (places) places.push(at)
    else starts.set(name, [at])
  }
  const placesOf = (part: readonly string[]): number[] =>
    (starts.get(part[0] ?? '') ?? []).filter((at) =>
      part.every((name, by) => names[at + by] === name),
    )
  return {
    placesOf,
    count: (part) => placesOf(part).length,
    isOneBlock: (from, to) => !names.slice(from, to).includes(BLOCK),
    hasLooks: (place, given) => given.every((look, by) => looks[place + by] === look),
  }
}

/** How often the part is in a row in these. */
export function occurrencesIn(names: readonly string[], part: readonly string[]): number {
  let count = 0
  for (let at = 0; at + part.length <= names.length; at += 1) {
    if (part.every((name, by) => names[at + by] === name)) count += 1
  }
  return count
}

type SeenWord = { name: string; look: string }

/** A hard break separates words, and is no end of a block. */
function blocksOf(node: DocumentNode): SeenWord[][] {
  const { content = [] } = node
  if (!isTextBlock(node)) return content.flatMap(blocksOf)
  const words: SeenWord[] = []
  let isOpen = false
  for (const part of content) {
    const look = lookOf(
      (part.marks ?? []).flatMap(({ type }) => (type === 'link' ? [] : [type])),
      addressOf(part),
    )
    for (const piece of (part.text ?? ' ').split(/(\s+)/)) {
      const last = words.at(-1)
      if (/^\s+$/.test(piece)) isOpen = false
      else if (piece !== '' && isOpen && last) last.name += piece
      else if (piece !== '') {
        words.push({ name: piece, look })
        isOpen = true
      }
    }
  }
  return [words]
}

/** Marks and address of a word as one text. */
export const lookOf = (marks: readonly string[], href: string | null): string =>
  `${[...marks].sort().join()} ${href ?? ''}`
