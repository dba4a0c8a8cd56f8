import type { Table } from 'dexie'
import type { LocalDatabase } from './database.ts'

/**
 * Functions name the tables that they use in their types, so that a call in a transaction that lacks one of them does
 * not compile.
 *
 * - `In`: runs in a transaction of the caller.
 * - `Tables`: the same, or outside, where each request is a transaction of its own.
 * - `LocalDatabase`: opens the transactions that it needs, and is not called in another one.
 */
export type TableName = {
  [Name in keyof LocalDatabase]: LocalDatabase[Name] extends Table ? Name : never
}[keyof LocalDatabase]

/** What a database has besides rows. */
type State = 'name' | 'backendDB' | 'chunkSizes' | 'snapshotStore' | 'unsaved' | 'withoutRoom'

export type Tables<Names extends TableName> = Pick<LocalDatabase, Names | State>

declare const running: unique symbol
type Running = { readonly [running]: true }

/** The tables of a running transaction. */
export type In<Names extends TableName> = Tables<Names> & Running

/** Where an article has rows, but for the server's revisions and the exit snapshots. */
export const ARTICLE_TABLES = [
  'articles',
  'docs',
  'drafts',
  'texts',
  'outbox',
  'localRevs',
  'meta',
] as const
export type InArticleTables = In<(typeof ARTICLE_TABLES)[number]>

/** Runs `scope` in a transaction over these tables: all of its writes are stored, or none when it rejects. */
export function transact<Names extends TableName, Result>(
  database: LocalDatabase,
  mode: 'r' | 'rw',
  names: readonly Names[],
  scope: (tables: In<Names>) => Promise<Result>,
): Promise<Result> {
  const tables = database as LocalDatabase & Running
  // An async function itself, or Dexie would commit before an inner await returns.
  return database.transaction(mode, names, async () => scope(tables))
}
