import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/**
 * A17 many users sign in during saves, on the real process with its hashing threads: hashing passwords on the main
 * thread would block nearly every save. SHOW_FIGURES prints the times.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
const admin = { email: 'admin@contun.example', password: 'the agency has a key' }
const writer = { email: 'imogen@larkspur.example', password: 'a river of ink' }

let folder: string
let server: ChildProcess
let url: string
const printed: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'contun-load-'))
  const gauge = join(folder, 'gauge.mjs')
  writeFileSync(gauge, GAUGE)
  const args = ['--disable-proto=delete', '--import', gauge, join(root, 'dist/server/start.js')]
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    DATA_DIR: folder,
    ADMIN_PASSWORD: admin.password,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
  }
  server = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  server.stdout?.setEncoding('utf8').on('data', (text: string) => printed.push(text))
  url = (await line(/is ready at (http:\/\/localhost:\d+)/)) ?? ''
}, 300_000)

afterAll(async () => {
  server.kill('SIGKILL')
  await once(server, 'exit')
  rmSync(folder, { recursive: true, force: true })
})

/** Measures the delay of the main thread; each SIGUSR2 restarts the measurement. */
const GAUGE = `
  import { monitorEventLoopDelay } from 'node:perf_hooks'
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  process.on('SIGUSR2', () => {
    console.log('loop delay p99 ' + delay.percentile(99) / 1e6 + ' max ' + delay.max / 1e6 + '.')
    delay.reset()
  })
`

async function line(pattern: RegExp): Promise<string | undefined> {
  for (;;) {
    const match = pattern.exec(printed.join(''))
    if (match) return match[1]
    if (server.stdout) await once(server.stdout, 'data')
  }
}

async function loopDelay(): Promise<number> {
  printed.length = 0
  server.kill('SIGUSR2')
  return Number(await line(/loop delay p99 ([\d.]+) max [\d.]+\.\n/))
}

async function call(method: string, path: string, body: unknown, token?: string) {
  const started = performance.now()
  const answer = await fetch(`${url}/v1${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    body: text === '' ? null : JSON.parse(text),
    ms: performance.now() - started,
  }
}

const p99 = (times: number[]) =>
  times.sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN

describe('fifty sign-ins at once', () => {
  it('delay no save, and those over the capacity get Retry-After', async () => {
    const { body: office } = await call('POST', '/auth/login', admin)
    const person = { ...writer, name: 'Imogen Hale', role: 'admin' }
    await call('POST', '/users', person, office.tokens.access.token)
    const { body: session } = await call('POST', '/auth/login', writer)
    const token: string = session.tokens.access.token
    const article = { name: 'Oats', clientId: null, wordMinimum: 0, articleText: {} }
    const { body: made } = await call('POST', '/articles', article, token)
    await loopDelay()

    let isOver = false
    const signIns = Array.from({ length: 50 }, () => call('POST', '/auth/login', admin))
    const allSignedIn = Promise.all(signIns).finally(() => {
      isOver = true
    })
    const saves: number[] = []
    for (let at = 0; !isOver; at++) {
      const words = [{ type: 'text', text: `Line ${at}` }]
      const articleText = { type: 'doc', content: [{ type: 'paragraph', content: words }] }
      const save = await call('PATCH', `/articles/${made.id}`, { articleText }, token)
      expect(save.status).toBe(200)
      saves.push(save.ms)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const answers = await allSignedIn
    const delay = await loopDelay()

    const statuses = answers.map(({ status }) => status)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    expect(refused.every(({ retryAfter }) => retryAfter === '2')).toBe(true)
    const figures = { saves: saves.length, savesP99: p99(saves), delay, refused: refused.length }
    expect(figures.saves).toBeGreaterThan(10)
    if (process.env.SHOW_FIGURES) process.stdout.write(`${JSON.stringify(figures)}\n`)
  }, 240_000)
})
