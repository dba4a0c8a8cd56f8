import { describe, expect, test } from 'vitest'
import { plainText } from '../../domain/text/article-text.ts'
import type { ArticleDocument } from '../../domain/text/document.ts'
import type { Letters } from '../../domain/text/kept-letters.ts'
import { doc } from '../testing/test-world.ts'
import { type BothPlace, type BothPlaces, placesAfter } from './both-places.ts'

const tobias = { id: 'u2', name: 'Tobias Wren' }
const ada = { id: 'u3', name: 'Ada Fenwick' }
const both = (theirs: string, mine: string) => ({ theirs, mine, isSentence: false })

type Merge = Parameters<typeof placesAfter>[1]

const placesOf = (before: ArticleDocument, after: ArticleDocument, both: Merge['both']) =>
  placesAfter(null, { before, after, both, by: [tobias] })?.places ?? []

const followed = (known: BothPlaces | null, after: ArticleDocument): BothPlace[] =>
  placesAfter(known, { before: after, after, both: [], by: [] })?.places ?? []

/** 'theirs | mine' of each place, parts of them with '+' between. */
const read = (text: ArticleDocument, places: readonly BothPlace[]): string[] =>
  places.map(({ theirs, mine }) => `${wordsAt(text, theirs)} | ${wordsAt(text, mine)}`)
const wordsAt = (text: ArticleDocument, parts: readonly Letters[]): string =>
  parts.map(({ from, to }) => plainText(text).slice(from, to)).join('+')

const WET = ' The soil was wet and the roots were slow to take.'
const HARD = ' The first year was hard and the leaves were small.'

describe('places where both wrote', { tags: ['@SY-11'] }, () => {
  test.each([
    {
      title: 'at the end of a paragraph, with words that both have',
      before: doc(`We planted.${WET}`, 'Later.'),
      after: doc(`We planted.${HARD}${WET}`, 'Later.'),
      places: [both(HARD, WET)],
      found: [`${HARD.trim()} | ${WET.trim()}`],
    },
    {
      title: 'of a letter or two',
      before: doc('That is how it was. T', 'T and A'),
      after: doc('That is how it was. A T', 'T and A'),
      places: [both(' A', ' T')],
      found: ['A | T'],
    },
    {
      title: 'where the same words are elsewhere too',
      before: doc('It is wet. It is cold.', 'Here. It is cold.'),
      after: doc('It is wet. It is cold.', 'Here. It is wet. It is cold.'),
      places: [both(' It is wet.', ' It is cold.')],
      found: ['It is wet. | It is cold.'],
    },
    {
      title: 'in lines of their own',
      before: doc('One.', 'In winter the path is wet.', 'Two.'),
      after: doc('One.', 'In summer it is dry.', 'Then', 'In winter the path is wet.', 'Two.'),
      places: [both('In summer it is dry.\nThen', 'In winter the path is wet.')],
      found: ['In summer it is dry.\nThen | In winter the path is wet.'],
    },
    {
      title: 'with signs that mean something in a pattern',
      before: doc('See. Why (not)?'),
      after: doc('See. What [x] costs: $5.+ Why (not)?'),
      places: [both(' What [x] costs: $5.+', ' Why (not)?')],
      found: ['What [x] costs: $5.+ | Why (not)?'],
    },
    {
      title: 'several, and one that is not there',
      before: doc('A. mine', 'B. mine'),
      after: doc('A. theirs mine', 'B. theirs mine'),
      places: [both(' theirs', ' mine'), both('none', 'of it'), both(' theirs', ' mine')],
      found: ['theirs | mine', 'theirs | mine'],
    },
  ])('$title', ({ before, after, places, found }) => {
    const placed = placesOf(before, after, places)
    expect(read(after, placed)).toEqual(found)
    expect(new Set(placed.map(({ mine }) => mine[0]?.from)).size).toBe(found.length)
  })

  test('the second of two equal ones is the one that the merge made', () => {
    const before = doc('It is wet. It is cold.', 'Here. It is cold.')
    const after = doc('It is wet. It is cold.', 'Here. It is wet. It is cold.')
    const [place] = placesOf(before, after, [both(' It is wet.', ' It is cold.')])
    expect(place?.theirs[0]?.from).toBe(plainText(after).lastIndexOf('It is wet.'))
  })

  test.each([
    [HARD, WET, false, true],
    ['He said: “Go!”', 'No…', false, true],
    [`${HARD}${WET}`, WET, false, false],
    [' The first', WET, false, false],
    ['The lamps are warm', 'The lamps are low', true, true],
  ])('%j and %j: whether these are sentences', (theirs, mine, isSentence, areSentences) => {
    const after = doc(`Before.${theirs} ${mine}`)
    const place = { theirs, mine, isSentence, by: [] }
    expect(placesOf(doc(`Before. ${mine}`), after, [place])).toMatchObject([{ areSentences }])
  })
})

describe('a place in a text that was written on', () => {
  const after = doc('Before.', `We planted.${HARD}${WET}`)
  const before = doc('Before.', `We planted.${WET}`)
  const known = placesAfter(null, { before, after, both: [both(HARD, WET)], by: [tobias] })
  test.each([
    ['Words above it', doc('A start.', 'Before it.', `We planted.${HARD}${WET}`), [HARD, WET]],
    ['Words between', doc('Before.', `We planted.${HARD} So.${WET} Yes.`), [HARD, WET]],
    [
      'Words in them',
      doc('Before.', `We planted.${HARD.replace('hard', 'very hard')}${WET}`),
      [HARD.replace('hard', '+hard'), WET],
    ],
    ['One is gone', doc('Before.', `We planted.${WET}`), ['', WET]],
    ['A new paragraph between', doc('Before.', `We planted.${HARD}`, WET.trim()), [HARD, WET]],
  ])('%s', (_, live, [theirs = '', mine = '']) => {
    const [found] = read(live, followed(known, live))
    expect(found).toBe(`${theirs.trim()} | ${mine.trim()}`)
  })

  test('is left out once nothing of it is there', () => {
    expect(followed(known, doc('Before.', 'We planted.'))).toEqual([])
  })

  test('is one place where a third writer wrote there too', () => {
    const third = doc('Before.', `We planted.${HARD} It is cold.${WET}`)
    const wrote = { ...both(' It is cold.', WET), by: [ada] }
    const merge = { before: after, after: third, both: [wrote], by: [] }
    const [place, ...others] = placesAfter(known, merge)?.places ?? []
    expect(read(third, place ? [place] : [])).toEqual([
      `${HARD.trim()}+It is cold. | ${WET.trim()}`,
    ])
    expect([place?.by, others]).toEqual([[tobias, ada], []])
  })
})
