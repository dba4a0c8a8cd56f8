import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Environment, readConfig } from '../config.ts'
import { openFile } from '../database/open-database.ts'
import Sqlite from '../database/sqlite/better-sqlite3.ts'
import { backUpSqlite } from '../database/sqlite/sqlite-backup.ts'
import { backupName } from '../operations/backup-folder.ts'
import { misspeltSettings } from '../process/environment.ts'
import { TEST_START } from '../testing/test-app.ts'
import { runDoctor } from './doctor-command.ts'

const HOUR = 3_600_000

let folder: string
let file: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'contun-doctor-'))
  file = join(folder, 'contun.sqlite')
  await (await openFile(file, sources)).close()
})
afterEach(() => rmSync(folder, { recursive: true }))

const sources = { now: new Date(TEST_START).toISOString(), newId: () => 'an id' }
const backup = () => join(folder, 'backups', backupName('regular', TEST_START))
const backUp = () => backUpSqlite(file, backup())

async function examine({
  hours = 1,
  freeMb = (_: string): number => 9_000,
  env = {} as Environment,
  pepper = null as Uint8Array | null,
} = {}) {
  const { text, isWell } = await runDoctor({
    config: readConfig({ DATA_DIR: folder, ...env }),
    pepper,
    misspelt: misspeltSettings(env),
    clock: { now: () => TEST_START + hours * HOUR, monotonic: () => 0 },
    freeBytes: async (where) => freeMb(where) * 1024 * 1024,
    pause: () => Promise.resolve(),
    log: { info: () => {}, warn: () => {}, error: () => {} },
  })
  const wrong = text.split('\n').filter((line) => line.startsWith('WRONG'))
  return { text, isWell, wrong: wrong.map((line) => line.replace(/ +/g, ' ')) }
}

/** Leaves the file as a killed server does: with changes that are only in the journal. */
function die(): void {
  const dying = new Sqlite(file)
  dying.pragma('wal_autocheckpoint = 0')
  dying.exec("update meta set value = '7' where key = 'change_seq'")
  const [bytes, journal] = [readFileSync(file), readFileSync(`${file}-wal`)]
  dying.close()
  writeFileSync(file, bytes)
  writeFileSync(`${file}-wal`, journal)
  writeFileSync(`${file}.in-use`, '')
}

describe('npm run doctor', () => {
  it('says that all is well, and what there is, without a secret', async () => {
    await backUp()
    const env = {
      SMTP_URL: 'smtps://me:hushed@mail.example',
      METRICS_TOKEN: 'hushed hushed'.repeat(2).replaceAll(' ', '-'),
    }
    const { text, isWell } = await examine({ env })
    expect(isWell).toBe(true)
    for (const known of [
      'journal_mode wal',
      'users 0',
      '60 minutes old',
      'login-network 30',
      '9000.0 MB',
    ]) {
      expect(text).toContain(known)
    }
    expect(text).not.toContain('hushed')
  })

  it('counts the admins who have two-step login, and finds those who lack it where it is required', async () => {
    const sqlite = new Sqlite(file)
    const time = '2026-03-02T09:00:00.000Z'
    for (const [id, role] of [
      ['a', 'admin'],
      ['b', 'admin'],
      ['c', 'user'],
    ])
      sqlite
        .prepare('insert into users values (?, ?, ?, ?, ?, ?, 1, ?, ?)')
        .run(id, id, id, `${id}@reeds.example`, 'hash', role, time, time)
    sqlite
      .prepare('insert into authenticator_apps values (?, ?, 0, ?, ?)')
      .run('a', 'secret', time, time)
    sqlite.close()
    const { text, wrong } = await examine()
    expect(text).toContain('two-step login 1 of 2 admins have it; not required')
    expect(wrong).toEqual([])
    const required = await examine({ env: { REQUIRE_SECOND_STEP: 'admins' } })
    expect(required.wrong).toEqual(['WRONG two-step login 1 of 2 admins have it; required'])
  })

  it('works while a server runs, and after one was killed', async () => {
    await backUp()
    const { close } = await openFile(file, sources)
    expect((await examine()).isWell).toBe(true)
    await close()
    die()
    expect(await examine()).toMatchObject({
      isWell: true,
      text: expect.stringContaining('died with it'),
    })
  })

  it('gives a new installation an hour for its first backup', async () => {
    const first = await examine({ hours: 1 })
    expect(first).toMatchObject({ isWell: true, wrong: [] })
    expect(first.text).toContain(`none in ${join(folder, 'backups')} yet`)
    expect((await examine({ hours: 1.1 })).isWell).toBe(false)
  })

  it('finds a backup that is missing, too old or damaged', async () => {
    expect((await examine({ hours: 2 })).wrong).toEqual([
      `WRONG backup none in ${join(folder, 'backups')}`,
    ])
    await backUp()
    expect((await examine({ hours: 3 })).wrong).toEqual([
      expect.stringContaining('180 minutes old'),
    ])
    const bytes = readFileSync(backup())
    bytes.fill(0xff, 4096 * 3, 4096 * 9)
    writeFileSync(backup(), bytes)
    expect((await examine()).wrong).toEqual([expect.stringContaining('WRONG its content')])
    expect((await examine({ env: { BACKUPS: 'off' } })).isWell).toBe(true)
  })

  it('finds that the folder of the backups cannot be read', async () => {
    writeFileSync(join(folder, 'backups'), '')
    expect((await examine()).wrong).toEqual([
      expect.stringMatching(/^WRONG backup BACKUP_DIR \S+\/backups cannot be read \(ENOTDIR: .+\)/),
    ])
  })

  it('goes by the newest backup that no clock dated in the future', async () => {
    await backUp()
    const ahead = backupName('regular', TEST_START + 3 * HOUR)
    await backUpSqlite(file, join(folder, 'backups', ahead))
    const { isWell, text } = await examine()
    expect(isWell).toBe(true)
    expect(text).toContain('60 minutes old')
  })

  it.each(['', 'backups'])('finds that the disk is nearly full that holds ./%s', async (part) => {
    await backUp()
    const full = join(folder, part)
    const env = { DATABASE_URL: `sqlite:${file}`, DATA_DIR: join(folder, 'elsewhere') }
    const { wrong } = await examine({
      env: { ...env, BACKUP_DIR: join(folder, 'backups') },
      freeMb: (where) => (where === full ? 499 : 9_000),
    })
    expect(wrong).toEqual([`WRONG free space 499.0 MB in ${full}`])
  })

  it('finds damaged pages, and references that point to nothing', async () => {
    await backUp()
    const loose = new Sqlite(file)
    loose.pragma('foreign_keys = OFF')
    loose.exec("insert into client_users (client_id, user_id) values ('gone', 'gone')")
    loose.close()
    expect((await examine()).wrong).toEqual([
      expect.stringContaining('rows point to rows that are not there'),
    ])
    const bytes = readFileSync(file)
    bytes.fill(0xff, 4096 * 3, 4096 * 9)
    writeFileSync(file, bytes)
    expect((await examine()).wrong).toEqual([expect.stringMatching(/^WRONG integrity/)])
  })

  it('finds a journal that was removed after a kill, and one of another file', async () => {
    await backUp()
    die()
    rmSync(`${file}-wal`)
    expect((await examine()).wrong).toEqual([expect.stringContaining('journal was removed')])
    die()
    // As when the owner copies a backup over the file by hand.
    writeFileSync(file, readFileSync(backup()))
    expect((await examine()).wrong).toEqual([expect.stringContaining('a journal of another file')])
    const untouched = readFileSync(file)
    await expect(openFile(file, sources)).rejects.toMatchObject({ exitCode: 3 })
    expect(readFileSync(file).equals(untouched)).toBe(true)
  })
})
