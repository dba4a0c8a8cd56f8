import type { DocumentNode } from '../../domain/text/document.ts'
import { NODE_RULES } from '../../domain/text/document-schema.ts'
import { mergeAddresses, signsOf, signsOrNone } from './addresses.ts'
import type { Container, Leaf } from './leaves.ts'
import type { Token } from './tokens.ts'

/** What the other side made of a container, so that a block put into the old one lands in the new one. */
export type Renames = Map<DocumentNode, DocumentNode>

/** Merges tokens that all three have. Those of one line are at home in the same blocks, and share the list of them. */
export function createTokenMerge(renames: Renames) {
  let known: Record<'mine' | 'theirs' | 'both', readonly Leaf[]> | null = null
  const homesOf = (mine: readonly Leaf[], theirs: readonly Leaf[]): readonly Leaf[] => {
    if (known?.mine !== mine || known.theirs !== theirs)
      known = { mine, theirs, both: [...mine, ...theirs] }
    return known.both
  }
  return (base: Token, mine: Token, theirs: Token): Token => {
    const homes = homesOf(mine.homes, theirs.homes)
    const { leaf } = theirs
    if (!base.leaf && isSameForm(base, mine) && isSameForm(base, theirs))
      return { ...theirs, homes }
    const { gap, isLast } = isSameGap(mine, base) || !isSameGap(theirs, base) ? theirs : mine
    const ofGap = (token: Token) => (token.gap === gap ? marksOfGap(token) : null)
    const gaps = [ofGap(base), ofGap(mine), ofGap(theirs)] as const
    const gapMarks = gaps.includes(null)
      ? (gaps[2] ?? gaps[1] ?? '')
      : mergeMarks(gaps[0] ?? '', gaps[1] ?? '', gaps[2] ?? '')
    const [o, a, b] = [marksOfText(base), marksOfText(mine), marksOfText(theirs)]
    const marks = mergeMarks(o, a, b) + gapMarks
    const links = linksWith(base, mine, theirs, gap)
    const head =
      base.leaf && mine.leaf && leaf ? mergeHeads(base.leaf, mine.leaf, leaf, renames) : leaf
    return { ...theirs, gap, marks, links, isLast, leaf: head, homes }
  }
}

/** A token that both added. */
export function joinTokens(mine: Token, theirs: Token): Token {
  const text = mergeMarks('0'.repeat(theirs.text.length), marksOfText(mine), marksOfText(theirs))
  const homes = [...mine.homes, ...theirs.homes]
  const isLinked = mine.links !== '' || theirs.links !== ''
  const links = isLinked ? linksWith({ ...theirs, links: '' }, mine, theirs, theirs.gap) : ''
  return { ...theirs, marks: text + marksOfGap(theirs), links, homes }
}

/** The addresses of the word, and of the gap where the result has the same one. */
function linksWith(base: Token, mine: Token, theirs: Token, gap: string): string {
  if (base.links === '' && mine.links === '' && theirs.links === '') return ''
  const { length } = theirs.text
  const of = ({ links, gap: own }: Token): string =>
    signsOf(links, 0, length) +
    (own === gap ? signsOf(links.slice(length), 0, gap.length) : signsOf('', 0, gap.length))
  return signsOrNone(mergeAddresses(of(base), of(mine), of(theirs)))
}

const isSameForm = (a: Token, b: Token): boolean =>
  isSameGap(a, b) && a.marks === b.marks && a.links === b.links

const isSameGap = (a: Token, b: Token): boolean => a.gap === b.gap && a.isLast === b.isLast

const marksOfText = ({ marks, text }: Token): string =>
  marks.slice(0, text.length).padEnd(text.length, '0')
const marksOfGap = ({ marks, text, gap }: Token): string =>
  marks.slice(text.length).padEnd(gap.length, '0')

/** A mark that both kept stays, one that either added is added; for each character. */
function mergeMarks(base: string, mine: string, theirs: string): string {
  if (mine === base || mine === theirs) return theirs
  if (theirs === base) return mine
  return Array.from(base, (digit, index) => {
    const [o, a, b] = [Number(digit), Number(mine[index]), Number(theirs[index])]
    return (a & b) | ((a | b) & ~o)
  }).join('')
}

/** For shape and place each, the side that changed it wins; if both did, the server's. */
export function mergeHeads(base: Leaf, mine: Leaf, theirs: Leaf, renames: Renames): Leaf {
  const isShapeMine = mine.shape !== base.shape && theirs.shape === base.shape
  const isPlaceMine = mine.place !== base.place && theirs.place === base.place
  if (isPlaceMine) rename(theirs.path, mine.path, renames)
  else if (theirs.place !== base.place) rename(mine.path, theirs.path, renames)
  const { type, attrs, shape } = isShapeMine ? mine : theirs
  const { path, place } = isPlaceMine ? mine : theirs
  return { ...theirs, type, attrs, shape, path, place }
}

/** As mergeHeads does, for blocks that only one side changed and whose text stayed. */
export function noteRenames(base: Leaf[], mine: Leaf[], theirs: Leaf[], renames: Renames): void {
  if (mine.length !== base.length || theirs.length !== base.length) return
  for (const [index, leaf] of base.entries()) {
    const [a, b] = [mine[index], theirs[index]]
    if (a?.content === leaf.content && b?.content === leaf.content) mergeHeads(leaf, a, b, renames)
  }
}

function rename(from: Container[], to: Container[], renames: Renames): void {
  for (const [level, { node }] of from.entries()) {
    const now = to[level]?.node
    if (now && isList(node) && isList(now)) renames.set(node, now)
  }
}

const isList = ({ type }: DocumentNode): boolean => NODE_RULES.get(type)?.holds === 'item'
