import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const SERVER = join(import.meta.dirname, '../../../dist/server')

/** Runs the built server, or a command, in a folder without the packages that have compiled parts. */
function runWithoutDriver(words: string[], env: Record<string, string> = {}) {
  const [script = '', ...rest] = words
  const folder = mkdtempSync(join(tmpdir(), 'contun-no-driver-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(SERVER, join(folder, 'dist/server'), { recursive: true })
  cpSync(join(SERVER, '../../package.json'), join(folder, 'package.json'))
  return spawnSync(process.execPath, [join('dist/server', script), ...rest], {
    cwd: folder,
    env: { DATA_DIR: join(folder, 'data'), PORT: '0', ...env },
    encoding: 'utf8',
  })
}

test('a server whose SQLite driver cannot be loaded ends with one line that says what to do', () => {
  const { status, stderr } = runWithoutDriver(['start.js'])
  expect({ status, lines: stderr.split('\n').length }).toEqual({ status: 1, lines: 2 })
  expect(stderr).toMatch(
    /^SQLite cannot be loaded by Node [\d.]+ .*: run "npm ci" again with .*\n$/,
  )
})

const POSTGRES = {
  DATABASE_URL: 'postgres://contun@127.0.0.1:1/contun',
  JWT_SECRET: 'x'.repeat(32),
  PASSWORD_PEPPER: 'x'.repeat(32),
}
const { DATABASE_URL } = POSTGRES

test.each([
  [['start.js'], /^DATABASE_URL: .*ECONNREFUSED.*\n$/],
  [['admin.js', 'log'], /^DATABASE_URL: .*ECONNREFUSED.*\n$/],
  [['move.js', '--from', DATABASE_URL, '--to', DATABASE_URL], /^DATABASE_URL: .*ECONNREFUSED.*\n$/],
  [['doctor.js'], /^WRONG database +PostgreSQL .*ECONNREFUSED/],
  [['restore.js', 'latest'], /^The data is in PostgreSQL: /],
])('%j over PostgreSQL needs no SQLite driver', (words, says) => {
  const { status, stdout, stderr } = runWithoutDriver(words, { ...POSTGRES, LOG_LEVEL: 'silent' })
  expect(status).toBe(1)
  expect(stdout + stderr).toMatch(says)
})
