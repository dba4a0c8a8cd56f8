import { expect, test } from 'vitest'
import type { HandIn, Receipt } from '../../../../domain/wire/hand-ins.ts'
import type { ArticleRecord } from '../../../../sync/status/article-record.ts'
import { handedInOf } from './handed-in.ts'

const GROUPS: Receipt['groups'] = [
  { category: 'Must Use', used: 1, total: 2, unused: ['uplight'] },
  { category: 'Need to Use', used: 0, total: 0, unused: [] },
]
const SCORE = {
  words: 700,
  groups: [{ category: 'Must Use' as const, used: 1, total: 2 }],
  unused: ['uplight'],
}
const receipt = { by: { id: 'u1', name: 'Imogen Hale' }, wordMinimum: 700, groups: GROUPS }
const record = { handIns: [{ receipt } as HandIn], isStale: false } as ArticleRecord
const VIEW = { completionPending: false, wordMinimum: 700 }

const handedIn = (view = VIEW, score = SCORE, userId = 'u1') =>
  handedInOf(record, view, score, userId)

test('the scorecard of a complete article is that of the hand-in when the agency changed the entities', () => {
  expect(handedIn()).toBeNull()
  const expected = {
    wordMinimum: 700,
    groups: GROUPS,
    sentence: 'The agency changed the entities since you handed it in.',
  }
  expect(handedIn(VIEW, { ...SCORE, unused: ['bollard'] })).toEqual(expected)
  expect(handedIn(VIEW, { ...SCORE, groups: [], unused: [] })).toEqual(expected)
  expect(handedIn(VIEW, { ...SCORE, groups: [] }, 'u2')?.sentence).toBe(
    'The agency changed the entities since it was handed in.',
  )
})

test('so is its minimum', () => {
  const view = { ...VIEW, wordMinimum: 2_000 }
  const sentence = 'The agency changed the minimum since you handed it in.'
  expect(handedIn(view)).toEqual({ wordMinimum: 700, groups: null, sentence })
  expect(handedIn(view, { ...SCORE, groups: [] })?.sentence).toBe(
    'The agency changed the entities and the minimum since you handed it in.',
  )
})

test('a receipt that is not known, or not the last one, changes nothing', () => {
  const view = { ...VIEW, wordMinimum: 2_000 }
  expect(handedInOf({ ...record, isStale: true }, view, SCORE, 'u1')).toBeNull()
  expect(handedInOf({ ...record, handIns: [] }, view, SCORE, 'u1')).toBeNull()
  expect(handedIn({ ...view, completionPending: true })).toBeNull()
})
