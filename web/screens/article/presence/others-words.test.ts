import { describe, expect, test } from 'vitest'
import type { Others } from '../../../../domain/wire/presence.ts'
import { createArrivals } from './arrivals.ts'
import { arrivalWords, othersWords } from './others-words.ts'

const person = (name: string, writing = false) => ({ id: name, name, writing, blocks: [] })
const others = (count: number, ...people: Others['people']): Others => ({
  articleId: 'a',
  people,
  count,
})
const [ada, eve, tobias] = [person('Ada Fenwick'), person('Eve Lind'), person('Tobias Wren')]

test.each<[string, Others]>([
  ['Tobias Wren is reading here', others(1, tobias)],
  ['Tobias Wren is writing here', others(1, person('Tobias Wren', true))],
  ['Ada Fenwick and Tobias Wren are here', others(2, ada, person('Tobias Wren', true))],
  ['Ada Fenwick, Eve Lind and Tobias Wren are here', others(3, ada, eve, tobias)],
  ['Ada Fenwick, Eve Lind, Tobias Wren and 1 other are here', others(4, ada, eve, tobias)],
  ['Ada Fenwick, Eve Lind, Tobias Wren and 196 others are here', others(199, ada, eve, tobias)],
])('%s', { tags: ['@WH-01'] }, (words, given) => {
  expect(othersWords(given)).toBe(words)
})

describe('arrivals', { tags: ['@WH-07'] }, () => {
  const MINUTE = 60_000

  test.each<[string, [minute: number, others: Others | null][], string[]]>([
    [
      'are said once',
      [
        [0, others(1, tobias)],
        [1, others(1, tobias)],
      ],
      ['Tobias Wren is here', ''],
    ],
    [
      'are not said again when reading becomes writing',
      [
        [0, others(1, tobias)],
        [0, others(1, person('Tobias Wren', true))],
      ],
      ['Tobias Wren is here', ''],
    ],
    [
      'name those who came, not those who are here',
      [
        [0, others(1, tobias)],
        [1, others(3, ada, eve, tobias)],
      ],
      ['Tobias Wren is here', 'Ada Fenwick and Eve Lind are here'],
    ],
    [
      'are none after a short absence, however long they were here',
      [
        [0, others(1, tobias)],
        [60, null],
        [62, others(1, tobias)],
      ],
      ['Tobias Wren is here', '', ''],
    ],
    [
      'are one after a long absence',
      [
        [0, others(1, tobias)],
        [60, null],
        [66, others(1, tobias)],
      ],
      ['Tobias Wren is here', '', 'Tobias Wren is here'],
    ],
  ])('%s', (_, steps, expected) => {
    let now = 0
    const arrivals = createArrivals(() => now)
    const said = steps.map(([minute, present]) => {
      now = minute * MINUTE
      const names = arrivals(present)
      return names.length > 0 ? arrivalWords(names) : ''
    })
    expect(said).toEqual(expected)
  })
})
