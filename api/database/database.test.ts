import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../deps.ts'
import { insertUser } from '../users/user-rows.ts'
import { readMeta } from './meta-rows.ts'
import { type Migration, migrate } from './migrations/migrate.ts'
import { openFile } from './open-database.ts'
import Sqlite, { SQLITE_PACKAGE } from './sqlite/better-sqlite3.ts'
import { openMemoryDatabase } from './sqlite/sqlite.ts'

const sources = { now: '2026-03-02T09:00:00.000Z', newId: () => 'an id' }

const tablesOf = async (db: Database) => {
  const { rows } = await sql<{ name: string }>`
    select name from pragma_table_list
      where type = 'table' and schema = 'main' and name not like 'sqlite%' order by name`.execute(
    db,
  )
  return rows.map((row) => row.name)
}

const ada = {
  id: '0195a000-0000-7000-8000-000000000001',
  name: 'Ada',
  email: 'ada@contun.example',
  passwordHash: '',
  role: 'user' as const,
  createdAt: sources.now,
}

describe('migrations', () => {
  it('make every table, once', async () => {
    const db = openMemoryDatabase()
    await migrate(db, sources)
    await migrate(db, { ...sources, newId: () => 'another id' })
    expect(await tablesOf(db)).toEqual(
      'article_counts article_mails article_marks article_news article_notes article_plans article_revisions article_standing articles audit authenticator_apps brief_templates changes client_users clients deleted_articles deleted_revisions followed_clients hand_ins idempotency invitations mail_bounces mail_choices mail_outbox meta migrations morning_mails passkeys program_token_clients program_tokens receipt_keys recovery_codes remembered_devices reset_tokens second_step_tickets sessions standing_counts undelivered_texts users visits'.split(
        ' ',
      ),
    )
    expect(await readMeta(db, 'server_epoch')).toBe('an id')
    expect(await readMeta(db, 'change_seq')).toBe('0')
  })

  it('leave nothing behind when one throws half-way, and keep what came before', async () => {
    const db = openMemoryDatabase()
    const make =
      (name: string): Migration =>
      (at) =>
        at.schema.createTable(name).addColumn('id', 'text').execute()
    const half: Migration = async (at) => {
      await make('half')(at, sources)
      throw new Error('no more room')
    }
    await expect(migrate(db, sources, { '1': make('kept'), '2': half })).rejects.toThrow(
      'no more room',
    )
    expect(await tablesOf(db)).toEqual(['kept', 'migrations'])
    await migrate(db, sources, { '1': make('kept'), '2': make('half') })
    expect(await tablesOf(db)).toEqual(['half', 'kept', 'migrations'])
  })

  it('refuse a database of a newer release', async () => {
    const db = openMemoryDatabase()
    await migrate(db, sources)
    await sql`insert into migrations values ('003-comments', '2027-01-01')`.execute(db)
    await expect(migrate(db, sources)).rejects.toThrow('needs a newer release')
  })

  it('index every column that points to another row', async () => {
    const db = openMemoryDatabase()
    await migrate(db, sources)
    const { rows } = await sql<{ column: string; indexed: number }>`
      select t.name || '.' || f."from" as "column",
        exists (
          select 1 from pragma_index_list(t.name) i, pragma_index_info(i.name) c
          where c.seqno = 0 and c.name = f."from"
        ) as indexed
      from sqlite_master t, pragma_foreign_key_list(t.name) f where t.type = 'table'`.execute(db)
    expect(rows.length).toBeGreaterThan(7)
    expect(rows.filter((row) => row.indexed === 0)).toEqual([])
  })
})

describe('the database file', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'contun-database-'))
    file = join(folder, 'contun.sqlite')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** A file with one user in it, closed. */
  async function used(): Promise<void> {
    const { db, close } = await openFile(file, sources)
    await insertUser(db, ada)
    await close()
  }

  it('is set so that what was answered survives', async () => {
    const { db, close } = await openFile(file, sources)
    const setting = async (name: string) => {
      const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db)
      return Object.values(rows[0] ?? {})[0]
    }
    expect(await setting('journal_mode')).toBe('wal')
    expect(await setting('synchronous')).toBe(2)
    expect(await setting('foreign_keys')).toBe(1)
    expect(await setting('busy_timeout')).toBe(500)
    expect(await setting('trusted_schema')).toBe(0)
    expect(await setting('cell_size_check')).toBe(1)
    expect(await setting('journal_size_limit')).toBe(64 * 1024 * 1024)
    await close()
  })

  it('is one file after closing, and has everything when it is opened again', async () => {
    await used()
    expect(existsSync(`${file}-wal`)).toBe(false)
    const { db, close } = await openFile(file, sources)
    expect(await db.selectFrom('users').select('email').execute()).toEqual([{ email: ada.email }])
    await close()
  })

  it('takes the write lock when a transaction begins', async () => {
    const { db, close } = await openFile(file, sources)
    const foreign = new Sqlite(file, { timeout: 0 })
    await db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('users').selectAll().execute()
      expect(() => foreign.exec('begin immediate')).toThrow('locked')
    })
    foreign.exec('begin immediate')
    const blocked = db.transaction().execute((transaction) => insertUser(transaction, ada))
    await expect(blocked).rejects.toMatchObject({ code: 'SQLITE_BUSY' })
    foreign.exec('rollback')
    foreign.close()
    expect(await db.selectFrom('users').selectAll().execute()).toEqual([])
    await close()
  })

  it('serves one process: a second opening is refused, and works when the first is closed', async () => {
    const { close } = await openFile(file, sources)
    await expect(openFile(file, sources)).rejects.toThrow('Another process is already serving')
    await close()
    await (await openFile(file, sources)).close()
  })

  it('is free again when the process that served it was killed', async () => {
    await used()
    const program = `const Sqlite = require('${SQLITE_PACKAGE}')
      const lock = new Sqlite(process.argv[1] + '.lock')
      lock.exec('begin exclusive')
      const db = new Sqlite(process.argv[1])
      db.exec("begin; delete from users")
      console.log('holding')
      setInterval(() => {}, 1000)`
    const holder = spawn(process.execPath, ['-e', program, file], { stdio: 'pipe' })
    await once(holder.stdout, 'data')
    await expect(openFile(file, sources)).rejects.toThrow('Another process')
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    const { db, close } = await openFile(file, sources)
    expect(await db.selectFrom('users').selectAll().execute()).toHaveLength(1)
    await close()
  })

  it('is refused when it is missing or empty though it held data before', async () => {
    await used()
    truncateSync(file)
    await expect(openFile(file, sources)).rejects.toThrow('is empty, but it held data before')
    rmSync(file)
    await expect(openFile(file, sources)).rejects.toThrow('is missing, but it held data before')
    expect(existsSync(file)).toBe(false)
  })

  it('is refused untouched when it is no database, or a damaged one', async () => {
    const text = 'These are the minutes of the meeting, not a database. '.repeat(100)
    writeFileSync(file, text)
    const refused = { name: 'DatabaseRefused', exitCode: 3 }
    await expect(openFile(file, sources)).rejects.toMatchObject(refused)
    expect(readFileSync(file, 'utf8')).toBe(text)
    rmSync(file)
    await used()
    const bytes = readFileSync(file)
    bytes.fill(0xff, 4096 * 2, 4096 * 12)
    writeFileSync(file, bytes)
    await expect(openFile(file, sources)).rejects.toMatchObject(refused)
    expect(readFileSync(file).equals(bytes)).toBe(true)
  })

  it('of a newer release is refused, and not kept open', async () => {
    await used()
    const { db, close } = await openFile(file, sources)
    await sql`insert into migrations values ('999-newer', '2027-01-01')`.execute(db)
    await close()
    await expect(openFile(file, sources)).rejects.toThrow('needs a newer release')
    await expect(openFile(file, sources)).rejects.toThrow('needs a newer release')
  })
})
