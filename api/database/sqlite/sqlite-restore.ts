import { copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from '../../deps.ts'
import { makeFolder } from '../../process/folders.ts'
import { DatabaseRefused } from '../database-refused.ts'
import Sqlite from './better-sqlite3.ts'
import { forgetUse, kyselyOver, markerOf, takeLock } from './sqlite.ts'
import { flush } from './sqlite-backup.ts'
import { faultOf, tableNames } from './sqlite-check.ts'

export type Restoration = {
  /** New path of the replaced file; null when there was none. */
  keptAside: string | null
}

/** Why this file cannot replace the database, or null. Reads the whole file. */
export function backupFault(backup: string): string | null {
  if (!existsSync(backup)) return 'it does not exist'
  return faultOf(backup) ?? contentFault(backup)
}

function contentFault(backup: string): string | null {
  const sqlite = new Sqlite(backup, { readonly: true })
  try {
    const names = tableNames(sqlite)
    const isOurs = ['meta', 'migrations', 'users', 'articles'].every((name) => names.includes(name))
    return isOurs ? null : 'it is not a database of this program'
  } finally {
    sqlite.close()
  }
}

/**
 * Replaces the database with a copy of a sound backup, while no server runs. `prepare` changes the copy before. The
 * replaced file is renamed with `now` (ISO), together with its journal. After an interruption the next start either
 * finds the old file whole or refuses because there is none; the restore can then be repeated.
 */
export async function restoreSqlite(
  file: string,
  backup: string,
  now: string,
  prepare: (db: Database) => Promise<void>,
): Promise<Restoration> {
  await makeFolder(dirname(file))
  const lock = takeLock(file)
  try {
    const copy = `${file}.restoring`
    await makeReady(copy, backup, prepare)
    const keptAside = setAside(file, `${file}.replaced-${now.replaceAll(':', '-')}`)
    renameSync(copy, file)
    writeFileSync(markerOf(file), `${now}\n`, { flush: true })
    forgetUse(file)
    flush(dirname(file))
    return { keptAside }
  } finally {
    lock.close()
  }
}

async function makeReady(
  copy: string,
  backup: string,
  prepare: (db: Database) => Promise<void>,
): Promise<void> {
  for (const end of ['', '-wal', '-shm']) rmSync(`${copy}${end}`, { force: true })
  copyFileSync(backup, copy)
  const db = kyselyOver(new Sqlite(copy))
  try {
    await prepare(db)
  } catch (fault) {
    throw new DatabaseRefused(
      `The backup cannot be brought up to date: ${(fault as Error).message}`,
    )
  } finally {
    await db.destroy()
  }
  flush(copy)
}

/** Renames the file first: a start in between finds no file, and never one without the end of its journal. */
function setAside(file: string, aside: string): string | null {
  const wasThere = existsSync(file)
  if (wasThere) renameSync(file, aside)
  flush(dirname(file))
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${aside}-wal`)
  rmSync(`${file}-shm`, { force: true })
  return wasThere ? aside : null
}
