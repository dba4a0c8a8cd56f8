export type Count = {
  count: number
  /** Until the count is forgotten. */
  msLeft: number
}

/**
 * How often something happened for a key, in a window of time that begins with the first time. Each
 * call is atomic. A table that several servers share can replace the memory.
 */
export type CountStore = {
  /** A negative amount reduces the count; where there is none any more, nothing is reduced. */
  add(key: string, amount: number, windowMs: number): Promise<Count>
  remove(key: string): Promise<void>
}

const KEYS_MAX = 100_000

/** Counts by a clock that never runs backwards. Beyond `keysMax` the keys that were quiet longest go first. */
export function memoryCounts(monotonic: () => number, keysMax = KEYS_MAX): CountStore {
  const counts = new Map<string, { count: number; until: number }>()

  function live(key: string, now: number) {
    const entry = counts.get(key)
    return entry !== undefined && entry.until > now ? entry : undefined
  }

  return {
    async add(key, amount, windowMs) {
      const now = monotonic()
      const known = live(key, now)
      if (known === undefined && amount < 0) return { count: 0, msLeft: 0 }
      const { count, until } = known ?? { count: 0, until: now + windowMs }
      const next = { count: Math.max(0, count + amount), until }
      // Last in the map is the latest that was touched.
      counts.delete(key)
      counts.set(key, next)
      if (counts.size > keysMax) counts.delete(counts.keys().next().value ?? '')
      return { count: next.count, msLeft: until - now }
    },
    async remove(key) {
      counts.delete(key)
    },
  }
}
