import { describe, expect, it } from 'vitest'
import { type RevisionMark, thinnedVersions } from './revision-thinning.ts'

/** '3 ida 09:11 autosave<2': version, author (- for nobody), time or day and time, reason and base. */
function read(line: string): RevisionMark {
  const [version, author, time = '', what = ''] = line.split(' ')
  const [reason = '', base] = what.split('<')
  const [minutes = '', day = '02'] = time.split('@')
  return {
    textVersion: Number(version),
    baseTextVersion: base === undefined ? null : Number(base),
    authorId: author === '-' ? null : (author ?? null),
    reason,
    createdAt: `2026-03-${day}T${minutes}:00.000Z`,
  }
}

const thinned = (...lines: string[]) => [...thinnedVersions(lines.map(read))]

describe('thinning of an article’s earlier texts', () => {
  it.each<[string, number[], string[]]>([
    [
      'collapses consecutive autosaves of one author within ten minutes',
      [2, 3],
      [
        '1 - 09:00 created',
        '2 ida 09:01 autosave<1',
        '3 ida 09:05 autosave<2',
        '4 ida 09:09 autosave<3',
      ],
    ],
    [
      'keeps the last of each ten minutes, however long the writing goes on',
      [2, 4],
      [
        '2 ida 09:01 autosave<1',
        '3 ida 09:09 autosave<2',
        '4 ida 09:10 autosave<3',
        '5 ida 09:19 autosave<4',
        '6 ida 09:20 autosave<5',
      ],
    ],
    ['keeps the present text', [], ['1 - 09:00 created', '2 ida 09:01 autosave<1']],
    [
      'keeps what another author superseded',
      [],
      ['2 ida 09:01 autosave<1', '3 emil 09:02 autosave<2', '4 ida 09:03 autosave<3'],
    ],
    ['keeps what a merge superseded', [], ['2 ida 09:01 autosave<1', '3 ida 09:02 merge<2']],
    [
      'fault 24 keeps what a plain write superseded, and the plain write',
      [],
      ['2 ida 09:01 autosave<1', '3 ida 09:02 plain', '4 ida 09:03 autosave<3'],
    ],
    [
      'keeps what a restoration superseded, and what was restored',
      [],
      ['2 ida 09:01 autosave<1', '3 ida 09:02 restore<2', '4 ida 09:03 autosave<3'],
    ],
    [
      'keeps the base that a merge names, also when it did not supersede it',
      [3],
      [
        '2 ida 09:01 autosave<1',
        '3 ida 09:02 autosave<2',
        '4 ida 09:03 autosave<3',
        '5 emil 09:04 merge<2',
      ],
    ],
    [
      'keeps the last one of each day',
      [2],
      ['2 ida 23:55@01 autosave<1', '3 ida 23:59@01 autosave<2', '4 ida 00:00@02 autosave<3'],
    ],
    ['keeps the first text', [], ['1 ida 09:00 created', '2 ida 09:01 autosave<1']],
    [
      'keeps texts of nobody: they may be of two people',
      [],
      ['2 - 09:01 autosave<1', '3 - 09:02 autosave<2'],
    ],
  ])('%s', (_, expected, lines) => {
    expect(thinned(...lines)).toEqual(expected)
    expect(thinned(...lines.reverse()).sort()).toEqual(expected)
  })

  it('has nothing to do a second time', () => {
    const lines = Array.from({ length: 60 }, (_, minute) =>
      read(`${minute + 1} ida 09:${String(minute).padStart(2, '0')} autosave<${minute}`),
    )
    const gone = thinnedVersions(lines)
    const kept = lines.filter(({ textVersion }) => !gone.has(textVersion))
    expect(kept).toHaveLength(6)
    expect(thinnedVersions(kept).size).toBe(0)
  })
})
