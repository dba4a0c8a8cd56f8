import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Tokens } from '../../domain/wire/users.ts'
import { ensurePepper } from '../accounts/pepper.ts'
import { newestSoundBackup, runRestore } from '../commands/restore-command.ts'
import { ConfigError } from '../config.ts'
import { readMeta } from '../database/meta-rows.ts'
import { type Migration, migrate } from '../database/migrations/migrate.ts'
import { openFile } from '../database/open-database.ts'
import Sqlite from '../database/sqlite/better-sqlite3.ts'
import { backUpSqlite } from '../database/sqlite/sqlite-backup.ts'
import { faultOf } from '../database/sqlite/sqlite-check.ts'
import type { Database } from '../deps.ts'
import { createTestApp, TEST_START } from '../testing/test-app.ts'
import { backupName, listBackups, surplus, tidyBackups } from './backup-folder.ts'
import { type BackupSources, createBackups } from './backups.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const iso = (time: number) => new Date(time).toISOString()

let folder: string
let file: string
let backupDir: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contun-backups-'))
  file = join(folder, 'contun.sqlite')
  backupDir = join(folder, 'backups')
})
afterEach(() => rmSync(folder, { recursive: true }))

let ids = 0
const newId = () => `id ${++ids}`
const open = (sources = {}) => openFile(file, { now: iso(TEST_START), newId, ...sources })

const write = (db: Database, name: string) =>
  db
    .insertInto('clients')
    .values({
      id: newId(),
      name,
      name_folded: name,
      moonowl: 0,
      created_at: iso(TEST_START),
      updated_at: iso(TEST_START),
      deleted_at: null,
    })
    .execute()

const clientNames = (at: string) => {
  const sqlite = new Sqlite(at, { readonly: true })
  const names = sqlite.prepare<[], string>('select name from clients order by name').pluck().all()
  sqlite.close()
  return names
}

const damage = (at: string) => {
  const bytes = readFileSync(at)
  bytes.fill(0xff, 4096 * 3, 4096 * 9)
  writeFileSync(at, bytes)
}

describe('a backup', () => {
  it('is a valid file with all that was committed when it began, despite concurrent writes', async () => {
    const { db, close } = await open()
    await db.transaction().execute(async (transaction) => {
      for (let count = 0; count < 5_000; count += 1) await write(transaction, `before ${count}`)
    })
    const target = join(backupDir, 'copy.sqlite')
    let isDone = false
    const copied = backUpSqlite(file, target).then(() => {
      isDone = true
    })
    let during = 0
    while (!isDone) {
      await write(db, `during ${during++}`)
      await new Promise((turn) => setImmediate(turn))
    }
    await copied
    expect(during).toBeGreaterThan(1)
    expect(faultOf(target)).toBeNull()
    expect(clientNames(target).filter((name) => name.startsWith('before'))).toHaveLength(5_000)
    expect(clientNames(target).filter((name) => name.startsWith('during')).length).toBeLessThan(
      during,
    )
    expect(readdirSync(backupDir)).toEqual(['copy.sqlite'])
    await close()
  })

  it('of a damaged database is thrown away', async () => {
    const { db, close } = await open()
    for (let count = 0; count < 100; count += 1) await write(db, `client ${count}`)
    await close()
    damage(file)
    await expect(backUpSqlite(file, join(backupDir, 'copy.sqlite'))).rejects.toThrow()
    expect(readdirSync(backupDir)).toEqual([])
  })
})

describe('the folder of backups', () => {
  const names = (times: number[]) =>
    times.map((madeAt) => ({
      madeAt,
      kind: 'regular' as const,
      name: backupName('regular', madeAt),
    }))

  it('keeps the last of each of 24 hours and of 14 days', () => {
    const everyHour = Array.from({ length: 40 * 24 }, (_, hour) => TEST_START - hour * HOUR)
    const gone = new Set(surplus(names(everyHour), { hourly: 24, daily: 14 }))
    const kept = names(everyHour).filter(({ name }) => ![...gone].some((old) => old.name === name))
    const ages = kept.map(({ madeAt }) => (TEST_START - madeAt) / HOUR)
    // It is nine o'clock: the last of yesterday was made ten hours ago.
    const days = Array.from({ length: 13 }, (_, day) => 10 + day * 24)
    const expected = [...new Set([...Array.from({ length: 24 }, (_, hour) => hour), ...days])]
    expect(ages).toEqual(expected.sort((a, b) => a - b))
  })

  it('makes no room for those of a clock that ran ahead', async () => {
    mkdirSync(backupDir)
    const ahead = Array.from({ length: 30 }, (_, day) => TEST_START + (day + 1) * DAY)
    for (const { name } of names([TEST_START, ...ahead])) writeFileSync(join(backupDir, name), '')
    await tidyBackups(backupDir, { hourly: 24, daily: 14 }, TEST_START)
    expect((await listBackups(backupDir)).map(({ madeAt }) => madeAt)).toContain(TEST_START)
  })

  it('keeps three from before new tables, whatever came later', () => {
    const before = [1, 2, 3, 4].map((days) => {
      const madeAt = TEST_START - days * DAY
      const kind = 'before-migration' as const
      return { madeAt, kind, name: backupName(kind, madeAt) }
    })
    const all = [...names([TEST_START]), ...before]
    expect(surplus(all, { hourly: 1, daily: 1 })).toEqual([before[3]])
  })
})

describe('backups of a server', () => {
  function office(
    given: Partial<BackupSources['config']> = {},
    sources: Partial<BackupSources> = {},
  ) {
    const state = { now: TEST_START, monotonic: 0, free: 10_000 * 1024 * 1024, fails: false }
    const log: string[] = []
    const say = (level: string) => (_: object, message: string) =>
      void log.push(`${level}: ${message}`)
    const backups = createBackups({
      config: {
        backupDir,
        backupMinutes: 60,
        backupsHourly: 2,
        backupsDaily: 1,
        freeSpaceMinMb: 500,
        ...given,
      },
      file,
      clock: { now: () => state.now, monotonic: () => state.monotonic },
      log: { info: say('info'), warn: say('warn'), error: say('error') },
      freeBytes: async () => state.free,
      after: () => () => {},
      backUp: (from, to) =>
        state.fails ? Promise.reject(new Error('EIO')) : backUpSqlite(from, to),
      ...sources,
    })
    const pass = (ms: number) => {
      state.now += ms
      state.monotonic += Math.max(ms, 0)
      return backups.makeIfDue()
    }
    return { backups, state, log, pass }
  }
  const made = async () =>
    (await listBackups(backupDir)).map(({ madeAt }) => (madeAt - TEST_START) / MINUTE)

  it('are none where the folder cannot be read, which is said and ends nothing', async () => {
    await (await open()).close()
    writeFileSync(backupDir, 'a file, where the mounted folder was')
    const { backups, pass, log } = office()
    await pass(0)
    expect(backups.age()).toBeNull()
    expect(log).toEqual(['error: Backup failed'])
  })

  it('come every hour, also after a restart, and the older ones go', async () => {
    await (await open()).close()
    const { pass, backups } = office()
    expect(backups.age()).toBeNull()
    await pass(0)
    await pass(59 * MINUTE)
    expect(await made()).toEqual([0])
    expect(backups.age()).toBe(59 * MINUTE)
    await pass(MINUTE)
    await pass(HOUR)
    expect(await made()).toEqual([120, 60])
    const afterRestart = office()
    await afterRestart.pass(2 * HOUR + 30 * MINUTE)
    expect(await made()).toEqual([120, 60])
  })

  it('come at once when the clock was set back', async () => {
    await (await open()).close()
    const { pass } = office({ backupsHourly: 24 })
    await pass(0)
    await pass(-HOUR)
    expect(await made()).toEqual([0, -60])
  })

  it('come as often as ever while there is one of a clock that ran ahead', async () => {
    await (await open()).close()
    const { pass, backups } = office({ backupsHourly: 24 })
    await pass(2 * DAY)
    await pass(-2 * DAY)
    await pass(MINUTE)
    expect(await made()).toEqual([2 * DAY, 0].map((ms) => ms / MINUTE))
    expect(backups.age()).toBe(MINUTE)
    await pass(59 * MINUTE)
    expect(await made()).toEqual([2 * DAY, HOUR, 0].map((ms) => ms / MINUTE))
  })

  it('pause with a warning while there is little space, and resume when there is space', async () => {
    await (await open()).close()
    const { pass, state, log } = office()
    state.free = 500 * 1024 * 1024
    await pass(0)
    await pass(MINUTE)
    expect([await made(), log]).toEqual([[], ['warn: No room for a backup']])
    state.free *= 2
    await pass(10 * MINUTE)
    expect(await made()).toEqual([11])
  })

  it('that fail are logged as faults and tried again after ten minutes', async () => {
    await (await open()).close()
    const { pass, state, log } = office()
    state.fails = true
    await pass(0)
    await pass(9 * MINUTE)
    state.fails = false
    expect([await made(), log]).toEqual([[], ['error: Backup failed']])
    await pass(MINUTE)
    expect(await made()).toEqual([10])
  })

  it('are waited for by nothing while their disk does not answer, which is said once', async () => {
    await (await open()).close()
    const disk = { hangs: false, calls: 0, answer: (_free: number) => {} }
    const { pass, backups, log } = office(
      {},
      {
        freeBytes: () => {
          disk.calls += 1
          if (!disk.hangs) return Promise.resolve(10_000 * 1024 * 1024)
          return new Promise((resolve) => {
            disk.answer = resolve
          })
        },
      },
    )
    await pass(0)
    disk.hangs = true
    void pass(HOUR)
    await expect.poll(() => disk.calls).toBe(2)
    for (let minutes = 0; minutes < 60; minutes += 1) await pass(MINUTE)
    expect([disk.calls, backups.isCopying(), backups.age()]).toEqual([2, false, 2 * HOUR])
    expect(log.slice(1)).toEqual([
      'error: BACKUP_DIR does not answer: there are no backups until it does',
    ])
    await expect(backups.makeBeforeChange()).rejects.toThrow('BACKUP_DIR does not answer')
    disk.hangs = false
    disk.answer(10_000 * 1024 * 1024)
    await expect.poll(() => backups.age()).not.toBe(2 * HOUR)
    expect(await made()).toHaveLength(2)
  })

  it('remove what a process that died was writing', async () => {
    await (await open()).close()
    const { pass } = office()
    await pass(0)
    const unfinished = join(backupDir, `${backupName('regular', TEST_START)}.part`)
    writeFileSync(unfinished, 'half')
    writeFileSync(join(backupDir, 'notes.txt'), 'mine')
    await pass(HOUR)
    expect(existsSync(unfinished)).toBe(false)
    expect(existsSync(join(backupDir, 'notes.txt'))).toBe(true)
  })

  it('come before the tables of a database with data are changed, or nothing is changed', async () => {
    const { db, close } = await open()
    const { backups, state } = office()
    const change: Migration = (at) =>
      at.schema.createTable('comments').addColumn('id', 'text').execute()
    const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db)
    const all = Object.fromEntries(rows.map(({ name }) => [name, async () => {}]))
    const sources = {
      now: iso(TEST_START),
      newId,
      beforeChange: backups.makeBeforeChange,
    }
    state.free = 0
    await expect(migrate(db, sources, { ...all, '999-comments': change })).rejects.toThrow(
      /^The tables were not changed, because no backup could be made before: .+ 0 MB left, and .+FREE_SPACE_MIN_MB/,
    )
    expect((await db.introspection.getTables()).map(({ name }) => name)).not.toContain('comments')
    state.free = 10_000 * 1024 * 1024
    await migrate(db, sources, { ...all, '999-comments': change })
    expect((await listBackups(backupDir)).map(({ kind }) => kind)).toEqual(['before-migration'])
    await migrate(db, sources, { ...all, '999-comments': change })
    expect(await listBackups(backupDir)).toHaveLength(1)
    await close()
  })
})

describe('npm run restore', () => {
  let pepper: Uint8Array | null = null
  const clock = { now: () => TEST_START + DAY, monotonic: () => 0 }
  const restore = (...words: string[]) =>
    runRestore(
      { config: { database: { engine: 'sqlite', file }, backupDir }, pepper, clock, newId },
      words,
    )
  const backUp = (time = TEST_START) => {
    const target = join(backupDir, backupName('regular', time))
    return backUpSqlite(file, target).then(() => target)
  }
  it('refuses a backup with another pepper, and warns where there is none yet', async () => {
    const right = Buffer.from('a pepper of at least 32 characters')
    const { close } = await open({ verify: (db: Database) => ensurePepper(db, right) })
    const target = await backUp()
    await close()
    const before = readFileSync(file)
    pepper = Buffer.from('another pepper of 32 characters!')
    await expect(restore(target)).rejects.toThrow('PASSWORD_PEPPER is not the one')
    expect(readFileSync(file).equals(before)).toBe(true)
    pepper = null
    expect(await restore(target)).toContain('Before the server starts: PASSWORD_PEPPER is not set')
    pepper = right
    expect(await restore(target)).not.toContain('PEPPER')
    pepper = null
  })

  const epoch = async () => {
    const { db, close } = await open()
    const value = await readMeta(db, 'server_epoch')
    await close()
    return value
  }

  async function scene() {
    const { db, close } = await open()
    await write(db, 'kept')
    const backup = await backUp()
    await write(db, 'written after the backup')
    await close()
    return { backup, before: await epoch() }
  }

  it('puts the newest backup there, begins a new epoch and keeps what was there', async () => {
    const { backup, before } = await scene()
    const told = await restore('latest')
    expect(told).toContain(`is now a copy of ${backup}`)
    expect(told).toContain('A new epoch began')
    expect(clientNames(file)).toEqual(['kept'])
    expect(await epoch()).not.toBe(before)
    const aside = /What was there is now (\S+)/.exec(told)?.[1] ?? ''
    expect(aside).toBe(`${file}.replaced-2026-03-03T09-00-00.000Z`)
    expect(clientNames(aside)).toEqual(['kept', 'written after the backup'])
    expect(clientNames(backup)).toEqual(['kept'])
  })

  it('lets no journal of the old file into the new one, and keeps it with the old one', async () => {
    const { backup } = await scene()
    const dying = new Sqlite(file)
    dying.pragma('wal_autocheckpoint = 0')
    dying.exec("update clients set name = 'only in the journal' where name = 'kept'")
    const journal = readFileSync(`${file}-wal`)
    const bytes = readFileSync(file)
    dying.close()
    writeFileSync(file, bytes)
    writeFileSync(`${file}-wal`, journal)
    writeFileSync(`${file}-shm`, 'of a process that died')
    const told = await restore(backup)
    expect(clientNames(file)).toEqual(['kept'])
    const aside = /What was there is now (\S+)/.exec(told)?.[1] ?? ''
    expect(clientNames(aside)).toEqual(['only in the journal', 'written after the backup'])
  })

  it('is refused while a server has the file', async () => {
    const { backup } = await scene()
    const { close } = await open()
    await expect(restore(backup)).rejects.toThrow('Another process is already serving')
    await close()
    expect(clientNames(file)).toHaveLength(2)
  })

  it('says in one line that the folder of the backups cannot be read', async () => {
    writeFileSync(backupDir, '')
    await expect(restore('latest')).rejects.toThrow(ConfigError)
    await expect(restore('latest')).rejects.toThrow(`BACKUP_DIR ${backupDir} cannot be read (`)
  })

  it('refuses a damaged backup and leaves everything as it was; latest passes it over', async () => {
    const { backup } = await scene()
    const newer = await backUp(TEST_START + HOUR)
    damage(newer)
    expect(await newestSoundBackup({ backupDir }, clock.now())).toBe(backup)
    await expect(restore(newer)).rejects.toThrow('cannot be restored')
    expect(clientNames(file)).toHaveLength(2)
    expect(await restore('latest')).toContain(`${newer} was passed over`)
    expect(clientNames(file)).toEqual(['kept'])
  })

  it('takes one of a clock that ran ahead only where no other is sound', async () => {
    const ahead = await scene()
    const { db, close } = await open()
    const future = await backUp(TEST_START + 3 * DAY)
    await write(db, 'written with the right clock')
    const present = await backUp(TEST_START + HOUR)
    await close()
    expect(await newestSoundBackup({ backupDir }, TEST_START + DAY)).toBe(present)
    expect(await restore('latest')).toContain(`is now a copy of ${present}`)
    damage(present)
    damage(ahead.backup)
    expect(await restore('latest')).toContain(`is now a copy of ${future}`)
  })

  it.each([
    ['there is none', () => {}, 'There is no sound backup'],
    ['it is another database', foreignDatabase, 'not a database of this program'],
  ])('is refused when %s', async (_, prepare, message) => {
    prepare()
    await expect(restore('latest')).rejects.toThrow(message)
    expect(existsSync(file)).toBe(false)
  })

  function foreignDatabase(): void {
    const name = join(folder, 'other.sqlite')
    const other = new Sqlite(name)
    other.exec('create table recipes (id)')
    other.close()
    const bytes = readFileSync(name)
    mkdirSync(backupDir)
    writeFileSync(join(backupDir, backupName('regular', TEST_START)), bytes)
  }

  /** Accounts at the time of the backup, and the rights that were revoked after it. */
  async function entryScene() {
    const opened = await open()
    const app = await createTestApp({ db: opened.db })
    const admin = await app.user({ role: 'admin', email: 'rosa@moonowl.example' })
    const demoted = await app.user({ role: 'admin', email: 'demoted@moonowl.example' })
    const deleted = await app.user({ email: 'deleted@larkspur.example' })
    const renewed = await app.user({ email: 'renewed@larkspur.example' })
    const moved = await app.user({ email: 'moved@larkspur.example' })
    const left = await app.user({ email: 'left@larkspur.example' })
    const kept = await app.user({ email: 'kept@larkspur.example' })
    const client = await app.client({ name: 'Larkspur Gardens', users: [deleted, left, kept] })
    const sessions = new Map(
      await Promise.all(
        [demoted, deleted, renewed, moved, left, kept].map(
          async (person) => [person.email, await app.signIn(person)] as const,
        ),
      ),
    )
    await app.as(null).post('/v1/auth/forgot-password', { email: renewed.email })
    await app.settled()
    const backup = await backUp()
    const users = '/v1/users'
    await app.as(admin).patch(`${users}/${demoted.id}`, { role: 'user' })
    await app.as(admin).delete(`${users}/${deleted.id}`)
    await app.as(admin).patch(`${users}/${renewed.id}`, { password: 'a lamp in the reeds' })
    await app.as(admin).patch(`${users}/${moved.id}`, { email: 'other@larkspur.example' })
    await app.as(admin).patch(`/v1/clients/${client.id}`, { users: [kept.id] })
    const out = sessions.get(left.email)?.refresh.token
    await app.as(null).post('/v1/auth/logout', { refreshToken: out })
    const oldest = sessions.get(kept.email)?.refresh.token
    const refresh = async (refreshToken?: string) =>
      (await app.as(null).post('/v1/auth/refresh-tokens', { refreshToken })).json()
    const newest = (await refresh((await refresh(oldest)).refresh.token)) as Tokens
    return { opened, backup, sessions, oldest, newest }
  }

  async function reopened() {
    const { db, close } = await open()
    const app = await createTestApp({ db })
    const status = async (token?: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await app.app.request('/v1/articles/client/myArticles', { headers })).status
    }
    const refresh = async (refreshToken?: string) =>
      (await app.as(null).post('/v1/auth/refresh-tokens', { refreshToken })).status
    return { db, close, status, refresh }
  }

  it('ends the sessions that the replaced file does not have, and names the restored users', async () => {
    const { opened, sessions, oldest, newest } = await entryScene()
    await opened.close()
    const told = await restore('latest')
    expect(told).toContain('3 sessions ended that the replaced data does not have.')
    expect(told.match(/^ {2}.+$/gm)).toEqual([
      '  deleted@larkspur.example was deleted and has an account again',
      '  demoted@moonowl.example is an admin again',
      '  left@larkspur.example belongs to the client Larkspur Gardens again',
      '  moved@larkspur.example was other@larkspur.example at last',
      '  renewed@larkspur.example has an earlier password again',
    ])
    const { db, close, status, refresh } = await reopened()
    for (const gone of ['deleted', 'renewed', 'left']) {
      const session = sessions.get(`${gone}@larkspur.example`)
      expect([gone, await status(session?.access.token)]).toEqual([gone, 401])
      expect([gone, await refresh(session?.refresh.token)]).toEqual([gone, 401])
    }
    expect(await status(sessions.get('demoted@moonowl.example')?.access.token)).toBe(200)
    expect(await status(newest.access.token)).toBe(200)
    expect(await db.selectFrom('reset_tokens').selectAll().execute()).toEqual([])
    // Used up before the file was replaced.
    expect(await refresh(oldest)).toBe(401)
    await close()
  })

  it.each([
    ['is gone', () => rmSync(file)],
    ['is damaged', () => damage(file)],
    [
      'lacks the journal of a server that died',
      () => {
        writeFileSync(`${file}.in-use`, '')
        rmSync(`${file}-wal`, { force: true })
      },
    ],
  ])('ends every session where the replaced file %s, and names the admins', async (_, spoil) => {
    const { opened, newest } = await entryScene()
    await opened.close()
    spoil()
    const told = await restore('latest')
    expect(told).toContain('6 sessions ended, as there is no replaced data to compare with.')
    expect(told.match(/^ {2}.+$/gm)).toEqual([
      '  demoted@moonowl.example is an admin',
      '  rosa@moonowl.example is an admin',
    ])
    const { close, status } = await reopened()
    expect(await status(newest.access.token)).toBe(401)
    await close()
  })

  it('reads the journal that a server left which died', async () => {
    const { opened, newest } = await entryScene()
    const left = [file, `${file}-wal`].map((path) => ({ path, copy: `${path}.copy` }))
    for (const { path, copy } of left) copyFileSync(path, copy)
    await opened.close()
    for (const { path, copy } of left) copyFileSync(copy, path)
    writeFileSync(`${file}.in-use`, '')
    expect(await restore('latest')).toContain('3 sessions ended that the replaced data')
    const { close, status } = await reopened()
    expect(await status(newest.access.token)).toBe(200)
    await close()
  })

  it('says so where nothing came back', async () => {
    await scene()
    expect(await restore('latest')).toContain('No deleted account, former password, role')
  })

  it('works where the database is lost, and the server starts with it', async () => {
    const { backup } = await scene()
    rmSync(file)
    await expect(open()).rejects.toMatchObject({ needsBackup: true })
    expect(await restore(backup)).toContain('There was no file in its place')
    await (await open()).close()
  })
})
