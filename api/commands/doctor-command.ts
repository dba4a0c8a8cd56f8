import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Config, withoutSecrets } from '../config.ts'
import type { DatabaseSources } from '../database/open-database.ts'
import { examinePostgres } from '../database/postgres/postgres-doctor.ts'
import { examineSqlite, installedAt, megabytes } from '../database/sqlite/sqlite-doctor.ts'
import { backupFault } from '../database/sqlite/sqlite-restore.ts'
import type { Clock } from '../deps.ts'
import { listBackups } from '../operations/backup-folder.ts'
import type { Finding } from '../operations/findings.ts'
import type { Misspelt } from '../process/environment.ts'
import * as limits from '../throttle/limits.ts'
import type { Report } from './run-as-command.ts'

const MINUTE = 60_000
const MEGABYTE = 1024 * 1024
/** A backup that is older than this many intervals was missed. */
const PAUSES_MISSED = 2
/** Time in which a new installation may have no backup yet. */
const FIRST_HOUR_MS = 60 * MINUTE

export type DoctorDeps = DatabaseSources & {
  config: Config
  misspelt: readonly Misspelt[]
  /** The configured pepper; null when there is none. */
  pepper: Uint8Array | null
  clock: Clock
  freeBytes(folder: string): Promise<number>
}

type Examined = Pick<DoctorDeps, 'config' | 'clock'>

/** Examines everything without changing anything. Returns the text to print, and whether all is well. */
export async function runDoctor(deps: DoctorDeps): Promise<Report> {
  const findings = [
    ...(await examineDatabase(deps)),
    ...(await backups(deps)),
    ...(await room(deps)),
    ...deps.misspelt.map(({ name, nearest }) => ({
      name: 'configuration',
      isWell: false,
      says: `${name} is no setting; ${nearest} is one`,
    })),
    { name: 'configuration', isWell: true, says: JSON.stringify(withoutSecrets(deps.config)) },
    { name: 'limits', isWell: true, says: limitLines() },
  ]
  const isWell = findings.every((finding) => finding.isWell)
  const lines = findings.map(({ name, isWell: isGood, says }) => {
    return `${isGood ? 'ok   ' : 'WRONG'} ${name.padEnd(14)} ${says}`
  })
  return { isWell, text: [...lines, isWell ? 'All is well.' : 'Not all is well.'].join('\n') }
}

function examineDatabase({ config, pepper, ...sources }: DoctorDeps): Promise<Finding[]> {
  const { database } = config
  return database.engine === 'sqlite'
    ? Promise.resolve(examineSqlite(database.file, { pepper, config }))
    : examinePostgres(database, sources, { pepper, config })
}

async function backups({ config, clock }: Examined): Promise<Finding[]> {
  const { backupDir, backupMinutes } = config
  if (!config.backups) {
    const whose = config.database.engine === 'sqlite' ? 'BACKUPS=off' : 'PostgreSQL has its own'
    return [{ name: 'backup', isWell: true, says: `none are made here (${whose})` }]
  }
  const all = await listBackups(backupDir).catch((fault: Error) => fault)
  if (all instanceof Error) return [{ name: 'backup', isWell: false, says: all.message }]
  // The age of a backup with a future date, from a clock that ran ahead, is unknown.
  const newest = all.find(({ madeAt }) => madeAt <= clock.now()) ?? all[0]
  if (newest === undefined) return [noBackup({ config, clock })]
  const minutes = Math.round((clock.now() - newest.madeAt) / MINUTE)
  const fault = backupFault(join(backupDir, newest.name))
  return [
    {
      name: 'backup',
      isWell: minutes >= 0 && minutes <= backupMinutes * PAUSES_MISSED,
      says: `${newest.name}, ${minutes} minutes old, the newest of ${all.length} in ${backupDir}`,
    },
    { name: 'its content', isWell: fault === null, says: fault ?? 'sound' },
  ]
}

function noBackup({ config: { database, backupDir }, clock }: Examined): Finding {
  const since = database.engine === 'sqlite' ? installedAt(database.file) : null
  const isNew = since !== null && Math.abs(clock.now() - since) <= FIRST_HOUR_MS
  const says = `none in ${backupDir}${isNew ? ' yet: the first comes a minute after a start' : ''}`
  return { name: 'backup', isWell: isNew, says }
}

/** Free space of the folders that this server writes to. With PostgreSQL there may be none. */
function room({ config, freeBytes }: DoctorDeps): Promise<Finding[]> {
  const { database, dataDir, backups, backupDir, freeSpaceMinMb } = config
  const ofData = database.engine === 'sqlite' ? dirname(database.file) : dataDir
  const folders = [ofData, ...(backups ? [backupDir] : [])].filter(existsSync)
  return Promise.all(
    folders.map(async (folder) => {
      const free = await freeBytes(folder)
      const isWell = free >= freeSpaceMinMb * MEGABYTE
      return { name: 'free space', isWell, says: `${megabytes(free)} in ${folder}` }
    }),
  )
}

function limitLines(): string {
  const known = Object.values(limits).filter((limit) => typeof limit === 'object')
  return known
    .map(({ name, most, windowMs }) => `${name} ${most} in ${windowMs / 1000} s`)
    .join(', ')
}
