import { Dexie } from 'dexie'
import type { LocalDatabase } from '../database.ts'

/**
 * Ties a page's connection to its life: a page that dies takes its open transactions with it, and code
 * of it that is still on the stack writes nothing more.
 */
export async function killSwitch(database: LocalDatabase): Promise<() => void> {
  await database.open()
  const connection = database.backendDB()
  const open = new Set<IDBTransaction>()
  const begin = connection.transaction.bind(connection)
  let isDead = false
  connection.transaction = (...given) => {
    if (isDead) throw new DOMException('The page is gone', 'InvalidStateError')
    const transaction = begin(...given)
    open.add(transaction)
    const done = () => open.delete(transaction)
    transaction.addEventListener('complete', done)
    transaction.addEventListener('abort', done)
    return transaction
  }
  return () => {
    isDead = true
    database.open = () => new Dexie.Promise(() => {})
    for (const transaction of open) abort(transaction)
  }
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort()
  } catch {
    // It was committing already: then it is written, as in a browser.
  }
}
