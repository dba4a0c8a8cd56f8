import { expect, it } from 'vitest'
import { narrowed } from './narrowed.ts'

const people = [{ name: 'Ada Fenwick' }, { name: 'Clara Whitlock' }]

it.each([
  [people, '', people],
  [people, 'WH', [{ name: 'Clara Whitlock' }]],
  [people, 'zz', undefined],
  [[{ name: 'İpek Weiß' }], 'I\u0307PEK weiss \u200b', [{ name: 'İpek Weiß' }]],
  [undefined, 'a', undefined],
])('narrows %o by %o to the matching users', { tags: ['@AC-12'] }, (earlier, search, left) => {
  expect(narrowed(earlier, search)).toEqual(left)
})
