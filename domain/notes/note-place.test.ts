import { describe, expect, it } from 'vitest'
import { bullets, doc, item, paragraph, text } from '../testing/nodes.ts'
import { plainText } from '../text/article-text.ts'
import type { ArticleDocument } from '../text/document.ts'
import { anchorOf, notePlacer } from './note-place.ts'

const LAMPS =
  'The bend by the deleted birch needs light. They bought half the lamps they had planned for it.'
const GATE = 'Call our friendly team today. The gate closes at nine in the evening.'
const PATH = 'Call our friendly team today. The path is open all night.'

const written = (...lines: string[]): ArticleDocument =>
  doc(...lines.map((line) => (line ? paragraph(text(line)) : paragraph())))

function anchored(document: ArticleDocument, quote: string, occurrence = 0) {
  const letters = plainText(document)
  let from = letters.indexOf(quote)
  for (let left = occurrence; left > 0; left -= 1) from = letters.indexOf(quote, from + 1)
  const anchor = anchorOf(letters, { from, to: from + quote.length }, 3)
  if (!anchor) throw new Error(`${quote} is not in the text`)
  return anchor
}

/** The words at which a note about `quote` is found after the text changed. */
function found(
  before: ArticleDocument,
  quote: string,
  after: ArticleDocument,
  { occurrence = 0, isKnown = true } = {},
): string {
  const anchor = anchored(before, quote, occurrence)
  const earlier = isKnown ? plainText(before) : null
  const place = notePlacer(plainText(after), () => earlier)(anchor)
  if (place.kind === 'gone') return 'gone'
  const words = plainText(after).slice(place.from, place.to)
  return place.kind === 'block' ? `block: ${words}` : words
}

describe('a note', () => {
  const before = written(GATE, LAMPS, PATH)

  it('is anchored to its words without the white space around them', () => {
    expect(anchorOf('One two three.', { from: 3, to: 8 }, 7)).toEqual({
      quote: 'two',
      before: 'One ',
      after: ' three.',
      block: 0,
      textVersion: 7,
    })
    expect(anchorOf('One  two', { from: 3, to: 5 }, 7)).toBeNull()
    expect(anchored(before, 'half the lamps')).toMatchObject({
      block: 1,
      before: ' birch needs light. They bought ',
    })
  })

  it('stays at its words when others come before, after and around them', () => {
    const after = written('New.', GATE, `In short: ${LAMPS} True.`, PATH)
    expect(found(before, 'half the lamps', after)).toBe('half the lamps')
    expect(found(before, 'half the lamps', after, { isKnown: false })).toBe('half the lamps')
  })

  it('stays at its words when everything around them is written again', () => {
    const after = written(GATE, 'We saw half the lamps at the shop.', PATH)
    expect(found(before, 'half the lamps', after)).toBe('half the lamps')
  })

  it('goes with its words to another paragraph, also out of a list', () => {
    const list = doc(bullets(item(paragraph(text(GATE))), item(paragraph(text(LAMPS)))))
    expect(found(before, 'half the lamps', list)).toBe('half the lamps')
    expect(found(before, 'half the lamps', written(LAMPS, GATE, PATH))).toBe('half the lamps')
  })

  it('is at what is left of its words', () => {
    const after = written(GATE, LAMPS.replace('the lamps they', 'the old lamps they'), PATH)
    expect(found(before, 'half the lamps', after)).toBe('half the old lamps')
    const shorter = written(GATE, LAMPS.replace('half the lamps they', 'the lamps they'), PATH)
    expect(found(before, 'half the lamps', shorter)).toBe('the lamps')
  })

  it('is at all its words when their paragraph is split between them, and when it is joined again', () => {
    const split = written(GATE, ...LAMPS.split(/ (?=the lamps)/), PATH)
    expect(found(before, 'half the lamps', split)).toBe('half\nthe lamps')
    expect(found(split, 'half\nthe lamps', before)).toBe('half the lamps')
  })

  it('about words that are in the text twice stays at its own', () => {
    for (const occurrence of [0, 1]) {
      const after = written('Call our friendly team today.', GATE, LAMPS, PATH)
      const letters = plainText(after)
      const place = notePlacer(letters, () => plainText(before))(
        anchored(before, 'friendly team', occurrence),
      )
      const wanted = letters.indexOf('friendly team', letters.indexOf(occurrence ? PATH : GATE))
      expect(place).toMatchObject({ kind: 'words', from: wanted })
    }
  })

  it('is not at other words that are the same, once its own were changed', () => {
    const after = written(
      GATE.replace('friendly team', 'office'),
      LAMPS,
      `Our friendly team: ${PATH.slice(30)}`,
    )
    expect(found(before, 'friendly team', after)).toBe('gone')
    expect(found(before, 'friendly team', after, { isKnown: false })).toBe('gone')
  })

  it('is at the paragraph when little of its words is left', () => {
    const after = written(GATE, 'The bend by the birch needs light. They bought half of it.', PATH)
    expect(found(before, 'half the lamps they had planned', after)).toBe(
      'block: The bend by the birch needs light. They bought half of it.',
    )
  })

  it('is not at a paragraph that has a few words of its own and of another one', () => {
    const plan = 'Plan the path with us. Call today to book a free consultation right now.'
    const ferns = 'The ferns like a shady bed. Ask for your free consultation at the gate.'
    const after = written('Every gardener gets a free consultation in spring.')
    expect(found(written(plan, ferns), 'shady bed.', after)).toBe('gone')
  })

  it('is gone with its words, and back with them', () => {
    const without = written(GATE, PATH)
    expect(found(before, 'half the lamps', without)).toBe('gone')
    expect(found(before, 'half the lamps', before)).toBe('half the lamps')
  })

  it('about words that were not saved yet is found by the letters around them', () => {
    const anchor = anchored(before, 'half the lamps')
    const after = written(GATE, `So: ${LAMPS.replace('They bought', 'We have')}`, PATH)
    const letters = plainText(after)
    const from = letters.indexOf('half the lamps')
    const place = notePlacer(letters, () => plainText(written(GATE)))(anchor)
    expect(place).toEqual({ kind: 'words', from, to: from + 14, isChanged: false })
  })
})
