import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

test('a fresh clone is installed with what builds it, also where NODE_ENV is production', () => {
  const clone = mkdtempSync(join(tmpdir(), 'contun-clone-'))
  onTestFinished(() => rmSync(clone, { recursive: true }))
  mkdirSync(join(clone, 'scripts'))
  cpSync(join(import.meta.dirname, 'prepare.mjs'), join(clone, 'scripts/prepare.mjs'))
  writeFileSync(join(clone, 'package-lock.json'), '{}')
  // A replacement for npm that records its arguments.
  writeFileSync(join(clone, 'npm'), '#!/bin/sh\necho "$NODE_ENV $@" > called\n')
  chmodSync(join(clone, 'npm'), 0o755)
  const install = "import('./scripts/prepare.mjs').then((prepare) => prepare.installIfNeeded())"
  const { status } = spawnSync(process.execPath, ['-e', install], {
    cwd: clone,
    env: { PATH: `${clone}${delimiter}${process.env.PATH}`, NODE_ENV: 'production' },
  })
  expect(status).toBe(0)
  expect(readFileSync(join(clone, 'called'), 'utf8')).toMatch(/^production ci .*--include=dev/)
})
