import type { DraftRow, MetaRow, OutboxRow, RescueRow } from './database.ts'
import type { DraftTextRow } from './text-pieces.ts'

/** The part of IndexedDB that is used past the library, where its way takes too long. */
export type RawDatabase = {
  transaction(
    stores: string[],
    mode: 'readwrite',
    options?: { durability: 'strict' },
  ): RawTransaction
}

export type RawTransaction = {
  objectStore<Name extends keyof RawRows>(name: Name): RawStore<RawRows[Name]>
  commit?(): void
  abort(): void
  readonly error: unknown
  oncomplete: unknown
  onabort: unknown
}

type RawRows = {
  drafts: DraftRow
  texts: DraftTextRow
  outbox: OutboxRow
  rescue: RescueRow
  meta: MetaRow
}

type RawStore<Row> = {
  get(key: string): RawRequest<Row | undefined>
  put(row: Row): unknown
  delete(key: unknown): unknown
  index(name: string): { getAll(range: unknown): RawRequest<Row[]> }
}

/** Those of one transaction are answered in their order. */
type RawRequest<Result> = { readonly result: Result; onsuccess: unknown }
