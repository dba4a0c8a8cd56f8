/** The only source of randomness of a history: the same seed gives the same choices. `below` excludes its limit. */
export type Random = { below(limit: number): number; pick<T>(list: readonly T[]): T }

export function randomOf(seed: number): Random {
  let state = Math.imul(seed, 2_654_435_761) >>> 0
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
  return { below, pick: (list) => list[below(list.length)] as (typeof list)[number] }
}

const SMALL = 'the a of to in is and it for on with at by that this as not or'.split(' ')
const LARGE =
  'gate path wall lamp seed bed water stone garden bulb hedge pond light frost spring soil'.split(
    ' ',
  )

/** They come again and again, as in many articles. */
export const SENTENCES = [
  'call our friendly team today to book your free consultation right now',
  'the light at the end of the path is the light by the gate',
  'water the bed in the spring and not in the frost',
]

/** A word that repeats as in prose; nearly one in five is one of `rare` variants of a noun. */
export function everydayWord({ below, pick }: Random, rare: number): string {
  if (below(100) < 45) return pick(SMALL)
  return below(3) === 0 ? `${pick(LARGE)}${below(rare)}` : pick(LARGE)
}
