import { expect, test } from 'vitest'
import type { LocalRevReason } from '../../../../sync/store/database.ts'
import { keptBecause } from './version-words.ts'

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
  expect(keptBecause(versionFor('blocked'))).toBe('Not accepted by the server')
})
