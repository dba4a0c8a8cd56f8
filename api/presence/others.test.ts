import { expect, it } from 'vitest'
import type { Visitor } from './open-articles.ts'
import { othersOf, peopleOf } from './others.ts'

const at = (name: string, writing = false, page = 1): Visitor => ({
  sessionId: `${name} ${page}`,
  userId: name.toLowerCase(),
  name,
  isAdmin: false,
  isFresh: true,
  article: { id: 'a', writing, blocks: writing ? ['0'.repeat(16)] : [] },
})

/** The names that Ida sees; with a plus those who write. */
function seenByIda(...visitors: Visitor[]): [string, number] {
  const { people, count } = othersOf('a', peopleOf(visitors), 'ida')
  return [people.map(({ name, writing }) => name + (writing ? '+' : '')).join(' '), count]
}

it.each<[string, Visitor[], [string, number]]>([
  ['no one where she is alone', [at('Ida')], ['', 0]],
  ['not herself at another computer', [at('Ida'), at('Ida', true, 2)], ['', 0]],
  [
    'another user once, who writes in one of two pages',
    [at('Eve'), at('Eve', true, 2), at('Ida')],
    ['Eve+', 1],
  ],
  [
    'the same when the other page reported last',
    [at('Eve', true), at('Eve', false, 2)],
    ['Eve+', 1],
  ],
  [
    'names in their order, also of one who types',
    [at('Otto', true), at('Eve'), at('Ida')],
    ['Eve Otto+', 2],
  ],
  [
    'three of many, those who write before the others, and how many there are',
    [at('Ada'), at('Bea'), at('Cem'), at('Dov'), at('Otto', true), at('Ida', true)],
    ['Ada Bea Otto+', 5],
  ],
])('a page names %s', { tags: ['@WH-01'] }, (_, visitors, expected) => {
  expect(seenByIda(...visitors)).toEqual(expected)
})
