import type { DBCore } from 'dexie'

type Transaction = {
  abort(): void
  addEventListener(type: 'complete' | 'abort', run: () => void): void
}

/**
 * The transactions that a page has open in a database. WebKit puts a page away with them, and every other page then waits
 * for their tables until the browser forgets the page; so they have to end before.
 */
export type OpenTransactions = Set<Transaction>

/** Returns the transaction that it adds until it ends. */
export function noted<T>(open: OpenTransactions, given: T): T {
  const transaction = given as Transaction
  const end = () => open.delete(transaction)
  open.add(transaction)
  transaction.addEventListener('complete', end)
  transaction.addEventListener('abort', end)
  return given
}

/** For the library's stack: notes what it begins. */
export const notedIn =
  (open: OpenTransactions) =>
  (core: DBCore): DBCore => ({
    ...core,
    transaction: (...given) => noted(open, core.transaction(...given)),
  })

/**
 * One that was committed explicitly refuses to be aborted and goes its own way: the last words of a leaving page
 * (sync/rescue.ts) are kept where the browser still has time for them.
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
