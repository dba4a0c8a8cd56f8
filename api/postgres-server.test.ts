import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import type { Session } from '../domain/wire-users.ts'
import { newPostgresDatabase } from './test-database.ts'

/** Real processes as `npm start` and the commands run them, over one PostgreSQL. */

const root = fileURLToPath(new URL('..', import.meta.url))
const admin = { email: 'admin@contun.example', password: 'the agency has a key' }

let folder: string
let env: Record<string, string>
const running = new Set<ChildProcess>()

beforeAll(() => {
  spawnSync('npx', ['tsc', '-b', 'domain', 'api'], { cwd: root })
}, 300_000)
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'contun-nodes-'))
  const postgres = inject('postgres')
  if (postgres === undefined) throw new Error('These tests are of the project postgres')
  env = {
    PORT: '0',
    DATA_DIR: folder,
    DATABASE_URL: await newPostgresDatabase(postgres, ''),
    JWT_SECRET: 'a secret that every node was told of',
    PASSWORD_PEPPER: 'and a pepper that is the same for all',
    ADMIN_PASSWORD: admin.password,
  }
})
afterEach(async () => {
  await Promise.all(
    [...running].map((server) => {
      const exited = once(server, 'exit')
      server.kill('SIGKILL')
      return exited
    }),
  )
  rmSync(folder, { recursive: true, force: true })
})

function launch(file: string, words: string[] = []) {
  const child = spawn(process.execPath, [join(root, 'dist/api', file), ...words], {
    env: { PATH: process.env.PATH, ...env },
    stdio: 'pipe',
  })
  const printed: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => printed.push(text))
  }
  running.add(child)
  const exited = once(child, 'exit').then(([code]) => {
    running.delete(child)
    return code as number | null
  })
  return { child, exited, output: () => printed.join('') }
}

async function startedNode() {
  const node = launch('server.js')
  const ready = /^.+ is ready at (http:\/\/localhost:\d+)$/m
  while (!ready.test(node.output())) {
    await Promise.race([once(node.child.stdout, 'data'), node.exited])
    if (node.child.exitCode !== null) throw new Error(node.output())
  }
  const url = `${ready.exec(node.output())?.[1]}/v1`
  const post = (path: string, body: object) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const articles = (authorization: string) =>
    fetch(`${url}/articles/client/myArticles`, { headers: { authorization } })
  return { ...node, post, articles }
}

describe('nodes over one PostgreSQL', () => {
  it('start at once with one first admin, share sessions and their end, and stop one after the other', async () => {
    const [first, second] = await Promise.all([startedNode(), startedNode()])
    const { tokens } = (await (await first.post('/auth/login', admin)).json()) as Session
    const bearer = `Bearer ${tokens.access.token}`
    expect((await second.articles(bearer)).status).toBe(200)
    first.child.kill('SIGTERM')
    expect(await first.exited).toBe(0)
    expect((await second.articles(bearer)).status).toBe(200)
    const third = await startedNode()
    await third.post('/auth/logout', { refreshToken: tokens.refresh.token })
    expect((await second.articles(bearer)).status).toBe(401)
    second.child.kill('SIGTERM')
    expect(await second.exited).toBe(0)
  })

  it('are looked at by the doctor and served by commands while they run; no backup file is put there', async () => {
    await startedNode()
    const doctor = launch('doctor.js')
    expect([await doctor.exited, doctor.output()]).toEqual([
      0,
      expect.stringMatching(/^ok +database +PostgreSQL \d+[\s\S]*ok +tables +of this release/),
    ])
    const signOut = launch('admin.js', ['sign-out', admin.email])
    expect([await signOut.exited, signOut.output()]).toEqual([
      0,
      expect.stringContaining('signed out'),
    ])
    const restore = launch('restore.js', ['latest'])
    expect([await restore.exited, restore.output()]).toEqual([
      1,
      expect.stringContaining('pg_restore'),
    ])
  })

  it('start with no secret of their own, and say in one line where PostgreSQL is not', async () => {
    const { JWT_SECRET: _, ...without } = env
    const all = env
    env = without
    const lonely = launch('server.js')
    expect([await lonely.exited, lonely.output().trimEnd().split('\n').at(-1)]).toEqual([
      1,
      'JWT_SECRET must be set where DATABASE_URL is postgres, the same for every node',
    ])
    env = { ...all, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', LOG_LEVEL: 'silent' }
    const lost = launch('server.js')
    expect([await lost.exited, lost.output()]).toEqual([
      1,
      'DATABASE_URL: PostgreSQL cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n',
    ])
  })
})
