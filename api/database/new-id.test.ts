import { expect, it } from 'vitest'
import { isId } from '../http/read-query.ts'
import { idSource, pooled } from './new-id.ts'

const random = (count: number) => new Uint8Array(count).fill(0xff)

it('makes UUIDs of version 7 with the time in front', { tags: ['@Q92'] }, () => {
  const newId = idSource(() => 0x0195a0000001, random)
  expect(newId()).toBe('0195a000-0001-7000-bfff-ffffffffffff')
  expect(isId(newId())).toBe(true)
})

it('makes them in order, within a millisecond and when the clock is set back', {
  tags: ['@Q92'],
}, () => {
  let now = 1_800_000_000_000
  const newId = idSource(() => now, random)
  const ids = []
  for (let count = 0; count < 10_000; count++) {
    if (count === 5_000) now -= 3_600_000
    if (count === 9_000) now += 7_200_000
    ids.push(newId())
  }
  expect(ids).toEqual([...ids].sort())
  expect(new Set(ids).size).toBe(10_000)
})

it('hands out each random byte once', () => {
  let asked = 0
  const take = pooled((count) => Uint8Array.from({ length: count }, () => asked++ % 251))
  const taken = Array.from({ length: 1_000 }, () => [...take(8)]).flat()
  expect(taken).toEqual(taken.map((_, at) => at % 251))
  expect(asked).toBe(8_192)
})
