import type { Log } from '../deps.ts'
import { ApiError, serverBusy } from '../http/errors.ts'
import type { Count, CountStore } from './count-store.ts'
import type { Limit } from './limits.ts'

export type Throttle = {
  /** Counts as many more. Throws 429 beyond the limit, and counts none of them. */
  take(limit: Limit, key: string, amount?: number): Promise<void>
  /** Counts one more and returns the new count, or null beyond the limit. */
  tryTake(limit: Limit, key: string): Promise<Count | null>
  /** As if the last ones had not been. */
  giveBack(limit: Limit, key: string, amount?: number): Promise<void>
  /** Starts the pause unless one is going on. Throws 429 then. */
  pause(name: string, key: string, ms: number): Promise<void>
  /** Starts or restarts the pause. */
  pauseAnew(name: string, key: string, ms: number): Promise<void>
  forget(limit: Pick<Limit, 'name'>, key: string): Promise<void>
  /** Does the work unless as much of this key is under way already. Throws 503 then. */
  atOnce<T>(most: number, key: string, work: () => Promise<T>): Promise<T>
}

/** Refused attempts do not count: a client that keeps trying waits no longer than one that pauses. */
export function createThrottle(store: CountStore, log: Log): Throttle {
  const underWay = new Map<string, number>()

  function refuse(name: string, key: string, msLeft: number): never {
    log.warn({ limit: name, key }, 'Throttled')
    throw tooMany(msLeft)
  }

  async function counted({ name, most, windowMs }: Limit, key: string, amount = 1) {
    const { count, msLeft } = await store.add(`${name} ${key}`, amount, windowMs)
    const isAllowed = count <= most
    if (!isAllowed) await store.add(`${name} ${key}`, -amount, windowMs)
    return { isAllowed, count, msLeft }
  }

  return {
    async take(limit, key, amount) {
      const { isAllowed, msLeft } = await counted(limit, key, amount)
      if (!isAllowed) refuse(limit.name, key, msLeft)
    },
    async tryTake(limit, key) {
      const { isAllowed, count, msLeft } = await counted(limit, key)
      return isAllowed ? { count, msLeft } : null
    },
    async giveBack({ name, windowMs }, key, amount = 1) {
      await store.add(`${name} ${key}`, -amount, windowMs)
    },
    async pause(name, key, ms) {
      const { count, msLeft } = await store.add(`${name} ${key}`, 1, ms)
      if (count > 1) refuse(name, key, msLeft)
    },
    async pauseAnew(name, key, ms) {
      await store.remove(`${name} ${key}`)
      await store.add(`${name} ${key}`, 1, ms)
    },
    forget: ({ name }, key) => store.remove(`${name} ${key}`),
    async atOnce(most, key, work) {
      const before = underWay.get(key) ?? 0
      if (before >= most) throw serverBusy()
      underWay.set(key, before + 1)
      try {
        return await work()
      } finally {
        const left = (underWay.get(key) ?? 1) - 1
        if (left === 0) underWay.delete(key)
        else underWay.set(key, left)
      }
    },
  }
}

/** Admits everything, for a server that no other machine can reach. */
export const noThrottle: Throttle = {
  take: async () => {},
  tryTake: async () => ({ count: 1, msLeft: 0 }),
  giveBack: async () => {},
  pause: async () => {},
  pauseAnew: async () => {},
  forget: async () => {},
  atOnce: (_most, _key, work) => work(),
}

function tooMany(msLeft: number): ApiError {
  const seconds = Math.max(1, Math.ceil(msLeft / 1000))
  return new ApiError(429, `Too many requests. Please try again in ${spoken(seconds)}.`, {
    headers: { 'Retry-After': String(seconds) },
  })
}

function spoken(seconds: number): string {
  const [count, unit] =
    seconds <= 90
      ? [seconds, 'second']
      : seconds <= 90 * 60
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3600), 'hour']
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`
}
