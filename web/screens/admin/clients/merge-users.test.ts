import { expect, test } from 'vitest'
import { mergeUsers } from './merge-users.ts'

const people = (names: string) => names.split('').map((id) => ({ id }))

test.each([
  ['nobody changed anything', 'ab', 'ab', 'ab', 'ab'],
  ['somebody was added elsewhere', 'a', 'ab', 'ac', 'acb'],
  ['the same one was added twice', 'a', 'ab', 'ab', 'ab'],
  ['one was taken away here', 'ab', 'a', 'abc', 'ac'],
  ['one was taken away elsewhere', 'ab', 'abc', 'a', 'ac'],
  ['one was taken away twice', 'ab', 'a', 'a', 'a'],
])(
  'where %s, users of %s that became %s here and %s there are %s',
  { tags: ['@AC-13'] },
  (_, before, mine, theirs, merged) => {
    expect(mergeUsers(people(before), people(mine), people(theirs))).toEqual(people(merged))
  },
)
