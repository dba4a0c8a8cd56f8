import { plainText } from '../../../../domain/text/article-text.ts'
import {
  type ArticleText,
  type DocumentNode,
  normalForm,
} from '../../../../domain/text/document.ts'
import {
  compareTexts,
  type LinkChange,
  type Passage,
  type Run,
} from '../../../../domain/text/passages.ts'

/** A text from top to bottom: blocks that both texts have, and passages where they differ. */
export type ComparedPart =
  | { kind: 'same'; blocks: DocumentNode[] }
  | {
      kind: 'passage'
      /** Where it begins: `from` and `newFrom` of the passage. */
      place: string
      /** What its lines look like. */
      form: 'paragraph' | 'heading' | 'list' | 'quote'
      /** The heading level, 1 to 6. */
      level: number
      lines: Run[][]
      /** Level of each line that is a heading among paragraphs; null for other lines. */
      levels: (number | null)[]
      /** No word and no space differs, only paragraphs, lists or bold and italic do. */
      isFormOnly: boolean
      /** Nothing but these may differ. */
      links: LinkChange[]
      isLinksOnly: boolean
    }

/** `removed` is only in `before`, `inserted` only in `after`. */
export function comparedParts(before: ArticleText, after: ArticleText): ComparedPart[] {
  const [old, fresh] = [normalForm(before).content, normalForm(after).content]
  const parts: ComparedPart[] = []
  let at = 0
  const pass = (to: number) => {
    if (to > at) parts.push({ kind: 'same', blocks: old.slice(at, to) })
  }
  for (const passage of compareTexts(before, after)) {
    pass(passage.from)
    parts.push(partOf(passage, old, fresh))
    at = passage.to
  }
  pass(old.length)
  return parts
}

function partOf(passage: Passage, old: DocumentNode[], fresh: DocumentNode[]): ComparedPart {
  const { from, to, newFrom, newTo, runs, links, marksChanged, layoutChanged } = passage
  const blocks = to > from ? old.slice(from, to) : fresh.slice(newFrom, newTo)
  const lines = linesOf(runs)
  return {
    kind: 'passage',
    place: `${from} ${newFrom}`,
    form: formOf(blocks),
    level: levelOf(blocks[0]) ?? 1,
    lines,
    levels: lines.map((line) => lineLevel(line, blocks, fresh.slice(newFrom, newTo))),
    isFormOnly: runs.every(({ kind, text }) => kind === 'same' || !/[^\n]/.test(text)),
    links,
    isLinksOnly:
      links.length > 0 &&
      !marksChanged &&
      !layoutChanged &&
      runs.every(({ kind }) => kind === 'same'),
  }
}

function levelOf(block: DocumentNode | undefined): number | null {
  const level = block?.type === 'heading' ? block.attrs?.level : null
  return typeof level === 'number' ? level : null
}

/** A line is the heading that has its words: of the old text, or of the new one where it is all new. */
function lineLevel(line: Run[], old: DocumentNode[], fresh: DocumentNode[]): number | null {
  const without = (kind: Run['kind']) =>
    line
      .filter((run) => run.kind !== kind)
      .map(({ text }) => text)
      .join('')
      .trim()
  const [before, after] = [without('inserted'), without('removed')]
  const has = (words: string) => (block: DocumentNode) =>
    plainText({ type: 'doc', content: [block] }).trim() === words
  return levelOf(before === '' ? fresh.find(has(after)) : old.find(has(before)))
}

function formOf(blocks: DocumentNode[]) {
  const isAll = (...types: string[]) => blocks.every(({ type }) => types.includes(type))
  if (isAll('heading')) return 'heading'
  if (isAll('bulletList', 'orderedList')) return 'list'
  return isAll('blockquote') ? 'quote' : 'paragraph'
}

/** Lines without a word are no lines to read. */
function linesOf(runs: readonly Run[]): Run[][] {
  const lines: Run[][] = [[]]
  for (const { kind, text } of runs) {
    for (const [index, piece] of text.split('\n').entries()) {
      if (index > 0) lines.push([])
      if (piece !== '') lines.at(-1)?.push({ kind, text: piece })
    }
  }
  return lines.filter((line) => line.some(({ text }) => text.trim() !== ''))
}
