import { isTextBlock, textOfBlock } from './article-text.ts'
import { diff } from './diff.ts'
import {
  type ArticleDocument,
  type ArticleText,
  addressOf,
  asDocument,
  type DocumentNode,
  linkTo,
  normalForm,
} from './document.ts'
import { hasLinks } from './links.ts'

/**
 * A text that grew from `before` on a page that knows no links, with the links of `before` on the words that both have, and
 * on what was typed inside of a link. Its words and its other marks stay. A text that has links itself stays as it is.
 */
export function withLinksOf(text: ArticleText, before: ArticleText): ArticleText {
  if (hasLinks(text) || !hasLinks(before)) return text
  const [old, fresh] = [wordsOf(before, addressOf), wordsOf(text, () => undefined)]
  let [at, newAt] = [0, 0]
  const end = { from: old.length, to: 0, newTo: 0 }
  for (const { from, to, newTo } of [...diff(namesOf(old), namesOf(fresh)), end]) {
    for (let step = 0; step < from - at; step += 1) carry(old[at + step], fresh[newAt + step])
    ;[at, newAt] = [to, newTo]
  }
  const lines = new Map(fresh.map(({ block, line }) => [block, bridged(line)]))
  return normalForm(rebuilt(asDocument(text), lines))
}

/** The address of a letter, null for none; undefined while it is not known. */
type Address = string | null | undefined
/** `line` has the address of each letter of the block that the word is in. */
type Word = { name: string; from: number; block: DocumentNode; line: Address[] }

const namesOf = (words: readonly Word[]): string[] => words.map(({ name }) => name)

const wordsOf = (text: ArticleText, known: (node: DocumentNode) => Address): Word[] =>
  asDocument(text).content.flatMap((block) => wordsIn(block, known))

function wordsIn(node: DocumentNode, known: (node: DocumentNode) => Address): Word[] {
  const { content = [] } = node
  if (!isTextBlock(node)) return content.flatMap((child) => wordsIn(child, known))
  const line = content.flatMap((child) =>
    Array<Address>(child.text?.length ?? 1).fill(known(child)),
  )
  return [...textOfBlock(node).matchAll(/\s|[^\s]+/gu)].map(({ 0: name, index: from }) => ({
    name,
    from,
    block: node,
    line,
  }))
}

function carry(old: Word | undefined, fresh: Word | undefined): void {
  if (!old || !fresh) return
  for (let letter = 0; letter < old.name.length; letter += 1) {
    fresh.line[fresh.from + letter] = old.line[old.from + letter] ?? null
  }
}

/** New letters between two of one link belong to it. */
function bridged(line: readonly Address[]): (string | null)[] {
  const before = filled(line)
  const behind = filled([...line].reverse()).reverse()
  return before.map((address, at) => (address === behind[at] ? address : null))
}

/** What is not known is as the letter before it. */
function filled(line: readonly Address[]): (string | null)[] {
  let last: string | null = null
  return line.map((address) => {
    if (address !== undefined) last = address
    return last
  })
}

function rebuilt<Node extends DocumentNode | ArticleDocument>(
  node: Node,
  lines: ReadonlyMap<DocumentNode, (string | null)[]>,
): Node {
  const line = lines.get(node)
  const { content } = node
  if (!content) return node
  let at = 0
  const children = content.flatMap((child): DocumentNode[] => {
    if (!line) return [rebuilt(child, lines)]
    const from = at
    at += child.text?.length ?? 1
    return linked(child, line.slice(from, at))
  })
  return { ...node, content: children }
}

/** A text in pieces, one for each run of letters with one address. */
function linked(node: DocumentNode, line: readonly (string | null)[]): DocumentNode[] {
  const { text, marks = [] } = node
  const pieces: DocumentNode[] = []
  let from = 0
  for (let to = 1; to <= line.length; to += 1) {
    if (to < line.length && line[to] === line[from]) continue
    const href = line[from] ?? null
    pieces.push({
      ...node,
      ...(text !== undefined && { text: text.slice(from, to) }),
      marks: href === null ? marks : [...marks, linkTo(href)],
    })
    from = to
  }
  return pieces
}
