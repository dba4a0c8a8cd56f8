import {
  type ArticleDocument,
  type DocumentMark,
  type DocumentNode,
  linkTo,
  type PlainMark,
} from '../../domain/document.ts'
import { everydaySentence, everydayWord } from './everyday.ts'
import { createRandom, type Random } from './random.ts'

/**
 * Random texts that two writers changed at the same time. Each typed word has an id of its own, so the required result
 * is known without calling the merge. In 'unique' texts the name of a word is its id; in 'everyday' texts words repeat
 * as they do in prose: nearly half are function words, most others are from a small trade vocabulary, sentences recur.
 */
export type Vocabulary = 'unique' | 'everyday'
/**
 * All kinds of edits but links, or typing alone: added and removed words, and lines split and joined; or all kinds with
 * many links, each link that is set with an address of its own.
 */
export type Acts = 'all' | 'typing' | 'linking'

export type Side = 'base' | 'mine' | 'theirs'
export type Triple = Record<Side, ArticleDocument> & {
  /** The words of each text, block by block; `both`: of the text that the two writers had when they parted. */
  words: Record<Side | 'both', TypedWord[][]>
}
/** `href` is the address that it links to, null for none. */
export type TypedWord = { id: string; name: string; href: string | null }

export function tripleOf(
  seed: number,
  vocabulary: Vocabulary = 'unique',
  acts: Acts = 'all',
): Triple {
  const random = createRandom(seed)
  const base: Box = { type: 'doc', children: [] }
  const writer = createWriter('b', random, vocabulary, acts)
  const most = random.chance(0.1) ? 40 : 14
  for (let left = random.between(2, most); left > 0; left -= 1) base.children.push(writer.newPart())
  tidy(base)
  if (acts === 'linking') linkSome(base, writer)
  const both = copyOf(base)
  if (random.chance(0.3))
    editAll(both, createWriter('c', random, vocabulary, acts), random.between(1, 2))
  const [mine, theirs] = ['m', 't'].map((name) => {
    const side = copyOf(both)
    editAll(side, createWriter(name, random, vocabulary, acts), random.between(0, 5))
    return side
  }) as [Box, Box]
  return {
    base: documentOf(base),
    mine: documentOf(mine),
    theirs: documentOf(theirs),
    words: {
      base: wordsIn(base),
      both: wordsIn(both),
      mine: wordsIn(mine),
      theirs: wordsIn(theirs),
    },
  }
}

const wordsIn = (part: Part): TypedWord[][] =>
  isBox(part)
    ? part.children.flatMap(wordsIn)
    : [
        part.words
          .filter(({ name }) => name !== '')
          .map(({ id, name, href }) => ({ id, name, href })),
      ]

/** A word, or a hard break when the name is ''. */
type Word = TypedWord & { marks: PlainMark[] }
type Block = { type: 'paragraph' | 'heading' | 'horizontalRule'; level: number; words: Word[] }
type Box = {
  type: 'doc' | 'bulletList' | 'orderedList' | 'listItem' | 'blockquote'
  children: Part[]
}
type Part = Block | Box

const isBox = (part: Part): part is Box => 'children' in part
const isList = (part: Part | undefined): part is Box & { type: ListType } =>
  part?.type === 'bulletList' || part?.type === 'orderedList'
type ListType = 'bulletList' | 'orderedList'
const isText = (part: Part | undefined): part is Block =>
  part?.type === 'paragraph' || part?.type === 'heading'

function copyOf<P extends Part>(part: P): P {
  if (isBox(part)) return { ...part, children: part.children.map(copyOf) }
  return { ...part, words: part.words.map((word) => ({ ...word })) }
}

type Writer = ReturnType<typeof createWriter>

function createWriter(author: string, random: Random, vocabulary: Vocabulary, acts: Acts) {
  let typed = 0
  const nameFor = (id: string): string => {
    if (vocabulary === 'unique') return id
    const kind = random.weighted({ function: 45, trade: 42, own: 13 })
    return kind === 'own' ? id : everydayWord(kind, random)
  }
  const named = (name?: string): Word => {
    typed += 1
    const id = `${author}${typed}`
    const marks: Word['marks'] = random.chance(0.1)
      ? [random.pick(['bold', 'italic', 'strike'])]
      : []
    return { id, name: name ?? nameFor(id), marks, href: null }
  }
  const word = (): Word => named()
  const words = (most: number): Word[] => Array.from({ length: random.between(0, most) }, word)
  const sentence = (): Word[] =>
    everydaySentence(random).map((name) => (vocabulary === 'unique' ? named() : named(name)))
  const block = (type: 'paragraph' | 'heading'): Block => ({
    type,
    level: random.between(1, 6),
    words:
      vocabulary === 'everyday' && random.chance(0.15)
        ? [...words(6), ...sentence()]
        : words(random.chance(0.2) ? 40 : 12),
  })
  const item = (): Box => ({
    type: 'listItem',
    children: [block('paragraph'), ...(random.chance(0.2) ? [newPart()] : [])],
  })
  function newPart(): Part {
    const type = random.weighted({ paragraph: 8, heading: 2, rule: 1, list: 3, blockquote: 1 })
    if (type === 'paragraph' || type === 'heading') return block(type)
    if (type === 'rule') return { type: 'horizontalRule', level: 0, words: [] }
    if (type === 'blockquote') return { type, children: [block('paragraph'), block('paragraph')] }
    const children = Array.from({ length: random.between(1, 4) }, item)
    return { type: random.pick(['bulletList', 'orderedList']), children }
  }
  let addresses = 0
  const address = (): string => {
    addresses += 1
    return `https://${author}${addresses}.example/`
  }
  return { random, edits: KINDS[acts], word, words, sentence, newPart, address }
}

/** The position of a part. */
type Place = { parent: Box; index: number }

function placesOf(box: Box): (Place & { part: Part })[] {
  return box.children.flatMap((part, index) => [
    { parent: box, index, part },
    ...(isBox(part) ? placesOf(part) : []),
  ])
}

const EDITS = {
  type: 8,
  sentence: 1,
  remove: 4,
  replace: 4,
  split: 3,
  join: 3,
  add: 2,
  cut: 2,
  move: 2,
  section: 2,
  list: 2,
  quote: 1,
  unwrap: 2,
  turn: 2,
  mark: 2,
  hardBreak: 1,
  rule: 1,
  nest: 1,
}

const LINKING = { ...EDITS, link: 12, unlink: 2 }
const TYPING = { type: 8, sentence: 1, remove: 4, replace: 4, split: 3, join: 3 }

const KINDS: Record<Acts, Record<string, number>> = {
  all: EDITS,
  typing: TYPING,
  linking: LINKING,
}

function editAll(root: Box, writer: Writer, edits: number): void {
  for (let left = edits; left > 0; left -= 1) {
    const act = writer.random.weighted<string>(writer.edits)
    const places = placesOf(root)
    const texts = places.filter(({ part }) => isText(part))
    const chosen = act in TEXT_EDITS ? texts : places
    if (chosen.length === 0) continue
    const { parent, index } = chosen[writer.random.between(0, chosen.length - 1)] ?? root0(root)
    if (act in TEXT_EDITS) editText(act, { parent, index }, writer)
    else editTree(act, root, { parent, index }, writer)
    tidy(root)
  }
}

const root0 = (root: Box): Place => ({ parent: root, index: 0 })

const TEXT_EDITS = {
  type: 1,
  sentence: 1,
  remove: 1,
  replace: 1,
  split: 1,
  join: 1,
  turn: 1,
  mark: 1,
  hardBreak: 1,
  link: 1,
  unlink: 1,
}

function editText(act: string, { parent, index }: Place, writer: Writer): void {
  const { random, word, words, sentence } = writer
  const block = parent.children[index]
  if (!isText(block)) return
  const at = random.between(0, block.words.length)
  const length = random.between(1, 4)
  if (act === 'type') block.words.splice(at, 0, word(), ...words(5))
  if (act === 'sentence') block.words.splice(at, 0, ...sentence())
  if (act === 'remove') block.words.splice(at, length)
  if (act === 'replace') block.words.splice(at, length, word(), ...words(2))
  if (act === 'hardBreak') block.words.splice(at, 0, { id: '', name: '', marks: [], href: null })
  if (act === 'link') linkWords(block.words.slice(at, at + length), writer.address())
  if (act === 'unlink') linkWords(block.words.slice(at, at + length), null)
  if (act === 'mark') for (const one of block.words.slice(at, at + length)) turnMark(one, random)
  if (act === 'turn') block.type = block.type === 'heading' ? 'paragraph' : 'heading'
  if (act === 'split')
    parent.children.splice(index + 1, 0, { ...block, words: block.words.splice(at) })
  const next = parent.children[index + 1]
  if (act !== 'join' || !isText(next)) return
  block.words.push(...next.words)
  parent.children.splice(index + 1, 1)
}

/** Links in the text that both writers begin with. */
function linkSome(root: Box, { random, address }: Writer): void {
  for (const { part } of placesOf(root)) {
    if (!isText(part) || !random.chance(0.4)) continue
    const at = random.between(0, part.words.length)
    linkWords(part.words.slice(at, at + random.between(1, 4)), address())
  }
}

function linkWords(words: Word[], href: string | null): void {
  for (const one of words) one.href = href
}

function turnMark(one: Word, random: Random): void {
  const mark: PlainMark = random.pick(['bold', 'italic', 'strike'])
  one.marks = one.marks.includes(mark)
    ? one.marks.filter((own) => own !== mark)
    : [...one.marks, mark]
}

function editTree(act: string, root: Box, { parent, index }: Place, writer: Writer): void {
  const { random } = writer
  const siblings = parent.children
  const part = siblings[index]
  if (!part) return
  if (act === 'cut') siblings.splice(index, random.between(1, 2))
  if (act === 'turn' && isList(part)) part.type = random.pick(['bulletList', 'orderedList'])
  if (act === 'move') move(root, { parent, index }, random)
  if (act === 'section') moveSection({ parent, index }, random)
  if (act === 'nest') nest({ parent, index })
  if (act === 'unwrap' && isBox(part)) siblings.splice(index, 1, ...part.children.flatMap(inner))
  if (isList(parent)) return
  if (act === 'add') siblings.splice(index, 0, writer.newPart())
  if (act === 'rule') siblings.splice(index + 1, 0, { type: 'horizontalRule', level: 0, words: [] })
  if (act !== 'list' && act !== 'quote') return
  const children = siblings.splice(index, random.between(1, 3))
  const items = children.map((child): Box => ({ type: 'listItem', children: [child] }))
  siblings.splice(
    index,
    0,
    act === 'quote'
      ? { type: 'blockquote', children }
      : { type: random.pick(['bulletList', 'orderedList']), children: items },
  )
}

const inner = (part: Part): Part[] =>
  isBox(part) && part.type === 'listItem' ? part.children : [part]

function move(root: Box, { parent, index }: Place, random: Random): void {
  const [part] = parent.children.splice(index, 1)
  if (!part) return
  const homes = placesOf(root).filter((place) => isList(place.parent) === isList(parent))
  const home = homes[random.between(0, Math.max(0, homes.length - 1))]
  const target =
    random.chance(0.6) || !home
      ? { parent, index: random.between(0, parent.children.length) }
      : home
  target.parent.children.splice(target.index, 0, part)
}

/** Moves neighbours to another place among their siblings, in their order. */
function moveSection({ parent, index }: Place, random: Random): void {
  const section = parent.children.splice(index, random.between(2, 4))
  parent.children.splice(random.between(0, parent.children.length), 0, ...section)
}

/** Moves an item into the list of the item before it. */
function nest({ parent, index }: Place): void {
  const before = parent.children[index - 1]
  if (!isList(parent) || !before || !isBox(before)) return
  const [item] = parent.children.splice(index, 1)
  const last = before.children.at(-1)
  if (item && isList(last)) last.children.push(item)
  else if (item) before.children.push({ type: parent.type, children: [item] })
}

/** Removes what the editor never leaves: empty boxes, items without a first paragraph, an empty text. */
function tidy(box: Box): void {
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

function documentOf(root: Box): ArticleDocument {
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
