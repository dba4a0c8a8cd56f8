import { Fragment, type Node, type ResolvedPos, Slice } from '@tiptap/pm/model'
import { Selection, type Transaction } from '@tiptap/pm/state'

/**
 * Replaces the selection with the pasted slice, so that no word of it joins a word of another paragraph. Plain words,
 * and what was cut from this editor, are inserted exactly at the caret. Blocks from elsewhere stay blocks, except a
 * single paragraph, which may be meant as words: in the middle of a text it is inserted inline, with spaces where two
 * words would touch. The caret is placed after the last word.
 */
export function pasteSlice(tr: Transaction, slice: Slice, isOwn: boolean): Transaction {
  const { $from, $to } = tr.selection
  const at = seams(slice, tr.selection, isOwn)
  if (at === 'spaced') return tr.replaceSelection(spaced(slice, textBefore($from), textAfter($to)))
  if (at === 'joined') return tr.replaceSelection(slice)
  const fitted = parted(slice, at, $from, $to)
  // Inside a heading, a first paragraph would take its form.
  if (fitted.openStart === 0) tr.replace($from.before(), $to.pos, fitted)
  else tr.replaceSelection(fitted)
  const { $from: $end } = tr.selection
  if (at.after && $end.parentOffset === 0)
    tr.setSelection(Selection.near(tr.doc.resolve($end.before()), -1))
  return tr
}

/** Whether the text before and after the caret stays a block of its own. */
type Seams = { before: boolean; after: boolean }

function seams(
  { content }: Slice,
  { $from, $to }: Selection,
  isOwn: boolean,
): Seams | 'joined' | 'spaced' {
  const first = content.firstChild
  if (!first || first.isInline || !$from.parent.isTextblock || !$to.parent.isTextblock)
    return 'joined'
  const [before, after] = [textBefore($from), textAfter($to)]
  if (before === '' && after === '') return 'joined'
  const blocks = textblocksIn(content)
  const isOne = content.childCount === 1 && first.type.name === 'paragraph'
  if (isOne && isOwn) return 'joined'
  if (isOne && before !== '' && after !== '') return 'spaced'
  const touching = {
    before: touch(before, blocks[0]?.textContent ?? ''),
    after: touch(blocks.at(-1)?.textContent ?? '', after),
  }
  if (isOne) return touching
  // What was cut from the middle of two words has to fit back in.
  if (isOwn)
    return {
      before: after === '' && touching.before,
      after: before === '' && touching.after,
    }
  return { before: before !== '', after: after !== '' }
}

const textBefore = ($pos: ResolvedPos): string =>
  $pos.parent.textBetween(0, $pos.parentOffset, undefined, '\n')
const textAfter = ($pos: ResolvedPos): string =>
  $pos.parent.textBetween($pos.parentOffset, $pos.parent.content.size, undefined, '\n')

function textblocksIn(content: Fragment): Node[] {
  const blocks: Node[] = []
  content.descendants((node) => {
    if (node.isTextblock) blocks.push(node)
    return !node.isTextblock
  })
  return blocks
}

const touch = (before: string, after: string): boolean => /\S$/.test(before) && /^\S/.test(after)

const OPENS = /[\p{Ps}\p{Pi}]$/u
const CLOSES = /^[\p{Pe}\p{Pf}.,;:!?…]/u

function spaced(slice: Slice, before: string, after: string): Slice {
  const { content, textContent, type } = slice.content.child(0)
  const space = Fragment.from(type.schema.text(' '))
  const isTight = { before: OPENS.test(before), after: CLOSES.test(after) }
  let words = content
  if (touch(before, textContent) && !isTight.before) words = space.append(words)
  if (touch(textContent, after) && !isTight.after) words = words.append(space)
  return new Slice(words, 0, 0)
}

/** An empty block joins the text at the caret in place of the first or last one that is pasted. */
function parted(
  { content, openStart, openEnd }: Slice,
  at: Seams,
  $from: ResolvedPos,
  $to: ResolvedPos,
): Slice {
  const isBeforeHeading =
    $from.parentOffset === 0 && $from.parent.type.name === 'heading' && at.after
  const start = at.before
    ? opening(content, $from)
    : { content, open: isBeforeHeading ? 0 : openStart }
  const end = at.after ? ending(start.content, $to) : { content: start.content, open: openEnd }
  return new Slice(end.content, start.open, end.open)
}

const LIST_DEPTH = 3

type Part = { content: Fragment; open: number }

function opening(content: Fragment, $from: ResolvedPos): Part {
  const empty = emptyLike($from)
  const list = content.firstChild
  if (!continuesList(list, $from)) return { content: Fragment.from(empty).append(content), open: 1 }
  const item = Fragment.from(itemOf(list, empty))
  return {
    content: content.replaceChild(0, list.copy(item.append(list.content))),
    open: LIST_DEPTH,
  }
}

function ending(content: Fragment, $to: ResolvedPos): Part {
  const empty = emptyLike($to)
  const list = content.lastChild
  if (!continuesList(list, $to)) return { content: content.addToEnd(empty), open: 1 }
  return {
    content: content.replaceChild(
      content.childCount - 1,
      list.copy(list.content.addToEnd(itemOf(list, empty))),
    ),
    open: LIST_DEPTH,
  }
}

const emptyLike = ({ parent }: ResolvedPos): Node => parent.type.create(parent.attrs)

const itemOf = (list: Node, paragraph: Node): Node =>
  list.type.schema.node('listItem', null, paragraph)

/** Items that are pasted into a list become items of it. */
const continuesList = (list: Node | null, $pos: ResolvedPos): list is Node =>
  list?.firstChild?.type.name === 'listItem' &&
  $pos.depth > 1 &&
  $pos.node(-1).type.name === 'listItem' &&
  $pos.index(-1) === 0
