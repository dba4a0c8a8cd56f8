import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What every command does first, with nothing but Node: check the version, install, build what is stale. */

export const root = fileURLToPath(new URL('..', import.meta.url))

const SERVER_SOURCES = ['domain', 'api', 'vite.server.config.ts', 'package-lock.json']
const SOURCES = [...SERVER_SOURCES, 'sync', 'web', 'vite.config.ts']
const STAMP = join(root, 'dist/built')
const SERVER = join(root, 'dist/server/start.js')
const INSTALLED = join(root, 'node_modules/.package-lock.json')
/**
 * Whether version 13 of the SQLite driver runs here, which comes as a binary; 12 is compiled for this version of Node.
 */
const HAS_BINARY = Number(process.versions.napi) >= 10
const COMPILED = 'better-sqlite3'
const SQLITE = join(
  root,
  'node_modules',
  HAS_BINARY ? 'better-sqlite3-13' : `${COMPILED}/build/Release/better_sqlite3.node`,
)

/** Stops with one clear line when no SQLite driver runs on this version of Node. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (HAS_BINARY || (major === 20 && minor >= 19)) return
  const needed = 'Node 20.19 or newer of version 20, or Node 22.14 or newer'
  console.error(`Contūn Articles needs ${needed}; this is ${process.versions.node}.`)
  process.exit(1)
}

/** Installs the locked dependencies when they are missing, older than the lock file, or of another version of Node. */
export function installIfNeeded() {
  const isLocked =
    existsSync(INSTALLED) && modified(INSTALLED) >= modified(join(root, 'package-lock.json'))
  if (isLocked && existsSync(SQLITE)) return
  console.log('Installing the dependencies (one to four minutes, only the first time) …')
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  // Also with NODE_ENV=production, because the build needs development dependencies.
  const install = ['ci', '--include=dev', ...quiet]
  if (!HAS_BINARY) return run('npm', install)
  run('npm', [...install, '--ignore-scripts'])
  const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const others = Object.keys(allowScripts).filter(
    (name) => name !== COMPILED && existsSync(join(root, 'node_modules', name)),
  )
  if (others.length > 0) run('npm', ['rebuild', ...others, '--loglevel=error'])
}

/**
 * Builds server and page unless the last build is newer than every source. Returns whether it did, which also checks
 * the types of everything, tests included.
 */
export function buildIfStale() {
  if (existsSync(STAMP) && existsSync(SERVER) && modified(STAMP) >= newestOf(SOURCES)) return false
  const startedAt = Date.now() / 1000
  console.log('Building (about a minute) …')
  runQuietly('npm', ['run', '--silent', 'build'])
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(STAMP, `${startedAt}\n`)
  return true
}

/** Builds the server alone, for tests that start it. */
export function buildServerIfStale() {
  if (newest(SERVER) >= newestOf(SERVER_SOURCES)) return
  run('npm', ['run', '--silent', 'build:server'])
}

/** Runs a command in the project's folder and ends this process with its code when it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options })
  if (result.status !== 0) process.exit(result.status ?? 1)
  return result
}

/** As `run`, and prints what the command said only where it failed. */
function runQuietly(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status === 0) return
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`)
  process.exit(status ?? 1)
}

function newestOf(paths) {
  return Math.max(...paths.map((path) => newest(join(root, path))))
}

function newest(path) {
  if (!existsSync(path)) return 0
  if (!statSync(path).isDirectory()) return modified(path)
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))))
}

/** Seconds since 1970. The stamp says when its build began, so that an edit during a build counts as newer. */
function modified(path) {
  return path === STAMP ? Number(readFileSync(path, 'utf8')) : statSync(path).mtimeMs / 1000
}
