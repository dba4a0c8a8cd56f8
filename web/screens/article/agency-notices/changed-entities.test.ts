import { expect, test } from 'vitest'
import { changedEntities, changeWords, seenEntities } from './changed-entities.ts'

const entity = (keyword: string, category = 'Must Use') => ({ keyword, category })

test.each([
  { what: 'nothing', before: ['lamp'], after: ['lamp'], changed: null },
  { what: 'another spelling', before: ['Lamp'], after: ['lamp'], changed: null },
  {
    what: 'one more and one less',
    before: ['lamp', 'kelvin'],
    after: ['lamp', 'timer'],
    changed: { added: ['timer'], removed: ['kelvin'], moved: [] },
  },
  {
    what: 'a first list',
    before: [],
    after: ['lamp'],
    changed: { added: ['lamp'], removed: [], moved: [] },
  },
])('finds $what', ({ before, after, changed }) => {
  const of = (names: string[]) => names.map((name) => entity(name))
  expect(changedEntities(of(before), of(after))).toEqual(changed)
})

test('finds what is in another group', () => {
  const changed = changedEntities([entity('lamp')], [entity('lamp', 'Need to Use')])
  expect(changed).toEqual({ added: [], removed: [], moved: ['lamp'] })
  expect(changed && changeWords(changed, 0)).toBe('1 moved to another group.')
})

test('takes entities as the scorecard has them', () => {
  const list = [
    { keyword: 'lamp', source: 'E', score: 1, category: 'Need to Use' },
    { keyword: 'Lamp', source: 'E', score: 1, category: 'Must Use' },
    { keyword: 'ignored', source: 'E', score: 1, category: 'Other' },
  ]
  expect(seenEntities(list)).toEqual([entity('Lamp')])
})

test.each([
  [4, 2, 1, '4 added, 2 removed, one of which you use.'],
  [4, 2, 2, '4 added, 2 removed, 2 of which you use.'],
  [0, 1, 1, '1 removed, which you use.'],
  [1, 0, 0, '1 added.'],
  [0, 3, 0, '3 removed.'],
])(
  '%i added and %i removed, %i of them used, is said as one sentence',
  (added, removed, used, words) => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `name ${at}`)
    const changed = { added: names(added), removed: names(removed), moved: [] }
    expect(changeWords(changed, used)).toBe(words)
  },
)
