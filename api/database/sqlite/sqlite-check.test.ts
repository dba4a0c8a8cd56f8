import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readMeta } from '../meta-rows.ts'
import { openDatabase, openFile } from '../open-database.ts'
import Sqlite from './better-sqlite3.ts'
import { quickFaultOf } from './sqlite-check.ts'

const sources = { now: '2026-03-02T09:00:00.000Z', newId: () => 'an id' }

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contun-check-'))
  chmodSync(folder, 0o777)
  file = join(folder, 'contun.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a database that is too large to be read through at every start', () => {
  const look = () => {
    const sqlite = new Sqlite(file)
    try {
      return quickFaultOf(sqlite, file, false)
    } catch (fault) {
      return (fault as { code: string }).code
    } finally {
      sqlite.close()
    }
  }
  const rootOf = (table: string) => {
    const sqlite = new Sqlite(file)
    const find = sqlite.prepare<[string], number>(
      'select rootpage from sqlite_master where name = ?',
    )
    const page = find.pluck().get(table) ?? 0
    sqlite.close()
    return page
  }

  it('is well, or lacks its end, or the beginning of a table', async () => {
    await (await openFile(file, sources)).close()
    const sound = readFileSync(file)
    expect(look()).toBeNull()
    truncateSync(file, sound.length - 8192)
    expect(look()).toBe('SQLITE_CORRUPT')
    writeFileSync(file, sound)
    for (const table of ['users', 'articles', 'meta']) {
      const start = (rootOf(table) - 1) * 4096
      writeFileSync(file, Buffer.from(sound).fill(0xff, start, start + 4096))
      expect(look()).toBe('SQLITE_CORRUPT')
      writeFileSync(file, sound)
    }
    expect(look()).toBeNull()
  })
})

describe('a database that cannot be written', () => {
  /** Runs as a user other than root: root may write everything. */
  async function asNobody(work: () => Promise<void>): Promise<void> {
    const isRoot = process.geteuid?.() === 0
    if (isRoot) process.seteuid?.(65_534)
    try {
      await work()
    } finally {
      if (isRoot) process.seteuid?.(0)
    }
  }
  const isRefused = () =>
    expect(openFile(file, sources)).rejects.toThrow(
      /^\S+contun\.sqlite cannot be written \(.+\)\. The file and its folder must belong to the account/,
    )

  it('because of its folder is refused with one clear line', async () => {
    chmodSync(folder, 0o555)
    await asNobody(isRefused)
  })

  it('because of its folder, which cannot be made, too', async () => {
    chmodSync(folder, 0o555)
    file = join(folder, 'inner', 'contun.sqlite')
    await asNobody(isRefused)
  })

  it('because of the file itself, too, and stays as it is', async () => {
    mkdirSync(join(folder, 'data'))
    chmodSync(join(folder, 'data'), 0o777)
    file = join(folder, 'data', 'contun.sqlite')
    await (await openFile(file, sources)).close()
    const before = readFileSync(file)
    chmodSync(`${file}.lock`, 0o666)
    chmodSync(file, 0o444)
    await asNobody(isRefused)
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('because it is a folder is refused, and the folder stays as open as it was', async () => {
    mkdirSync(file)
    chmodSync(file, 0o755)
    await expect(openFile(file, sources)).rejects.toThrow()
    expect(statSync(file).mode & 0o777).toBe(0o755)
  })
})

describe('a start', { tags: ['@fault-72'] }, () => {
  let ids = 0
  const start = async () => {
    const warned: string[] = []
    const log = {
      info: () => {},
      error: () => {},
      warn: (_: object, text: string) => warned.push(text),
    }
    const pause = async () => {}
    const asked = { ...sources, newId: () => `id ${++ids}`, log, pause }
    const database = await openDatabase({ engine: 'sqlite', file }, asked)
    const epoch = await readMeta(database.db, 'server_epoch')
    return { ...database, epoch, warned }
  }
  /** The files of a running server, as a kill or a copy of the disk leaves them. */
  async function dieAfter(write: (open: Awaited<ReturnType<typeof start>>) => Promise<unknown>) {
    const running = await start()
    await write(running)
    const names = ['', '-wal', '.in-use'].map((end) => `${file}${end}`)
    const left = names.map((name) => [name, readFileSync(name)] as const)
    await running.close()
    for (const [name, bytes] of left) writeFileSync(name, bytes)
    return running.epoch
  }
  const write = ({ db }: Awaited<ReturnType<typeof start>>) =>
    db.updateTable('meta').set({ value: '7' }).where('key', '=', 'change_seq').execute()

  it('that finds the journal of a dead server continues its history', async () => {
    await (await start()).close()
    const epoch = await dieAfter(write)
    const next = await start()
    expect([next.epoch, next.warned]).toEqual([epoch, []])
    expect(await readMeta(next.db, 'change_seq')).toBe('7')
    await next.close()
  })

  it('that finds it gone begins a new epoch, once, and says so in the log', async () => {
    await (await start()).close()
    const epoch = await dieAfter(write)
    rmSync(`${file}-wal`)
    const next = await start()
    expect(next.warned).toEqual([expect.stringContaining('A new epoch began')])
    expect(next.epoch).not.toBe(epoch)
    const actions = await next.db.selectFrom('audit').select('action').execute()
    expect(actions).toEqual([{ action: 'server.new-epoch' }])
    await next.close()
    const later = await start()
    expect([later.epoch, later.warned]).toEqual([next.epoch, []])
    await later.close()
  })

  it('after an end in order, and the very first one, begin none', async () => {
    const first = await start()
    await first.close()
    const second = await start()
    expect([second.epoch, first.warned, second.warned]).toEqual([first.epoch, [], []])
    await second.close()
  })
})
