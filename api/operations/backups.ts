import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { DatabaseRefused } from '../database/database-refused.ts'
import type { Clock, Log } from '../deps.ts'
import {
  type Backup,
  type BackupKind,
  backupName,
  listBackups,
  tidyBackups,
} from './backup-folder.ts'

const MINUTE = 60_000
/** Pause after a failed backup, or one without room. */
const PAUSE_MS = 10 * MINUTE
const MEGABYTE = 1024 * 1024

export type Backups = {
  /** Makes a backup before a migration. Throws DatabaseRefused when that fails. */
  makeBeforeChange(): Promise<void>
  /** Makes a backup when the newest is old enough, and logs the result. Never rejects. */
  makeIfDue(): Promise<void>
  isRunning(): boolean
  /** Age of the newest backup in milliseconds; null when there is none without a future date. */
  age(): number | null
}

export type BackupSources = {
  config: Pick<
    Config,
    'backupDir' | 'backupMinutes' | 'backupsHourly' | 'backupsDaily' | 'freeSpaceMinMb'
  >
  /** Path of the database file. */
  file: string
  clock: Clock
  log: Log
  /** Free bytes where this folder is, or will be. */
  freeBytes(folder: string): number
  /** Copies a database file that is in use, and checks the copy. */
  backUp(file: string, target: string): Promise<void>
}

/** Regular copies of the database in a folder, of which the oldest are deleted. */
export function createBackups(sources: BackupSources): Backups {
  const { config, clock, log } = sources
  let isRunning = false
  let pausedUntil = 0

  const age = () => newestAge(config.backupDir, clock.now())

  function isDue(): boolean {
    if (isRunning || clock.monotonic() < pausedUntil) return false
    const since = age()
    return since === null || since >= config.backupMinutes * MINUTE
  }

  async function attempt(): Promise<void> {
    isRunning = true
    try {
      await makeBackup(sources, 'regular')
    } catch (err) {
      pausedUntil = clock.monotonic() + PAUSE_MS
      if (err instanceof NoRoom) log.warn({ reason: err.message }, 'No room for a backup')
      else log.error({ err }, 'Backup failed')
    } finally {
      isRunning = false
    }
  }

  return {
    makeBeforeChange: () => makeBeforeChange(sources),
    age,
    isRunning: () => isRunning,
    makeIfDue: async () => {
      if (isDue()) await attempt()
    },
  }
}

function newestAge(folder: string, now: number): number | null {
  // The real time of a copy with a future date, made while the clock was ahead, is unknown.
  const newest = backupsIn(folder).find(({ madeAt }) => madeAt <= now)
  return newest === undefined ? null : now - newest.madeAt
}

/** Empty where the folder cannot be read, as when its disk is gone: making a backup then reports the reason. */
function backupsIn(folder: string): Backup[] {
  try {
    return listBackups(folder)
  } catch {
    return []
  }
}

async function makeBackup(sources: BackupSources, kind: BackupKind): Promise<void> {
  const { config, file, clock, log, backUp } = sources
  const folder = config.backupDir
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  ensureRoom(sources)
  const started = clock.monotonic()
  const name = backupName(kind, clock.now())
  await backUp(file, join(folder, name))
  const kept = { hourly: config.backupsHourly, daily: config.backupsDaily }
  tidyBackups(folder, kept, clock.now())
  const ms = Math.round(clock.monotonic() - started)
  log.info({ backup: name, bytes: statSync(join(folder, name)).size, ms }, 'Backup made')
}

/** The copy must leave space for writes during and after it. */
function ensureRoom({ config, file, freeBytes }: BackupSources): void {
  const folder = config.backupDir
  const wanted = config.freeSpaceMinMb * MEGABYTE + statSync(file).size
  const free = freeBytes(folder)
  if (free >= wanted) return
  const [freeMb, wantedMb] = [free, wanted].map((bytes) => Math.floor(bytes / MEGABYTE))
  throw new NoRoom(`${folder} has ${freeMb} MB left, and ${wantedMb} MB are wanted`)
}

async function makeBeforeChange(sources: BackupSources): Promise<void> {
  try {
    await makeBackup(sources, 'before-migration')
  } catch (fault) {
    const why = fault instanceof Error ? fault.message : String(fault)
    const advice = fault instanceof NoRoom ? ' FREE_SPACE_MIN_MB and BACKUP_DIR may help.' : ''
    throw new DatabaseRefused(
      `The tables were not changed, because no backup could be made before: ${why}.${advice}`,
    )
  }
}

/** There is too little room for a backup. */
export class NoRoom extends Error {}
