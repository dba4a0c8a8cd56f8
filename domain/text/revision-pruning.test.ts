import { describe, expect, it } from 'vitest'
import {
  type PruningGroup,
  prunedVersions,
  pruningGroups,
  type RevisionMark,
  type RevisionText,
  slotStart,
} from './revision-pruning.ts'

const WHENEVER = { from: '', to: '9' }

/** '3 ida 09:11 autosave<2 40': version, author (- for none), time or time and day, reason and base, words (100). */
function read(line: string): RevisionMark {
  const [version, author, time = '', what = '', words = '100'] = line.split(' ')
  const [reason = '', base] = what.split('<')
  const [minutes = '', day = '02'] = time.split('@')
  return {
    textVersion: Number(version),
    baseTextVersion: base === undefined ? null : Number(base),
    authorId: author === '-' ? null : (author ?? null),
    reason,
    words: Number(words),
    createdAt: `2026-03-${day}T${minutes}:00.000Z`,
  }
}

/** '1 [2 3] 4': the version before, the candidates, and the last one. */
const written = ({ before, candidates, last }: PruningGroup) =>
  `${before} [${candidates.join(' ')}] ${last}`

const groups = (lines: string[], handedIn: number[] = [], span = WHENEVER) =>
  pruningGroups(lines.map(read), new Set(handedIn), span).map(written)

const THREE = [
  '1 - 09:00 created',
  '2 ida 09:01 autosave<1',
  '3 ida 09:05 autosave<2',
  '4 ida 09:09 autosave<3',
]

describe('versions that may go by their marks', () => {
  it.each<[string, string[], string[]]>([
    ['are autosaves that one author made in the same ten minutes', ['1 [2 3] 4'], THREE],
    [
      'are never the last of ten minutes, however long the writing takes',
      ['1 [2] 3', '3 [4] 5'],
      [
        '1 - 09:00 created',
        '2 ida 09:01 autosave<1',
        '3 ida 09:09 autosave<2',
        '4 ida 09:10 autosave<3',
        '5 ida 09:19 autosave<4',
        '6 ida 09:20 autosave<5',
      ],
    ],
    ['are never the present text', [], ['1 - 09:00 created', '2 ida 09:01 autosave<1']],
    ['are never the first text', [], ['1 ida 09:00 created', '2 ida 09:01 autosave<1']],
    [
      'are not superseded by another author',
      [],
      ['1 - 09:00 created', '2 ida 09:01 autosave<1', '3 emil 09:02 autosave<2'],
    ],
    [
      'are not superseded by a merge',
      [],
      ['1 - 09:00 created', '2 ida 09:01 autosave<1', '3 ida 09:02 merge<2'],
    ],
    [
      'are neither plain writes nor superseded by one',
      [],
      [
        '1 - 09:00 created',
        '2 ida 09:01 autosave<1',
        '3 ida 09:02 plain',
        '4 ida 09:03 autosave<3',
      ],
    ],
    [
      'are neither restorations nor superseded by one',
      [],
      [
        '1 - 09:00 created',
        '2 ida 09:01 autosave<1',
        '3 ida 09:02 restore<2',
        '4 ida 09:03 autosave<3',
      ],
    ],
    [
      'are never the base that a merge names, also when it did not supersede it',
      ['2 [3] 4'],
      [
        '1 - 09:00 created',
        '2 ida 09:01 autosave<1',
        '3 ida 09:02 autosave<2',
        '4 ida 09:03 autosave<3',
        '5 emil 09:04 merge<2',
      ],
    ],
    [
      'are never the last one of a day',
      ['1 [2] 3'],
      [
        '1 - 23:50@01 created',
        '2 ida 23:55@01 autosave<1',
        '3 ida 23:59@01 autosave<2',
        '4 ida 00:00@02 autosave<3',
      ],
    ],
    [
      'are never of an unknown author: there may be two of them',
      [],
      ['1 - 09:00 created', '2 - 09:01 autosave<1', '3 - 09:02 autosave<2'],
    ],
    [
      'are not followed by 10 words less',
      ['1 [2] 3', '3 [4] 5'],
      [
        '1 - 09:00 created 0',
        '2 ida 09:01 autosave<1 1000',
        '3 ida 09:02 autosave<2 1000',
        '4 ida 09:03 autosave<3 990',
        '5 ida 09:04 autosave<4 981',
      ],
    ],
    [
      'are not followed by 5 % less',
      ['2 [3] 4'],
      [
        '1 - 09:00 created 0',
        '2 ida 09:01 autosave<1 42',
        '3 ida 09:02 autosave<2 39',
        '4 ida 09:03 autosave<3 38',
      ],
    ],
    [
      'are not those that an earlier look kept: their neighbours are missing',
      ['6 [7] 8'],
      [
        '1 - 09:00 created',
        '3 ida 09:01 autosave<2',
        '4 ida 09:02 autosave<3',
        '6 ida 09:03 autosave<5',
        '7 ida 09:04 autosave<6',
        '8 ida 09:05 autosave<7',
      ],
    ],
  ])('%s', { tags: ['@fault-24', '@fault-69'] }, (_, expected, lines) => {
    expect(groups(lines)).toEqual(expected)
    expect(groups(lines.toReversed())).toEqual(expected)
  })

  it('are not handed in', { tags: ['@fault-69'] }, () => {
    expect(groups(THREE, [2])).toEqual(['2 [3] 4'])
    expect(groups(THREE, [3])).toEqual(['1 [2] 3'])
  })

  it('are of the time that is looked at', () => {
    const from = slotStart(Date.parse('2026-03-02T09:09:59.999Z'))
    const to = slotStart(Date.parse('2026-03-02T09:10:00.000Z'))
    expect([from, to]).toEqual(['2026-03-02T09:00:00.000Z', '2026-03-02T09:10:00.000Z'])
    expect(groups(THREE, [], { from, to })).toHaveLength(1)
    expect(groups(THREE, [], { from: to, to: '9' })).toEqual([])
    expect(groups(THREE, [], { from: '', to: from })).toEqual([])
  })
})

const NINE = Date.parse('2026-03-02T09:00:00.000Z')

/**
 * Takes texts with their seconds after nine: the text before, and those of a group. Returns the seconds of pruned
 * ones.
 */
const pruned = (...texts: [seconds: number, text: string][]) => {
  const group = texts.map(
    ([seconds, text], index): RevisionText => ({
      textVersion: index + 1,
      at: NINE + seconds * 1_000,
      text,
    }),
  )
  return prunedVersions(group).map((version) => texts[version - 1]?.[0])
}

const words = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name}${at}`).join(' ')

describe('versions whose text is in a kept one', () => {
  it('go, with what was corrected within a minute', () => {
    expect(
      pruned(
        [0, 'The lamp'],
        [1, 'The lamp at the gat'],
        [9, 'The lamp at the gate is to lihgt'],
        [20, 'The lamp at the gate is too light'],
        [29, 'The lamp at the gate is too light for the path'],
      ),
    ).toEqual([1, 9, 20])
  })

  it.each([
    ['deleted', ''],
    ['replaced by as many', words('new', 40)],
    ['put in another order', `${words('b', 20)} ${words('a', 20)}`],
  ])('are not pruned when their words were %s', { tags: ['@fault-69'] }, (_, next) => {
    const old = `${words('a', 20)} ${words('b', 20)}`
    expect(pruned([0, ''], [1, words('a', 20)], [5, old], [9, next])).toEqual([1])
  })

  it('are not pruned when the text was lost gradually', { tags: ['@fault-69'] }, () => {
    const all = words('a', 400).split(' ')
    const texts = [396, 392, 388, 384, 380, 376].map(
      (left, at) => [10 + at, all.slice(0, left).join(' ')] as [number, string],
    )
    expect(pruned([0, ''], [9, all.join(' ')], ...texts)).toEqual([10, 11, 13, 14])
  })

  it('a single word that existed for a minute is not pruned', { tags: ['@fault-69'] }, () => {
    const start = words('a', 30)
    const [old, corrected] = [`${start} by the sed wall`, `${start} by the shed wall`]
    const after = `${corrected} ${words('b', 5)}`
    expect(pruned([0, start], [1, old], [60, `${old} and`], [62, corrected], [70, after])).toEqual([
      1, 62,
    ])
    expect(pruned([0, start], [1, old], [59, `${old} and`], [60, corrected], [70, after])).toEqual([
      1, 59, 60,
    ])
  })

  it('are pruned when their words are in the previous text', () => {
    const old = words('a', 60)
    expect(pruned([0, old], [200, `b ${old}`], [205, words('c', 60)], [210, 'c'])).toEqual([200])
  })

  it('a text shorter than a run is kept too', { tags: ['@fault-69'] }, () => {
    expect(pruned([0, ''], [1, 'My only words'], [100, 'Others'], [101, 'Others now'])).toEqual([
      100,
    ])
  })
})
