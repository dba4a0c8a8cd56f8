import { describe, expect, it } from 'vitest'
import { lastIndex } from './last-index.ts'

/** What is found among signs, 'x' where the words are, and how many were looked at. */
async function search(signs: string) {
  let looks = 0
  const found = await lastIndex(signs.length, async (index) => {
    looks += 1
    return signs[index] === 'x'
  })
  return { found, looks }
}

describe('the last version that has words', () => {
  it.each([
    ['', null],
    ['-', null],
    ['x', 0],
    ['x-', 0],
    ['-x', 1],
    ['xx', 1],
    ['-x-', 1],
    ['---', null],
    ['xxx--', 2],
    ['-x-------', 1],
    ['xx-------', 1],
    ['x--------', 0],
    ['xxxxxxxx-', 7],
    ['xxx--xx-', 6],
  ])('%s: %s', async (signs, expected) => {
    expect((await search(signs)).found).toBe(expected)
  })

  it('is found anywhere in a long history with few looks', async () => {
    const count = 1_000
    for (let last = 0; last < count; last += 7) {
      const { found, looks } = await search('x'.repeat(last + 1).padEnd(count, '-'))
      expect(found).toBe(last)
      expect(looks).toBeLessThanOrEqual(22)
    }
  })
})
