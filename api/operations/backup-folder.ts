import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { UNFINISHED } from '../database/sqlite/sqlite-backup.ts'
import { unusable } from '../process/folders.ts'

/** Reason of a backup. Those before migrations are kept apart from the regular ones. */
export type BackupKind = 'regular' | 'before-migration'

export type Backup = {
  name: string
  kind: BackupKind
  /** Milliseconds since 1970, by the clock of the server. */
  madeAt: number
}

export type Kept = { hourly: number; daily: number }

const BEFORE_MIGRATION_KEPT = 3
const NAME =
  /^contun-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)\.(\d{3})Z(\.before-migration)?\.sqlite$/

/** `contun-2026-03-02T09-00-00.000Z.sqlite`: not every file system allows a colon. */
export function backupName(kind: BackupKind, now: number): string {
  const time = new Date(now).toISOString().replaceAll(':', '-')
  return `contun-${time}${kind === 'regular' ? '' : `.${kind}`}.sqlite`
}

/** Newest first. Other files in the folder are ignored. Rejects with a ConfigError where it cannot be read. */
export const listBackups = async (folder: string): Promise<Backup[]> =>
  backupsAmong(await namesIn(folder))

const backupsAmong = (names: readonly string[]): Backup[] =>
  names.flatMap(readName).sort((a, b) => b.madeAt - a.madeAt)

/** Empty where there is no such folder yet. */
const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code === 'ENOENT') return []
    throw unusable(`BACKUP_DIR ${folder}`, 'read', fault)
  })

function readName(name: string): Backup[] {
  const parts = NAME.exec(name)
  if (parts === null) return []
  const [, day, hour, minute, second, ms, before] = parts
  const madeAt = Date.parse(`${day}T${hour}:${minute}:${second}.${ms}Z`)
  return Number.isNaN(madeAt)
    ? []
    : [{ name, madeAt, kind: before === undefined ? 'regular' : 'before-migration' }]
}

/**
 * Backups to delete, of a list with the newest first: all but the last of each hour and of each day, for as many hours
 * and days as are kept. The newest one always stays.
 */
export function surplus(backups: readonly Backup[], { hourly, daily }: Kept): Backup[] {
  const regular = backups.filter(({ kind }) => kind === 'regular')
  const kept = new Set<Backup>([
    ...backups.slice(0, 1),
    ...backups.filter(({ kind }) => kind === 'before-migration').slice(0, BEFORE_MIGRATION_KEPT),
    ...lastOfEach(regular, hourly, 'yyyy-mm-ddThh'.length),
    ...lastOfEach(regular, daily, 'yyyy-mm-dd'.length),
  ])
  return backups.filter((backup) => !kept.has(backup))
}

/** The last backup of each of the latest `count` hours or days with one; `letters` is the length of the time prefix. */
function lastOfEach(backups: readonly Backup[], count: number, letters: number): Backup[] {
  const seen = new Set<string>()
  return backups.filter(({ madeAt }) => {
    const period = new Date(madeAt).toISOString().slice(0, letters)
    const isNew = !seen.has(period) && seen.size < count
    seen.add(period)
    return isNew
  })
}

/**
 * Deletes surplus backups, and partial ones of a killed process. Backups with a future date, from a clock that ran
 * ahead, are ignored until then: they would displace all current ones.
 */
export async function tidyBackups(folder: string, kept: Kept, now: number): Promise<void> {
  const names = await namesIn(folder)
  const unfinished = names.filter((name) => readName(name.split(UNFINISHED)[0] ?? '').length > 0)
  const stale = unfinished.filter((name) => name.includes(UNFINISHED))
  const known = backupsAmong(names).filter(({ madeAt }) => madeAt <= now)
  const old = surplus(known, kept).map(({ name }) => name)
  for (const name of [...stale, ...old]) await rm(join(folder, name), { force: true })
}
