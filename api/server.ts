import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { Server } from 'node:http'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { getHeapStatistics } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { type DestinationStream, pino } from 'pino'
import { makeFirstAdmin } from './accounts/first-admin.ts'
import { findPepper, readKeys } from './accounts/keys.ts'
import { passwordPool } from './accounts/password-pool.ts'
import { passwordHasher } from './accounts/passwords.ts'
import { ensurePepper } from './accounts/pepper.ts'
import { createApp } from './app.ts'
import { newestSoundBackup } from './commands/restore-command.ts'
import {
  type Config,
  ConfigError,
  type Environment,
  readConfig,
  readFirstAdmin,
  withoutSecrets,
} from './config.ts'
import { DatabaseRefused } from './database/database-refused.ts'
import { idSource, pooled } from './database/new-id.ts'
import { openDatabase } from './database/open-database.ts'
import { hasData } from './database/sqlite/sqlite.ts'
import { isSmall } from './database/sqlite/sqlite-check.ts'
import type { SqliteJob, SqliteOutcome } from './database/sqlite/sqlite-worker.ts'
import type { Clock, Database, Deps, Log } from './deps.ts'
import { createChangeFeed } from './events/change-feed.ts'
import { currentReceiptKey } from './hand-ins/receipt-key-rows.ts'
import { createListener, type Listener, listen, portOf } from './http/http-listener.ts'
import { keptReleases } from './http/kept-releases.ts'
import { staticFiles } from './http/static-files.ts'
import { fileMailer, smtpMailer } from './mail/mailer.ts'
import { createBackups } from './operations/backups.ts'
import { createHealth } from './operations/health.ts'
import { LOOK_MS, type Reading, watchLoad } from './operations/load.ts'
import { createMetrics } from './operations/metrics.ts'
import { createPresence } from './presence/presence.ts'
import { backgroundTasks } from './process/background-tasks.ts'
import { misspeltSettings } from './process/environment.ts'
import { ensureFolder } from './process/folders.ts'
import { jobs, startJobs } from './process/housekeeping.ts'
import { createOutput, standardWrite } from './process/output.ts'
import { packageFolder } from './process/package-folder.ts'
import { stopsGracefully } from './process/stop.ts'
import { noteDuty } from './second-step/duty.ts'
import { memoryCounts } from './throttle/count-store.ts'
import { createThrottle, noThrottle } from './throttle/throttle.ts'
import { createTraffic } from './throttle/traffic.ts'

/** The real clock, random source, threads, files and sockets. Everything else receives them from here. */

const PUBLIC_FOLDER = fileURLToPath(new URL('../public', import.meta.url))
const PASSWORD_WORKER = new URL('./accounts/password-worker.js', import.meta.url)
const SQLITE_WORKER = new URL('./database/sqlite/sqlite-worker.js', import.meta.url)

/** Where there are other nodes, the proxy asks each of them every second whether it is ready. */
const NOTICE_MS = 3_000

export const clock: Clock = { now: () => Date.now(), monotonic: () => performance.now() }
export const newId = idSource(clock.now, pooled(randomBytes))
/** For commands, which print their own messages. */
export const quiet: Log = { info: () => {}, warn: () => {}, error: () => {} }

const openOutput = (handle: 1 | 2) => createOutput({ write: standardWrite(handle), after: waking })
const output = openOutput(1)
/** Prints text among the lines of the log. Never waits: what the reader does not take is dropped. */
export const print = (text: string): void => output.write(text)

/**
 * Serves until a stop signal. `prepare` may fill the database between its opening and the first request. A fault of the
 * settings or of the database ends the process with a one-line message.
 */
export async function serve(
  readSettings: () => Environment,
  prepare: (deps: Deps) => Promise<void> = async () => {},
): Promise<void> {
  let env: Environment = {}
  keepFilesPrivate()
  // Node prints its warnings there; one that cannot be written is no fault of the server.
  process.stderr.on('error', () => {})
  try {
    env = readSettings()
    await start(env, prepare)
  } catch (fault) {
    const errors = openOutput(2)
    errors.write(`${lineFor(fault)}\n${await adviceFor(fault, env)}`)
    await Promise.all([output.flushed(), errors.flushed()])
    await exit(fault instanceof DatabaseRefused ? fault.exitCode : 1)
  }
}

/** Threads with work on whole files. */
const threads = new Set<Worker>()
/** What a stop waits for threads in calls of the file system, which end in a moment where the disk answers. */
const CALLS_MS = 1_000

/**
 * Node waits for its threads before it ends, and a call of a file system that hangs never returns: the exit code is lost
 * then, because nothing but a kill ends the process.
 */
async function exit(code: number): Promise<void> {
  const stopped = Promise.all([...threads].map((thread) => thread.terminate()))
  const ended = (async () => {
    await stopped
    while (isInFileCall()) await new Promise<void>((later) => void waking(CALLS_MS / 10, later))
    return true
  })()
  const late = new Promise<boolean>((done) => void waking(CALLS_MS, () => done(false)))
  if (!(await Promise.race([ended, late]))) process.kill(process.pid, 'SIGKILL')
  process.exit(code)
}

const isInFileCall = (): boolean =>
  process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))

/** New files are readable by the owner only, because they contain passwords, sessions and texts. */
export const keepFilesPrivate = (): void => void process.umask(0o077)

async function start(env: Environment, prepare: (deps: Deps) => Promise<void>): Promise<void> {
  const asked = readConfig(env)
  const firstAdmin = readFirstAdmin(env)
  const log = openLog(asked)
  output.onceTaken((dropped) =>
    log.warn({ dropped }, 'Log lines were dropped: the output was not read'),
  )
  const listener = createListener({ newId, log })
  await listen(listener.server, asked)
  const config = readConfig({ ...env, PORT: String(portOf(listener.server)) })
  log.info({ config: withoutSecrets(config) }, 'Starting')
  for (const misspelt of misspeltSettings(env)) log.warn(misspelt, 'A setting may be misspelt')

  const storage = await openStorage(env, config, log)
  const deps = createDeps(storage, config, log, listener)
  await noteDuty(deps, deps.db)
  await prepare(deps)
  const password = await makeFirstAdmin(deps, firstAdmin)
  listener.use(createApp(deps, builtPages(deps)))
  startPeriodicWork(deps, storage)
  announce(listener.server, config, password && { ...firstAdmin, password })
}

type Storage = Awaited<ReturnType<typeof openStorage>>

/** Opens the keys and the database, which is backed up before its tables are changed. */
async function openStorage(env: Environment, config: Config, log: Log) {
  const file = config.database.engine === 'sqlite' ? config.database.file : null
  if (file !== null) await ensureFolder('DATA_DIR', config.dataDir)
  const keys = readKeys(env, {
    dataDir: config.dataDir,
    isInstalled: file !== null && hasData(file),
    isShared: file === null,
    randomBytes,
  })
  const now = new Date(clock.now()).toISOString()
  const backups = createBackups({ config, file: file ?? '', clock, log, freeBytes, backUp, after })
  if (config.backups) await backups.prepare()
  const beforeChange = config.backups ? backups.makeBeforeChange : undefined
  const verify = (db: Database) => ensurePepper(db, keys.pepper)
  const sources = { now, newId, beforeChange, verify, log, pause }
  const database = await openDatabase(config.database, sources)
  // The first one is published from the first start on.
  await currentReceiptKey(database.db, keys, now)
  return { keys, backups, database }
}

function createDeps(
  { keys, backups, database }: Storage,
  config: Config,
  log: Log,
  { server, closeUnused }: Listener,
): Deps {
  const health = createHealth(log)
  const tasks = backgroundTasks({ log, health }, setImmediate)
  const { db, send } = database
  const changes = createChangeFeed({ db, clock, log, health, after })
  const presence = createPresence({ db, clock, log, nodeId: newId(), changes, send, after })
  database.listen({ changed: () => tasks.run(changes.look), received: presence.received })
  const counts = database.counts(memoryCounts(clock.monotonic))
  const pool = openPasswordPool()
  const noticeMs = config.database.engine === 'sqlite' ? 0 : NOTICE_MS
  const ending = { on: process.on.bind(process), exit: (code: number) => void exit(code) }
  const parts = { server, closeUnused, changes, tasks, database, output }
  const { isDraining } = stopsGracefully({ ...parts, log, after, noticeMs, process: ending })
  return {
    db,
    reads: database.reads,
    clock,
    newId,
    randomBytes,
    keys,
    config,
    passwords: passwordHasher(keys.pepper, config.passwordCost, pool),
    mailer: config.smtpUrl ? smtpMailer(config.smtpUrl, config) : fileMailer(config, log, newId),
    throttle: config.rateLimits ? createThrottle(counts, log) : noThrottle,
    traffic: createTraffic({ clock, log }, { isLimited: config.rateLimits }),
    changes,
    presence,
    health,
    load: watchLoad(clock, log),
    metrics: createMetrics(),
    version: releaseVersion(),
    backupAge: backups.age,
    passwordJobs: pool.jobs,
    log,
    background: tasks.run,
    isDraining,
  }
}

/** Undefined in development, where Vite serves the page and nothing is built. */
function builtPages({ config, log }: Deps) {
  if (!existsSync(PUBLIC_FOLDER)) return undefined
  const releases = keptReleases(join(config.dataDir, 'releases'), { clock, log })
  return staticFiles(PUBLIC_FOLDER, config, releases)
}

function startPeriodicWork(deps: Deps, { backups, database }: Storage): void {
  startJobs(jobs(deps, database, deps.config.backups ? backups : undefined), deps, every)
  void checkWhole(deps)
  const read = loadReader()
  every(LOOK_MS, () => deps.load.look(read()))
}

export function openLog(
  { logLevel }: Pick<Config, 'logLevel'>,
  to: DestinationStream = output,
): Log {
  const secret = ['*.token', '*.password', '*.authorization', '*.refreshToken', '*.articleText']
  // PostgreSQL puts values of the row into these fields.
  const redact = [...secret, 'err.detail', 'err.where']
  return pino({ level: logLevel, timestamp: pino.stdTimeFunctions.isoTime, redact }, to)
}

/** For commands: the configured pepper, from the settings or the file in DATA_DIR. Null when there is none. */
export function presentPepper(env: Environment, { dataDir }: Config): Uint8Array | null {
  return findPepper(env, { dataDir, isInstalled: true, randomBytes })
}

function releaseVersion(): string {
  const file = join(packageFolder(), 'package.json')
  const { version }: { version: string } = JSON.parse(readFileSync(file, 'utf8'))
  return version
}

function openPasswordPool() {
  return passwordPool({
    size: Math.max(1, availableParallelism() - 1),
    spawn: () => {
      const worker = new Worker(PASSWORD_WORKER)
      worker.unref()
      return worker
    },
    after,
  })
}

/** Reads the event-loop delay since the last reading, and the memory use. */
function loadReader(): () => Reading {
  const resolution = 10
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  return () => {
    // In nanoseconds, with the pause of the measuring timer itself; nothing was measured yet: NaN.
    const loopDelayMs = Math.max(0, (delay.mean || 0) / 1e6 - resolution)
    delay.reset()
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
    return { loopDelayMs, memory: used / limit }
  }
}

/** Checks a file after the start when it is too large to be checked before the first response. Never rejects. */
export async function checkWhole(
  { config: { database }, health, log }: Pick<Deps, 'config' | 'health' | 'log'>,
  run = inThread,
): Promise<void> {
  if (database.engine !== 'sqlite') return
  try {
    if (isSmall(database.file)) return
    const fault = await run({ kind: 'check', file: database.file })
    if (fault !== null) health.noteDamage(fault)
  } catch (err) {
    log.error({ err }, 'The database could not be read through')
  }
}

async function backUp(file: string, target: string): Promise<void> {
  const fault = await inThread({ kind: 'back up', file, target })
  if (fault !== null) throw new Error(fault)
}

export function inThread(job: SqliteJob, script = SQLITE_WORKER): Promise<SqliteOutcome> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, { workerData: job })
    worker.unref()
    threads.add(worker)
    worker.once('exit', () => threads.delete(worker))
    worker.once('message', resolve).once('error', reject)
    worker.once('exit', () =>
      reject(new Error(`The thread to ${job.kind} ended without an answer`)),
    )
  })
}

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

function after(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms)
  timer.unref()
  return () => clearTimeout(timer)
}

/** As `after`, and the process does not end before. */
function waking(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}

/** Random backoff: nodes that collided wait for different times. */
export function pause(tries: number): Promise<void> {
  const ms = (randomBytes(1).readUInt8() / 256) * 2 ** tries * 10
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function every(ms: number, callback: () => void): void {
  setInterval(callback, ms).unref()
}

/** Last lines of a start: the address, and the login of the first admin where it was created. */
function announce(
  server: Server,
  { productName }: Config,
  generated: { email: string; password: string } | null | '',
): void {
  const lines = ['', `${productName} is ready at http://localhost:${portOf(server)}`, '']
  if (generated) {
    lines.push(
      `  E-mail    ${generated.email}`,
      `  Password  ${generated.password}`,
      '',
      'This is the first admin. The password is shown only once: change it after you log in.',
      '',
    )
  }
  print(`${lines.join('\n')}\n`)
}

function lineFor(fault: unknown): string {
  if (fault instanceof ConfigError || fault instanceof DatabaseRefused) return fault.message
  if (!(fault instanceof Error)) return String(fault)
  if (isPortTaken(fault)) {
    return `Port ${fault.port} is already in use, maybe by another start of this server.\nStop that one, or choose another port: PORT=${fault.port + 1} npm start`
  }
  const isSystemFault = 'code' in fault
  return isSystemFault ? fault.message : (fault.stack ?? fault.message)
}

const isPortTaken = (fault: Error): fault is Error & { port: number } =>
  'code' in fault && fault.code === 'EADDRINUSE' && 'port' in fault

/** Names the backup to restore, where that is the remedy. */
async function adviceFor(fault: unknown, env: Environment): Promise<string> {
  if (!(fault instanceof DatabaseRefused && fault.needsBackup)) return ''
  const { backupDir } = readConfig(env)
  const backup = await newestSoundBackup({ backupDir }, clock.now())
  if (backup === null) return `There is no sound backup in ${backupDir}\n`
  return `The newest sound backup is ${backup}\nTo put it there: npm run restore -- ${backup}\n`
}
