import type { OutboxRow } from '../store/database.ts'

/** Requests that are not settled yet, and the changes that are in them. */
export type InFlight = {
  count(): number
  busy(): readonly OutboxRow[]
  /** False once a settlement failed: the rows no longer show what is to be sent. */
  areSound(): boolean
  start(entries: readonly OutboxRow[], settled: Promise<void>): void
  /** Resolves with the next that is settled. Only while there are any. */
  next(): Promise<void>
  /** Resolves when all are settled. Rejects if one could not be. */
  end(): Promise<void>
}

export function createInFlight(): InFlight {
  const flights = new Map<Promise<void>, readonly OutboxRow[]>()
  let fault: { error: unknown } | null = null
  return {
    count: () => flights.size,
    areSound: () => fault === null,
    busy: () => [...flights.values()].flat(),
    start(entries, settled) {
      const flight: Promise<void> = settled
        .catch((error: unknown) => {
          fault = { error }
        })
        .finally(() => flights.delete(flight))
      flights.set(flight, entries)
    },
    next: () => Promise.race(flights.keys()),
    async end() {
      await Promise.all(flights.keys())
      if (fault) throw fault.error
    },
  }
}
