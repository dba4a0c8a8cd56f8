import { Fragment, type Node, type Schema } from '@tiptap/pm/model'
import { Decoration } from '@tiptap/pm/view'
import type { ArticleDocument, DocumentNode } from '../../../../domain/text/document.ts'
import type { Run } from '../../../../domain/text/passages.ts'
import { linkWords } from '../review/link-words.ts'
import { textBlocksOf } from '../scorecard/entity-marks.ts'
import { type ComparedPart, comparedParts } from './compared-blocks.ts'
import classes from './compared-text.module.css'

/** What a comparison shows: words of the first text only, and decorations with their positions in it. */
export type ComparedDocument = { doc: Node; decorations: Decoration[] }

type Passage = Extract<ComparedPart, { kind: 'passage' }>

/**
 * `before` with what `after` does not have struck through. Words that only `after` has are decorations, so that a count
 * of the document is one of `before`.
 */
export function comparedDocument(
  schema: Schema,
  before: ArticleDocument,
  after: ArticleDocument,
): ComparedDocument {
  const blocks: Node[] = []
  const decorations: Decoration[] = []
  let at = 0
  for (const part of comparedParts(before, after)) {
    const nodes = blocksOf(part).map((block) => schema.nodeFromJSON(block))
    if (part.kind === 'passage') decorations.push(...drawPassage(part, nodes, at))
    blocks.push(...nodes)
    at += nodes.reduce((size, node) => size + node.nodeSize, 0)
  }
  if (blocks.length === 0) blocks.push(schema.node('paragraph'))
  return { doc: schema.node('doc', null, blocks), decorations }
}

function blocksOf(part: ComparedPart): DocumentNode[] {
  if (part.kind === 'same') return part.blocks
  const { form, lines } = part
  if (lines.length === 0) return []
  if (form === 'list') {
    const items = lines.map((runs) => ({
      type: 'listItem',
      content: [{ type: 'paragraph', content: textOf(runs) }],
    }))
    return [{ type: 'bulletList', content: items }]
  }
  const content = lines.map((runs, line) => lineOf(part, runs, line))
  return form === 'quote' ? [{ type: 'blockquote', content }] : content
}

function lineOf({ form, level, levels }: Passage, runs: Run[], line: number): DocumentNode {
  const own = form === 'quote' ? null : (levels[line] ?? (form === 'heading' ? level : null))
  const content = textOf(runs)
  return own === null
    ? { type: 'paragraph', content }
    : { type: 'heading', attrs: { level: own }, content }
}

function textOf(runs: Run[]): DocumentNode[] {
  const text = runs.map((run) => (run.kind === 'inserted' ? '' : run.text)).join('')
  return text === '' ? [] : [{ type: 'text', text }]
}

function drawPassage(
  { place, lines, isFormOnly, links, isLinksOnly }: Passage,
  nodes: Node[],
  start: number,
): Decoration[] {
  const notes = [
    ...(isFormOnly && !isLinksOnly ? ['Only the formatting changed.'] : []),
    ...links.map(linkWords),
  ]
  const drawn = notes.map((words, at) =>
    Decoration.widget(start, () => drawNote(place, words), {
      side: at - notes.length,
      raw: true,
      key: `${place} ${words}`,
    }),
  )
  let at = start
  for (const node of nodes) {
    const more = drawn.length === 0 ? '' : ` ${classes.continued}`
    const bar = { class: `${classes.changed}${more}`, 'data-passage': place }
    drawn.push(Decoration.node(at, at + node.nodeSize, bar))
    at += node.nodeSize
  }
  const words = textBlocksOf(Fragment.from(nodes)).flatMap((block, line) =>
    drawLine(lines[line] ?? [], start + block.start),
  )
  return [...drawn, ...words]
}

function drawLine(runs: Run[], start: number): Decoration[] {
  let at = start
  return runs.flatMap(({ kind, text }) => {
    // Equal keys keep the element, and what a reader selected in it, when the same comparison is drawn again.
    if (kind === 'inserted')
      return [Decoration.widget(at, () => drawInserted(text), { raw: true, key: text })]
    const from = at
    at += text.length
    return kind === 'removed' ? [Decoration.inline(from, at, { nodeName: 'del' })] : []
  })
}

function drawInserted(text: string): HTMLElement {
  const inserted = document.createElement('ins')
  inserted.textContent = text
  return inserted
}

function drawNote(place: string, words: string): HTMLElement {
  const note = document.createElement('p')
  note.className = `${classes.changed} ${classes.note}`
  note.dataset.passage = place
  note.textContent = words
  return note
}
