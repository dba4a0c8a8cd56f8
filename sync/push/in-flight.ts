import type { OutboxRow } from '../store/database.ts'

export type InFlight = ReturnType<typeof createInFlight>

/** Requests that are not settled yet, and the changes that are in them. */
export function createInFlight() {
  const flights = new Map<Promise<void>, readonly OutboxRow[]>()
  let fault: { error: unknown } | null = null
  return {
    count: () => flights.size,
    /** False once a settlement failed: the rows no longer show what is to be sent. */
    areSound: () => fault === null,
    busy: () => [...flights.values()].flat(),
    start(entries: readonly OutboxRow[], settled: Promise<void>) {
      const flight: Promise<void> = settled
        .catch((error: unknown) => {
          fault = { error }
        })
        .finally(() => flights.delete(flight))
      flights.set(flight, entries)
    },
    /** Resolves with the next that is settled. Only while there are any. */
    next: () => Promise.race(flights.keys()),
    /** Resolves when all are settled. Rejects if one could not be. */
    async end() {
      await Promise.all(flights.keys())
      if (fault) throw fault.error
    },
  }
}
