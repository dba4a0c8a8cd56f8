import type { PlainMark } from '../../domain/text/document.ts'
import { everydaySentence, everydayWord } from './everyday.ts'
import type { Random } from './random.ts'
import {
  type Block,
  type Box,
  inner,
  isBox,
  isList,
  isText,
  type Part,
  type Place,
  placesOf,
  tidy,
  type Word,
} from './random-text.ts'

/**
 * In 'unique' texts the name of a word is its id; in 'everyday' texts words repeat as they do in prose: nearly half are
 * function words, most others are from a small trade vocabulary, sentences recur.
 */
export type Vocabulary = 'unique' | 'everyday'

export type Writer = ReturnType<typeof createWriter>

/** What one author types. `newGo` begins what is typed in one go. */
export function createWriter(author: string, random: Random, vocabulary: Vocabulary) {
  let [typed, go] = [0, 0]
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
    return { id, name: name ?? nameFor(id), marks, href: null, go }
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
  const newGo = (): void => {
    go += 1
  }
  return { random, newGo, named, word, words, sentence, newPart, address }
}

/** The weight of each kind of edit. */
export type Edits = Record<string, number>

export const ALL_EDITS: Edits = {
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

export const LINKING: Edits = { ...ALL_EDITS, link: 12, unlink: 2 }
export const TYPING: Edits = { type: 8, sentence: 1, remove: 4, replace: 4, split: 3, join: 3 }

export function editAll(root: Box, writer: Writer, edits: Edits, count: number): void {
  for (let left = count; left > 0; left -= 1) {
    edit(root, writer, writer.random.weighted<string>(edits))
  }
}

/** One edit of this kind, anywhere in the text. */
export function edit(root: Box, writer: Writer, act: string): void {
  writer.newGo()
  const places = placesOf(root)
  const texts = places.filter(({ part }) => isText(part))
  const chosen = act in TEXT_EDITS ? texts : places
  if (chosen.length === 0) return
  const { parent, index } = chosen[writer.random.between(0, chosen.length - 1)] ?? root0(root)
  if (act in TEXT_EDITS) editText(act, { parent, index }, writer)
  else editTree(act, root, { parent, index }, writer)
  tidy(root)
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

const hardBreak = (): Word => ({ id: '', name: '', marks: [], href: null, go: 0 })

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
  if (act === 'hardBreak') block.words.splice(at, 0, hardBreak())
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
export function linkSome(root: Box, { random, address }: Writer): void {
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
