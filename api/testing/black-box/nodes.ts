import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { newPostgresDatabase } from '../test-database.ts'

/** Real processes as `npm start` and the commands run them, over one PostgreSQL. */

const root = fileURLToPath(new URL('../../..', import.meta.url))
const ready = /^.+ is ready at http:\/\/localhost:(\d+)$/m

/** The account that the first node makes. */
export const ADMIN = { email: 'admin@contun.example', password: 'the agency has a key' }

export type Nodes = Awaited<ReturnType<typeof nodesOverPostgres>>
export type Node = Awaited<ReturnType<Nodes['start']>>

/** `url` is the database, a new one of the tests' PostgreSQL unless given. */
export async function nodesOverPostgres(url?: string) {
  const postgres = inject('postgres')
  if (postgres === undefined) throw new Error('These tests are of the project postgres')
  const folder = mkdtempSync(join(tmpdir(), 'contun-nodes-'))
  const env: Record<string, string> = {
    PORT: '0',
    DATA_DIR: folder,
    DATABASE_URL: url ?? (await newPostgresDatabase(postgres, '')),
    JWT_SECRET: 'a secret that every node was told of',
    PASSWORD_PEPPER: 'and a pepper that is the same for all',
    ADMIN_PASSWORD: ADMIN.password,
  }
  const running = new Set<ChildProcess>()

  function launch(file: string, words: string[] = [], changed: NodeJS.ProcessEnv = {}) {
    const child = spawn(process.execPath, [join(root, 'dist/server', file), ...words], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env, ...changed },
      stdio: 'pipe',
    })
    const printed: string[] = []
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => printed.push(text))
    }
    running.add(child)
    // Not 'exit': what was printed last may come after that.
    const exited = once(child, 'close').then(([code]) => {
      running.delete(child)
      return code as number | null
    })
    return { child, exited, output: () => printed.join('') }
  }

  /** A node that is ready for requests. */
  async function start(changed: NodeJS.ProcessEnv = {}) {
    const node = launch('start.js', [], changed)
    while (!ready.test(node.output())) {
      await Promise.race([once(node.child.stdout, 'data'), node.exited])
      if (node.child.exitCode !== null) throw new Error(node.output())
    }
    const port = Number(ready.exec(node.output())?.[1])
    /** Resolves with exit code 0 when pending requests are finished. */
    const stop = () => {
      node.child.kill('SIGTERM')
      return node.exited
    }
    return { ...node, port, stop, ...callsOf(port) }
  }

  async function end(): Promise<void> {
    await Promise.all(
      [...running].map((child) => {
        const exited = once(child, 'exit')
        child.kill('SIGKILL')
        return exited
      }),
    )
    rmSync(folder, { recursive: true, force: true })
  }
  return { launch, start, end, databaseUrl: env.DATABASE_URL as string }
}

/** Calls of the API behind a port of this machine. */
export function callsOf(port: number) {
  const url = `http://127.0.0.1:${port}/v1`
  return {
    url,
    post: (path: string, body: object, authorization?: string) =>
      fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
        body: JSON.stringify(body),
      }),
    articles: (authorization: string) =>
      fetch(`${url}/articles/client/myArticles`, { headers: { authorization } }),
  }
}
