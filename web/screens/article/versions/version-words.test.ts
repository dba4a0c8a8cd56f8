import { expect, test } from 'vitest'
import { createDates } from '../../../../domain/calendar/dates.ts'
import type { LocalRevReason } from '../../../../sync/store/database.ts'
import { changeWords, differenceWords, keptBy, kindOf, timeIn } from './version-words.ts'

const versionFor = (reason: LocalRevReason) => ({
  key: 'local 1',
  at: 0,
  reason,
  words: 1,
  server: null,
  text: null,
  isPresent: false,
  hasPresentText: false,
})

test('an earlier text that the server refused is not listed as saved', () => {
  expect(kindOf(versionFor('blocked'))).toBe('Not accepted by the server')
})

const OF_SERVER = {
  ...versionFor('checkpoint'),
  server: { textVersion: 2, author: 'Ida', handIn: null },
}

test.each([
  ['Current version', 'Ida', { ...OF_SERVER, isPresent: true, hasPresentText: true }],
  ['Same text', 'Ida', { ...OF_SERVER, hasPresentText: true }],
  ['Same text · Original', 'Ida', { ...OF_SERVER, reason: 'created', hasPresentText: true }],
  ['', 'This computer', versionFor('checkpoint')],
  [
    'Current version, on this computer',
    null,
    { ...versionFor('checkpoint'), reason: 'draft', isPresent: true, hasPresentText: true },
  ],
])('%j, by %s', (kind, by, version) => {
  expect([kindOf(version), keptBy(version)]).toEqual([kind, by])
})

test('times of a sitting have seconds where the minute repeats', () => {
  const times = ['18:01:10', '18:00:40', '18:00:05', '17:59:59']
  const versions = times.map((time) => ({ at: Date.parse(`2026-03-02T${time}Z`) }))
  const dates = createDates('en-GB', 'UTC')
  expect(versions.map((version) => timeIn(versions, version, dates))).toEqual([
    '18:01',
    '18:00:40',
    '18:00:05',
    '17:59',
  ])
})

test.each([
  [6, '+6', '6 words more'],
  [-1, '−1', '1 word fewer'],
  [0, undefined, undefined],
])('a difference of %i words', (words, shown, read) => {
  const change = differenceWords(words)
  expect([change?.shown, change?.read]).toEqual([shown, read])
})

test.each([
  [6, 31, false, '+6 −31', '6 words added, 31 removed'],
  [1, 0, false, '+1', '1 word added'],
  [0, 1_234, false, '−1,234', '1,234 words removed'],
  [0, 0, true, 'formatting', 'formatting changed'],
  [0, 0, false, undefined, undefined],
])('%i words added and %i removed, formatting %s', (added, removed, formatting, shown, read) => {
  const change = changeWords({ added, removed, formatting })
  expect([change?.shown, change?.read]).toEqual([shown, read])
})
