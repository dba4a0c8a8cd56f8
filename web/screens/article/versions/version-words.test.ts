import { expect, test } from 'vitest'
import type { LocalRevReason } from '../../../../sync/store/database.ts'
import { changeWords, kindOf } from './version-words.ts'

const versionFor = (reason: LocalRevReason) => ({
  key: 'local 1',
  at: 0,
  reason,
  words: 1,
  server: null,
  text: null,
  isPresent: false,
})

test('an earlier text that the server refused is not listed as saved', () => {
  expect(kindOf(versionFor('blocked'))).toBe('Not accepted by the server')
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
