import type { DBCore } from 'dexie'

type Transaction = {
  abort(): void
  addEventListener(type: 'complete' | 'abort', run: () => void): void
}

/**
 * The transactions that a page has open in a database. WebKit keeps them open for a page in its back-forward cache, which
 * blocks their tables for every other page until the cached page is discarded; so they have to end before.
 */
export type OpenTransactions = Set<Transaction>

/** Adds a transaction until it ends, and returns it. */
function noted<T>(open: OpenTransactions, given: T): T {
  const transaction = given as Transaction
  const end = () => open.delete(transaction)
  open.add(transaction)
  transaction.addEventListener('complete', end)
  transaction.addEventListener('abort', end)
  return given
}

/** Dexie middleware that adds each transaction. */
export const notedIn =
  (open: OpenTransactions) =>
  (core: DBCore): DBCore => ({
    ...core,
    transaction: (...given) => noted(open, core.transaction(...given)),
  })

/**
 * Aborts all of them. A transaction that was committed explicitly cannot be aborted and completes if the browser allows:
 * the exit snapshot of a closing page (sync/editing/exit-snapshot.ts).
 */
export function abortAll(open: OpenTransactions): void {
  for (const transaction of open) {
    try {
      transaction.abort()
    } catch {
      // It is committed, or has ended.
    }
  }
}
