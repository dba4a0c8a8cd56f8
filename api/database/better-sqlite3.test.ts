import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const SERVER = join(import.meta.dirname, '../../dist/server')

/** Starts the built server in a folder without the packages that have compiled parts. */
function startWithoutDriver(env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'contun-no-driver-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(SERVER, join(folder, 'dist/server'), { recursive: true })
  cpSync(join(SERVER, '../../package.json'), join(folder, 'package.json'))
  return spawnSync(process.execPath, ['dist/server/start.js'], {
    cwd: folder,
    env: { DATA_DIR: join(folder, 'data'), PORT: '0', ...env },
    encoding: 'utf8',
  })
}

test('a server whose SQLite driver cannot be loaded ends with one line that says what to do', () => {
  const { status, stderr } = startWithoutDriver()
  expect({ status, lines: stderr.split('\n').length }).toEqual({ status: 1, lines: 2 })
  expect(stderr).toMatch(
    /^SQLite cannot be loaded by Node [\d.]+ .*: run "npm ci" again with .*\n$/,
  )
})

test('a server over PostgreSQL starts without the SQLite driver', () => {
  const { status, stderr } = startWithoutDriver({
    DATABASE_URL: 'postgres://contun@127.0.0.1:1/contun',
    JWT_SECRET: 'x'.repeat(32),
    PASSWORD_PEPPER: 'x'.repeat(32),
  })
  expect(status).toBe(1)
  expect(stderr).toMatch(/^DATABASE_URL: .*ECONNREFUSED.*\n$/)
})
