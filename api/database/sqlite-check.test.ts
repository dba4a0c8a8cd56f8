import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFile } from './open-database.ts'
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
  /** As an account that is not root: root may write everything. */
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
})
