/** The part of IndexedDB that is used past the library, where its way takes too long. */
export type RawDatabase = {
  transaction(
    stores: string[],
    mode: 'readwrite',
    options?: { durability: 'strict' },
  ): RawTransaction
}

export type RawTransaction = {
  objectStore(name: string): RawStore
  commit?(): void
  abort(): void
  readonly error: unknown
  oncomplete: unknown
  onabort: unknown
}

type RawStore = {
  get(key: string): RawRequest
  put(row: object): unknown
  delete(key: unknown): unknown
  index(name: string): { getAll(range: unknown): RawRequest }
}

/** Those of one transaction are answered in their order. */
// biome-ignore lint/suspicious/noExplicitAny: what the browser has in its tables, it knows of no type
type RawRequest = { readonly result: any; onsuccess: unknown }
