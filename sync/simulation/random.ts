/** The only source of randomness of a schedule: the same seed gives the same choices. */
export type Random = {
  /** Uniform in [0, 1). */
  next(): number
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(choices: readonly [T, ...T[]]): T
  /** Picks a key with the chance its weight has of the sum of all. */
  weighted<K extends string>(weights: Record<K, number>): K
  /** An independent source, so that drawing there does not shift what is drawn here. */
  branch(name: string): Random
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (probability) => next() < probability,
    pick: (choices) => choices[Math.floor(next() * choices.length)] ?? choices[0],
    weighted(weights) {
      const entries = Object.entries<number>(weights) as [keyof typeof weights, number][]
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      const hit = entries.find(([, weight]) => {
        left -= weight
        return left < 0
      })
      return (hit ?? (entries[0] as (typeof entries)[number]))[0]
    },
    branch: (name) => createRandom(hash(`${seed} ${name}`)),
  }
}

function hash(text: string): number {
  let value = 0x811c9dc5
  for (const character of text) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193)
  }
  return value >>> 0
}
