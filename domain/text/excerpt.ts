import type { Range } from '../keywords/keyword-use.ts'
import { EXTENDS, kindAt } from './characters.ts'

/** A sentence in three pieces; `before` begins and `after` ends with '…' where it was cut. */
export type Excerpt = { before: string; words: string; after: string }

/** About three lines of a side panel. */
const EXCERPT_MAX = 110
/** What is before the words gets less than what follows. */
const BEFORE_MAX = 40

let segmenter: Intl.Segmenter | undefined

/** The sentence around some words of a block, cut at both ends to a length that fits; the words are never cut. */
export function excerpt(text: string, { from, to }: Range): Excerpt {
  const sentence = sentenceAround(text, { from, to })
  const words = text.slice(from, to)
  const [before, after] = [text.slice(sentence.from, from), text.slice(to, sentence.to)]
  const room = Math.max(0, EXCERPT_MAX - words.length)
  const beforeRoom = Math.max(Math.min(BEFORE_MAX, room), room - after.length)
  const shownBefore = endOf(before, beforeRoom)
  return { before: shownBefore, words, after: startOf(after, room - shownBefore.length) }
}

/** Words of two sentences have both. */
function sentenceAround(text: string, { from, to }: Range): Range {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'sentence' })
  const sentence = { from, to }
  for (const { index, segment } of segmenter.segment(text)) {
    if (index <= from) sentence.from = index + segment.length - segment.trimStart().length
    if (index < to) sentence.to = Math.max(to, index + segment.trimEnd().length)
  }
  sentence.from = Math.min(sentence.from, from)
  return sentence
}

/** How far to look for a space to cut at; scripts without spaces are cut at any letter. */
const SPACE_REACH = 20

function startOf(text: string, room: number): string {
  if (text.length <= room) return text
  let end = Math.max(0, room - 1)
  while (end > 0 && !isEdge(text, end)) end -= 1
  for (let at = end; at >= 0 && at > end - SPACE_REACH; at -= 1) {
    if (/\s/u.test(text.charAt(at))) return `${text.slice(0, at).trimEnd()}…`
  }
  return `${text.slice(0, end).trimEnd()}…`
}

function endOf(text: string, room: number): string {
  if (text.length <= room) return text
  let start = Math.min(text.length, text.length - room + 1)
  while (start < text.length && !isEdge(text, start)) start += 1
  for (let at = start; at < text.length && at < start + SPACE_REACH; at += 1) {
    if (/\s/u.test(text.charAt(at - 1))) return `…${text.slice(at).trimStart()}`
  }
  return `…${text.slice(start).trimStart()}`
}

/** Whether a letter with its marks begins at `at`. */
const isEdge = (text: string, at: number): boolean =>
  !/[\udc00-\udfff]/.test(text.charAt(at)) && (kindAt(text, at) & EXTENDS) === 0
