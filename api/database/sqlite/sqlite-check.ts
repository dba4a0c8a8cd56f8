import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import Sqlite from './better-sqlite3.ts'

/** Files up to this size are checked completely at every start; that takes a fraction of a second. */
const READ_THROUGH_MAX = 32 * 1024 * 1024

export const isSmall = (file: string): boolean => statSync(file).size <= READ_THROUGH_MAX

/** Checks the whole file. Returns its fault, or null. Throws no error that the file itself causes. */
export function faultOf(file: string): string | null {
  let sqlite: Sqlite.Database | undefined
  try {
    sqlite = new Sqlite(file, { readonly: true, fileMustExist: true })
    const verdict = sqlite.pragma('integrity_check(1)', { simple: true })
    if (verdict !== 'ok') return String(verdict)
    const dangling = sqlite.pragma('foreign_key_check') as unknown[]
    return dangling.length === 0 ? null : `${dangling.length} rows point to rows that are not there`
  } catch (fault) {
    return (fault as Error).message
  } finally {
    sqlite?.close()
  }
}

/**
 * A check that takes a fraction of a second at every start: every page of a small file; of a large one the schema and
 * both ends of each table, in addition to the header and the length, which SQLite checks on opening. Returns the fault
 * or null; SQLite may throw as well.
 */
export function quickFaultOf(
  sqlite: Sqlite.Database,
  file: string,
  isReadThrough = isSmall(file),
): string | null {
  if (isReadThrough) {
    const verdict = sqlite.pragma('quick_check(1)', { simple: true })
    return verdict === 'ok' ? null : String(verdict)
  }
  for (const name of tableNames(sqlite)) {
    for (const order of ['asc', 'desc']) {
      sqlite.prepare(`select * from "${name}" order by rowid ${order} limit 1`).get()
    }
  }
  return null
}

/** Tables of rows, without the internal tables of a search index. */
export function tableNames(sqlite: Sqlite.Database): string[] {
  return sqlite
    .prepare<[], string>(
      `select name from pragma_table_list
        where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name`,
    )
    .pluck()
    .all()
}

export const journalBytes = (file: string): number =>
  existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0

type Header = { pageSize: number; hasJournal: boolean }

function readHeader(file: string): Header {
  const bytes = firstBytes(file, 100)
  const pageSize = bytes.readUInt16BE(16)
  return {
    // 65,536 does not fit into two bytes.
    pageSize: pageSize === 1 ? 65_536 : pageSize,
    hasJournal: bytes[18] === 2,
  }
}

/**
 * Whether the journal of a killed server is missing, and with it perhaps the last changes. `wasStopped`: whether the
 * last server shut down cleanly.
 */
export const isJournalGone = (file: string, wasStopped: boolean): boolean =>
  !wasStopped && existsSync(file) && !existsSync(`${file}-wal`)

/**
 * Why the journal next to the file cannot belong to it, or null. SQLite would write the pages of such a journal into
 * the file all the same. Only for a process that does not have the file open: closing it here would release the locks
 * of its connections.
 */
export function foreignJournal(file: string): string | null {
  const bytes = journalBytes(file)
  if (bytes < 32 || statSync(file).size < 100) return null
  const { pageSize, hasJournal } = readHeader(file)
  const journalPage = firstBytes(`${file}-wal`, 12).readUInt32BE(8)
  if (hasJournal && journalPage === pageSize) return null
  return 'a journal of another file lies beside it'
}

function firstBytes(file: string, count: number): Buffer {
  const bytes = Buffer.alloc(count)
  const handle = openSync(file, 'r')
  try {
    readSync(handle, bytes, 0, count, 0)
  } finally {
    closeSync(handle)
  }
  return bytes
}
