import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../../process/folders.ts'
import Sqlite from './better-sqlite3.ts'
import { faultOf } from './sqlite-check.ts'

/** Pages per step; other work runs between two steps. */
const PAGES_PER_STEP = 256

/** Suffix of a backup that is being written, or that a killed process left. */
export const UNFINISHED = '.part'

/**
 * Copies the committed data to `target`, without blocking writers. The copy is one file without a journal. It gets its
 * name after it was checked and flushed to the disk; a copy with a fault is deleted, and the fault is thrown.
 */
export async function backUpSqlite(file: string, target: string): Promise<void> {
  const unfinished = `${target}${UNFINISHED}`
  await makeFolder(dirname(target))
  removeCopy(unfinished)
  try {
    await copySnapshot(file, unfinished)
    makeSingleFile(unfinished)
    const fault = faultOf(unfinished)
    if (fault !== null) throw new Error(`The copy is not sound: ${fault}`)
    flush(unfinished)
  } catch (fault) {
    removeCopy(unfinished)
    throw fault
  }
  renameSync(unfinished, target)
  flush(dirname(target))
}

/** The open transaction keeps the view on one state, so that a write does not restart the copy. */
async function copySnapshot(file: string, target: string): Promise<void> {
  const source = new Sqlite(file, { readonly: true, fileMustExist: true })
  try {
    source.exec('begin')
    source.prepare('select count(*) from sqlite_master').get()
    await source.backup(target, { progress: () => PAGES_PER_STEP })
  } finally {
    source.close()
  }
}

/** Switches the copy to journal mode DELETE, so that a WAL next to it is recognized as another file's. */
function makeSingleFile(file: string): void {
  const copy = new Sqlite(file)
  try {
    copy.pragma('journal_mode = DELETE')
  } finally {
    copy.close()
  }
}

function removeCopy(file: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${end}`, { force: true })
}

/** Returns when a file, or the names in a folder, are on the disk. */
export function flush(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
