import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root } from './prepare.mjs'

/** Newer than 24.19, where version 12 of the SQLite driver aborts. */
const VERSION = '24.21.0'
const FOLDER = join(root, 'node_modules/.cache', `node-${VERSION}`)
const SYSTEM = process.platform === 'win32' ? 'win' : process.platform
const NODE = join(FOLDER, 'node_modules', `node-${SYSTEM}-${process.arch}`, 'bin/node')

/**
 * A second version of Node for the tests, from its npm package, and in `node_modules` the SQLite driver that it runs,
 * which npm leaves out of an installation by Node 20. The program is kept in a folder of its own, because the `node` of
 * a package in `node_modules` would be run in the place of the system's by every script. Returns the path of the
 * program and the environment to run it in; null where it could not be installed.
 */
export function provideNode24() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const [driver, source] = Object.entries(optionalDependencies)[0]
  if (!existsSync(NODE)) {
    const packages = [`node-${SYSTEM}-${process.arch}@${VERSION}`, `${driver}@${source}`]
    const quiet = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error']
    spawnSync('npm', ['install', '--prefix', FOLDER, ...quiet, ...packages], { stdio: 'inherit' })
  }
  if (!existsSync(NODE)) return null
  const place = join(root, 'node_modules', driver)
  if (!existsSync(place)) symlinkSync(join(FOLDER, 'node_modules', driver), place, 'junction')
  return { node: NODE, env: { PATH: [join(NODE, '..'), process.env.PATH].join(delimiter) } }
}
