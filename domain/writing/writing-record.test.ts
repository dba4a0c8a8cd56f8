import { describe, expect, it } from 'vitest'
import { createWritingRecord, type KeptVersion, sharesOf } from './writing-record.ts'

type Part = Partial<KeptVersion> & { at: number; text: string }

const MINUTE = 60_000

/** Versions that follow each other without a gap, by Ida; `at` in minutes. */
function recordOf(...parts: Part[]) {
  const record = createWritingRecord()
  for (const [index, { at, text, ...facts }] of parts.entries()) {
    const words = text.match(/\S+/g)?.length ?? 0
    const given = { textVersion: index + 1, author: 'Ida', handIn: null, ...facts }
    record.take({ at: at * MINUTE, text, words, ...given })
  }
  return record.finish()
}

const percents = (...parts: Part[]) =>
  recordOf(...parts).sittings.map(({ share }) => share?.percent)

const WALK = 'Walk the route after dark with a torch held low'
const LAMP = 'Put the first lamp where your foot hesitates and no other'

describe('the share of a sitting', { tags: ['@HI-01'] }, () => {
  it.each<[string, number[], Part[]]>([
    [
      'is that of the words that were first there in it',
      [48, 52],
      [
        { at: 0, text: WALK },
        { at: 60, text: `${WALK}.\n${LAMP}` },
      ],
    ],
    [
      'does not grow by a sentence that is moved',
      [100, 0],
      [
        { at: 0, text: `${WALK}.\n${LAMP}` },
        { at: 60, text: `${LAMP}.\n${WALK}` },
      ],
    ],
    [
      'does not grow by a text that is restored',
      [100, 0, 0],
      [
        { at: 0, text: WALK },
        { at: 60, text: '' },
        { at: 120, text: WALK },
      ],
    ],
    [
      'does not grow by a rare word that goes elsewhere later',
      [100, 0, 0],
      [
        { at: 0, text: 'the bollard by the gate' },
        { at: 60, text: 'the by the gate' },
        { at: 120, text: 'the by the gate bollard' },
      ],
    ],
    [
      'is small in a text that was replaced later, whatever common words both have',
      [0, 100],
      [
        { at: 0, text: 'the gate of the path and the wall of the bed by the pond and by the shed' },
        { at: 10, text: '' },
        { at: 60, text: 'a lamp in the house is of the street and not by the sea' },
      ],
    ],
    [
      'is that of each letter where words have no spaces',
      [50, 50],
      [
        { at: 0, text: '庭の灯り' },
        { at: 60, text: '庭の灯り低く置く' },
      ],
    ],
  ])('%s', (_, expected, parts) => {
    expect(percents(...parts)).toEqual(expected)
  })
})

describe('the shares of all sittings', { tags: ['@HI-01'] }, () => {
  it.each([
    [
      [1, 1, 1],
      ['34', '33', '33'],
    ],
    [
      [999, 1],
      ['100', '0, under 1'],
    ],
    [
      [5, 0],
      ['100', '0'],
    ],
    [[0, 0], []],
  ])('of %j words sum to 100', (counts, expected) => {
    const shares = sharesOf(counts)
    expect(
      shares.map(({ percent, isUnderOne }) => `${percent}${isUnderOne ? ', under 1' : ''}`),
    ).toEqual(expected)
  })
})

describe('a record', { tags: ['@HI-01'] }, () => {
  it('has the times, writers, hand-ins and change of each sitting', () => {
    const { versions, sittings } = recordOf(
      { at: 0, text: WALK, author: 'Clara' },
      { at: 20, text: `${WALK}.`, author: null },
      { at: 90, text: LAMP, handIn: 1 },
      { at: 100, text: `${LAMP} at all`, handIn: 2 },
    )
    expect(versions).toBe(4)
    const facts = { isPruned: false, share: expect.anything() }
    expect(sittings).toEqual([
      {
        ...facts,
        from: 0,
        to: 20 * MINUTE,
        authors: ['Clara'],
        handIns: [],
        words: 10,
        added: 10,
        removed: 0,
      },
      {
        ...facts,
        from: 90 * MINUTE,
        to: 100 * MINUTE,
        authors: ['Ida'],
        handIns: [1, 2],
        words: 13,
        added: 12,
        removed: 9,
      },
    ])
  })

  it('marks a sitting of which versions were deleted', () => {
    const marks = (...numbers: (number | null)[]) =>
      recordOf(
        ...numbers.map((textVersion, index) => ({ at: index * 60, text: WALK, textVersion })),
      ).sittings.map(({ isPruned }) => isPruned)
    expect(marks(1, 2, null)).toEqual([false, false, false])
    expect(marks(1, 3, 4)).toEqual([false, true, false])
    expect(marks(2, 3)).toEqual([true, false])
  })

  it('names the two versions between which the most words were new', () => {
    const { largestStep } = recordOf(
      { at: 0, text: WALK },
      { at: 1, text: `${WALK}.\n${LAMP}` },
      { at: 2, text: `${LAMP}.\n${WALK}` },
      { at: 3, text: `${LAMP} at all.\n${WALK}` },
    )
    expect(largestStep).toEqual({ words: 11, from: 0, to: MINUTE })
    expect(recordOf({ at: 0, text: WALK }, { at: 1, text: '' }).largestStep).toBeNull()
  })
})
