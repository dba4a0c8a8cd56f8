import { Dexie } from 'dexie'
import type { LocalDatabase } from '../store/database.ts'
import type { Disk } from './disk.ts'

/** The databases of a browser profile as one page reaches them. */
export type PageStorage = { indexedDB: IDBFactory; kill(database: LocalDatabase): void }

/**
 * Ties a page's connections to its life: a page that dies aborts its open transactions, and code of it that is still on
 * the stack writes nothing more. While it lives, they are as sound as the disk.
 */
export function storageOf(profile: IDBFactory, disk: Disk): PageStorage {
  const running = new Set<IDBTransaction>()
  const watched = new WeakSet<IDBDatabase>()
  let isDead = false

  function watch(connection: IDBDatabase): void {
    if (watched.has(connection)) return
    watched.add(connection)
    const begin = connection.transaction.bind(connection)
    const bornIn = disk.generation()
    connection.transaction = (...given) => {
      if (isDead) throw new DOMException('The page is gone', 'InvalidStateError')
      const transaction = disk.begin(bornIn, () => begin(...given))
      running.add(transaction)
      const done = () => running.delete(transaction)
      transaction.addEventListener('complete', done)
      transaction.addEventListener('abort', done)
      return transaction
    }
  }

  const indexedDB: IDBFactory = Object.create(profile, {
    open: {
      value: (name: string, version?: number) => {
        const request = profile.open(name, version)
        // Before the caller can use it: Dexie binds itself to a database that it creates during its creation.
        request.addEventListener('upgradeneeded', () => watch(request.result))
        request.addEventListener('success', () => watch(request.result))
        return request
      },
    },
  })
  return {
    indexedDB,
    kill(database) {
      isDead = true
      database.open = () => new Dexie.Promise(() => {})
      for (const transaction of running) abort(transaction)
    },
  }
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort()
  } catch {
    // It was committing already: then it is written, as in a browser.
  }
}

/** Pages read their views directly here, so nothing has to find out which queries a write touches. */
export function withoutLiveQueries(database: LocalDatabase): void {
  database.unuse({ stack: 'dbcore', name: 'Cache' })
  database.unuse({ stack: 'dbcore', name: 'Observability' })
}
