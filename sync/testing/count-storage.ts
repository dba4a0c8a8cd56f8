import { IDBDatabase, IDBIndex, IDBObjectStore } from 'fake-indexeddb'

/** Counts the calls that reach fake-indexeddb in this process, below Dexie, so that none is missed. */

type Part = 'writing' | 'written' | 'reading' | 'results' | 'rows'
export type StorageUse = Record<Part, number>
const watches = new Set<StorageUse>()
function note(part: Part, count = 1): void {
  for (const use of watches) use[part] += count
}

type Methods = Record<string, (this: unknown, ...given: unknown[]) => unknown>

/** Runs `called` with the result of each call of these methods. */
function watchCalls(
  { prototype }: { prototype: object },
  names: readonly string[],
  called: (result: never) => void,
): void {
  const methods = prototype as Methods
  for (const name of names) {
    const method = methods[name]
    if (!method) throw new Error(`No method ${name}`)
    methods[name] = function (...given) {
      const result = method.apply(this, given)
      called(result as never)
      return result
    }
  }
}

const READS = ['get', 'getKey', 'getAll', 'getAllKeys', 'count', 'openCursor', 'openKeyCursor']
const WRITES = ['add', 'put', 'delete', 'clear']

watchCalls(IDBDatabase, ['transaction'], ({ mode }: IDBTransaction) =>
  note(mode === 'readonly' ? 'reading' : 'writing'),
)
watchCalls(IDBObjectStore, WRITES, () => note('written'))
for (const source of [IDBObjectStore, IDBIndex]) {
  watchCalls(source, READS, (request: IDBRequest) => {
    // A cursor fires one event for each step.
    request.addEventListener('success', () => {
      note('results')
      note('rows', rowsIn(request.result))
    })
  })
}

/** A cursor is null at its end. */
function rowsIn(result: unknown): number {
  if (Array.isArray(result)) return result.length
  return result === undefined || result === null ? 0 : 1
}

export async function storageUseOf(work: () => Promise<unknown>): Promise<StorageUse> {
  const use: StorageUse = { writing: 0, written: 0, reading: 0, results: 0, rows: 0 }
  watches.add(use)
  try {
    await work()
  } finally {
    watches.delete(use)
  }
  return use
}
