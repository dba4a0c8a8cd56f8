import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pepperFault } from '../accounts/pepper.ts'
import { startEpoch } from '../audit/new-epoch.ts'
import type { Config } from '../config.ts'
import { migrate } from '../database/migrations/migrate.ts'
import Sqlite from '../database/sqlite/better-sqlite3.ts'
import { openSqliteToRead } from '../database/sqlite/sqlite.ts'
import { notedPepper } from '../database/sqlite/sqlite-doctor.ts'
import { backupFault, restoreSqlite } from '../database/sqlite/sqlite-restore.ts'
import type { Clock, Database } from '../deps.ts'
import { type Backup, listBackups } from '../operations/backup-folder.ts'
import { CommandError } from './command-error.ts'
import { type Entry, readEntry, settleRestored } from './returned-accounts.ts'

export type RestoreDeps = {
  config: Pick<Config, 'database' | 'backupDir'>
  /** The configured pepper; null when there is none. */
  pepper: Uint8Array | null
  clock: Clock
  newId(): string
}

const USAGE = [
  'npm run restore -- latest    puts the newest sound backup in the place of the database',
  'npm run restore -- FILE      puts this one there',
].join('\n')

const AT_POSTGRES = [
  'The data is in PostgreSQL: stop the servers, put it back with pg_restore, then run',
  'npm run admin -- new-epoch ADDRESS   with the address of the database that was replaced, or none where it is gone:',
  'every page compares what it has with the data, and sessions that were ended after the backup stay ended',
].join('\n')

/**
 * Replaces the database with a backup and returns the text to print. A new epoch begins, so that clients compare all
 * they have with it; sessions that the replaced file does not have end; users whose rights came back are named. Throws,
 * with everything unchanged, when a server runs or the backup has a fault.
 */
export async function runRestore(deps: RestoreDeps, words: readonly string[]): Promise<string> {
  const [what, ...rest] = words
  if (what === undefined || rest.length > 0) throw new CommandError(USAGE)
  const { database } = deps.config
  if (database.engine !== 'sqlite') throw new CommandError(AT_POSTGRES)
  const { backup, skipped } =
    what === 'latest' ? await newestSound(deps.config, deps.clock.now()) : givenOne(what)
  const missing = missingPepper(backup, deps.pepper)
  const now = new Date(deps.clock.now()).toISOString()
  let newest = 'nothing'
  let entry: string[] = []
  const { keptAside } = await restoreSqlite(database.file, backup, now, async (db) => {
    await migrate(db, { now, newId: deps.newId })
    newest = await newestWrite(db)
    const replaced = await entryOfFile(database.file)
    await db.transaction().execute(async (transaction) => {
      await startEpoch(deps, transaction)
      entry = await settleRestored(transaction, replaced)
    })
  })
  return [
    ...skipped,
    `${database.file} is now a copy of ${backup} (${statSync(backup).size} bytes), which was read through before.`,
    `The newest change in it is of ${newest}.`,
    keptAside === null ? 'There was no file in its place.' : `What was there is now ${keptAside}`,
    ...entry,
    ...missing,
    'A new epoch began: every page compares what it has with this data. Start the server.',
  ].join('\n')
}

/** Null where the file is missing or damaged, or lacks its journal: it may have sessions that were ended. */
async function entryOfFile(file: string): Promise<Entry | null> {
  try {
    const replaced = openSqliteToRead(file)
    return replaced && (await readEntry(replaced.db).finally(replaced.close))
  } catch {
    return null
  }
}

/** Throws when the backup needs another pepper. Returns a warning when no pepper is configured yet. */
function missingPepper(backup: string, pepper: Uint8Array | null): string[] {
  const sqlite = new Sqlite(backup, { readonly: true, fileMustExist: true })
  try {
    const fault = pepperFault(notedPepper(sqlite), pepper)
    if (fault !== null && pepper !== null) {
      throw new CommandError(`${backup} is not restored: ${fault}`)
    }
    return fault === null ? [] : [`Before the server starts: ${fault}`]
  } finally {
    sqlite.close()
  }
}

type Choice = { backup: string; skipped: string[] }

function givenOne(what: string): Choice {
  const backup = resolve(what)
  const fault = backupFault(backup)
  if (fault !== null) throw new CommandError(`${backup} cannot be restored: ${fault}`)
  return { backup, skipped: [] }
}

async function newestSound({ backupDir }: Pick<Config, 'backupDir'>, now: number): Promise<Choice> {
  const skipped: string[] = []
  for (const { name } of mostTrusted(await listBackups(backupDir), now)) {
    const backup = join(backupDir, name)
    const fault = backupFault(backup)
    if (fault === null) return { backup, skipped }
    skipped.push(`${backup} was passed over: ${fault}`)
  }
  throw new CommandError([...skipped, `There is no sound backup in ${backupDir}`].join('\n'))
}

/** Backups with a future date come from a clock that ran ahead. Any other one may be newer, so they come last. */
const mostTrusted = (backups: Backup[], now: number): Backup[] => [
  ...backups.filter(({ madeAt }) => madeAt <= now),
  ...backups.filter(({ madeAt }) => madeAt > now),
]

/** The newest backup without a fault, for the message that the database cannot be used; null: none. */
export async function newestSoundBackup(
  config: Pick<Config, 'backupDir'>,
  now: number,
): Promise<string | null> {
  try {
    return (await newestSound(config, now)).backup
  } catch {
    return null
  }
}

async function newestWrite(db: Database): Promise<string> {
  const times = await Promise.all([
    db
      .selectFrom('articles')
      .select((eb) => eb.fn.max('updated_at').as('at'))
      .executeTakeFirst(),
    db
      .selectFrom('audit')
      .select((eb) => eb.fn.max('at').as('at'))
      .executeTakeFirst(),
    db
      .selectFrom('sessions')
      .select((eb) => eb.fn.max('rotated_at').as('at'))
      .executeTakeFirst(),
  ])
  const known = times.flatMap((row) => (row?.at ? [row.at] : []))
  return known.sort().at(-1) ?? 'the day it was made'
}
