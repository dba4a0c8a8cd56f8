import { expect, it } from 'vitest'
import { stepped } from './stepped.ts'

it.each([
  ['7', 1, '8'],
  ['7', -1, '6'],
  [' 7 ', 1, '8'],
  ['0', -1, '0'],
  ['100', 1, '100'],
  ['250', -1, '100'],
  ['', 1, '0'],
  ['', -1, '0'],
  ['3.5', 1, '3.5'],
  ['1e3', 1, '1e3'],
  ['-5', -1, '-5'],
] as const)('of %o by %i comes %o', { tags: ['@Q69'] }, (text, by, next) => {
  expect(stepped(text, by, 100)).toBe(next)
})
