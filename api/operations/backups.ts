import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { DatabaseRefused } from '../database/database-refused.ts'
import type { Clock, Log } from '../deps.ts'
import { ensureFolder, makeFolder } from '../process/folders.ts'
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
/** What a start waits for the folder. */
const FOLDER_MS = 5_000
/** Work on the folder that takes longer is logged: its disk may have gone. */
const STALL_MS = 30 * MINUTE
const MEGABYTE = 1024 * 1024

export type Backups = ReturnType<typeof createBackups>

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
  freeBytes(folder: string): Promise<number>
  /** Copies a database file that is in use, and checks the copy. */
  backUp(file: string, target: string): Promise<void>
  /** Returns a function that cancels the call. */
  after(ms: number, callback: () => void): () => void
}

/** Regular copies of the database in a folder, of which the oldest are deleted. */
export function createBackups(sources: BackupSources) {
  const { config, clock, log, after } = sources
  const { backupDir } = config
  /** As of the last look: the folder may be on a disk that does not answer, for which nothing else waits. */
  let known: Backup[] = []
  /** When the work on the folder began that is under way; null: there is none. */
  let busySince: number | null = null
  let isStallLogged = false
  let isCopying = false
  let pausedUntil = 0

  async function alone(work: () => Promise<void>): Promise<void> {
    busySince = clock.monotonic()
    isStallLogged = false
    try {
      await work()
    } finally {
      busySince = null
    }
  }

  async function look(): Promise<void> {
    known = await listBackups(backupDir).catch(() => [])
  }

  function age(): number | null {
    // The real time of a copy with a future date, made while the clock was ahead, is unknown.
    const newest = known.find(({ madeAt }) => madeAt <= clock.now())
    return newest === undefined ? null : clock.now() - newest.madeAt
  }

  async function copy(kind: BackupKind): Promise<void> {
    const backUp: BackupSources['backUp'] = async (file, target) => {
      isCopying = true
      try {
        await sources.backUp(file, target)
      } finally {
        isCopying = false
      }
    }
    await makeBackup({ ...sources, backUp }, kind)
  }

  async function attempt(): Promise<void> {
    await look()
    const since = age()
    if (since !== null && since < config.backupMinutes * MINUTE) return
    try {
      await copy('regular')
    } catch (err) {
      pausedUntil = clock.monotonic() + PAUSE_MS
      if (err instanceof NoRoom) log.warn({ reason: err.message }, 'No room for a backup')
      else log.error({ err }, 'Backup failed')
    }
    await look()
  }

  function noteStall(): void {
    if (busySince === null || isStallLogged || clock.monotonic() - busySince < STALL_MS) return
    isStallLogged = true
    log.error({ backupDir }, STALLED)
  }

  return {
    /**
     * Makes the folder. Rejects with a ConfigError where it cannot be written; a disk that does not answer is logged after
     * FOLDER_MS, and the server starts without backups.
     */
    prepare: () =>
      new Promise<void>((resolve, reject) => {
        const cancel = after(FOLDER_MS, () => {
          log.error({ backupDir }, STALLED)
          resolve()
        })
        const checked = alone(() => ensureFolder('BACKUP_DIR', backupDir).then(look))
        checked.finally(cancel).then(resolve, reject)
      }),
    /** Makes a backup before a migration. Throws DatabaseRefused when that fails. */
    async makeBeforeChange() {
      if (busySince !== null) throw refusedChange(STALLED)
      await alone(() => copy('before-migration')).catch((fault: unknown) => {
        const why = fault instanceof Error ? fault.message : String(fault)
        const advice = fault instanceof NoRoom ? ' FREE_SPACE_MIN_MB and BACKUP_DIR may help.' : ''
        throw refusedChange(`${why}.${advice}`)
      })
    },
    /** Age of the newest backup in milliseconds; null when there is none without a future date. */
    age,
    /** Whether a copy is being made, which reads one state of the journal. */
    isCopying: () => isCopying,
    /** Makes a backup when the newest is old enough, and logs the result. Never rejects. */
    async makeIfDue() {
      if (busySince !== null) noteStall()
      else if (clock.monotonic() >= pausedUntil) await alone(attempt)
    },
  }
}

const STALLED = 'BACKUP_DIR does not answer: there are no backups until it does'

const refusedChange = (why: string) =>
  new DatabaseRefused(`The tables were not changed, because no backup could be made before: ${why}`)

async function makeBackup(sources: BackupSources, kind: BackupKind): Promise<void> {
  const { config, file, clock, log, backUp } = sources
  const folder = config.backupDir
  await makeFolder(folder)
  await ensureRoom(sources)
  const started = clock.monotonic()
  const name = backupName(kind, clock.now())
  await backUp(file, join(folder, name))
  const kept = { hourly: config.backupsHourly, daily: config.backupsDaily }
  await tidyBackups(folder, kept, clock.now())
  const ms = Math.round(clock.monotonic() - started)
  const { size: bytes } = await stat(join(folder, name))
  log.info({ backup: name, bytes, ms }, 'Backup made')
}

/** The copy must leave space for writes during and after it. */
async function ensureRoom({ config, file, freeBytes }: BackupSources): Promise<void> {
  const folder = config.backupDir
  const wanted = config.freeSpaceMinMb * MEGABYTE + (await stat(file)).size
  const free = await freeBytes(folder)
  if (free >= wanted) return
  const [freeMb, wantedMb] = [free, wanted].map((bytes) => Math.floor(bytes / MEGABYTE))
  throw new NoRoom(`${folder} has ${freeMb} MB left, and ${wantedMb} MB are wanted`)
}

/** There is too little room for a backup. */
export class NoRoom extends Error {}
