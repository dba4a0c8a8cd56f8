import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const SERVER = join(import.meta.dirname, '../../dist/server')

test('a server whose SQLite driver cannot be loaded ends with one line that says what to do', () => {
  const folder = mkdtempSync(join(tmpdir(), 'contun-no-driver-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(SERVER, join(folder, 'dist/server'), { recursive: true })
  cpSync(join(SERVER, '../../package.json'), join(folder, 'package.json'))
  const { status, stderr } = spawnSync(process.execPath, ['dist/server/start.js'], {
    cwd: folder,
    env: { DATA_DIR: join(folder, 'data'), PORT: '0' },
    encoding: 'utf8',
  })
  expect({ status, lines: stderr.split('\n').length }).toEqual({ status: 1, lines: 2 })
  expect(stderr).toMatch(
    /^SQLite cannot be loaded by Node [\d.]+ .*: run "npm ci" again with .*\n$/,
  )
})
