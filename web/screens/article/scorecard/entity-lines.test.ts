import { expect, test } from 'vitest'
import { segments } from './entity-lines.ts'

/** Entities 0, 1 and 2 are of the tiers 0, 1 and 2. */
const place = (index: number, from: number, to: number) => ({ index, from, to })

test.each([
  ['apart', [place(1, 0, 4), place(0, 6, 9)], ['1 0-4', '0 6-9']],
  [
    'the higher tier within the lower',
    [place(2, 0, 9), place(0, 3, 5)],
    ['2 0-3', '0 3-5', '2 5-9'],
  ],
  ['the lower tier within the higher', [place(0, 0, 9), place(2, 3, 5)], ['0 0-3', '0 3-9']],
  ['overlapping ends', [place(1, 0, 6), place(0, 4, 9)], ['1 0-4', '0 4-9']],
  ['one next to the other', [place(0, 0, 4), place(0, 4, 8)], ['0 0-4', '0 4-8']],
  ['none', [], []],
])('lines of places: %s', (_, places, lines) => {
  const drawn = segments(places, (index) => index)
  expect(drawn.map(({ from, to, tier }) => `${tier} ${from}-${to}`)).toEqual(lines)
})
