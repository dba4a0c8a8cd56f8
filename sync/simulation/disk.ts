import type { Timeline } from './timeline.ts'

/**
 * The fault of the database of one browser profile. `full`: nothing can be added. `broken`: no transaction begins.
 * `null`: it works.
 */
export type DiskFault = 'full' | 'broken' | null

/** The storage under all tabs of one browser profile. */
export type Disk = ReturnType<typeof createDisk>

/** Text in memory is written this long after the storage works again, at the latest. */
const RETRIED_WITHIN_MS = 15_000

export function createDisk(timeline: Timeline) {
  let fault: DiskFault = null
  let changedAt = Number.NEGATIVE_INFINITY
  /** Connections that are older than this were lost. */
  let generation = 0

  function become(next: DiskFault): void {
    if (fault !== next) changedAt = timeline.now()
    fault = next
  }

  return {
    fail: (kind: 'full' | 'broken') => become(kind),
    mend: () => become(null),
    /** Every open connection is dead from now on; a new one works. */
    dropConnections() {
      generation++
    },
    generation: () => generation,
    /** From then on a page may have to reopen its database before it can be inspected. */
    hasFailed: () => generation > 0 || changedAt > Number.NEGATIVE_INFINITY,
    /** Not in the very moment of its repair: earlier failures are still reported then. */
    isSound: () => fault === null && changedAt < timeline.now(),
    /** Since when words can only be in memory. */
    failedSince: () => (fault === null ? Number.POSITIVE_INFINITY : changedAt),
    /** From when on a typed word must be written at once. */
    trustedSince: () => (fault === null ? changedAt + RETRIED_WITHIN_MS : Number.POSITIVE_INFINITY),
    /** A transaction on a connection of that generation. */
    begin(bornIn: number, begin: () => IDBTransaction): IDBTransaction {
      if (fault === 'broken' || bornIn < generation) {
        throw new DOMException('Connection to Indexed Database server lost', 'UnknownError')
      }
      const transaction = begin()
      if (fault === 'full' && transaction.mode === 'readwrite') refuseAdding(transaction)
      return transaction
    },
  }
}

function refuseAdding(transaction: IDBTransaction): void {
  const objectStore = transaction.objectStore.bind(transaction)
  const full = () => {
    throw new DOMException('The disk is full', 'QuotaExceededError')
  }
  transaction.objectStore = (name) => Object.assign(objectStore(name), { put: full, add: full })
}
