import { type ChildProcess, execFileSync, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createListener, listen, portOf } from '../http/http-listener.ts'
import { quietSources } from '../testing/test-clock.ts'

/** The real processes, whose output is not read, closed, or written to a full disk. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const entry = (name: string) => join(root, `dist/server/${name}.js`)
const REQUESTS = 3_000
const STOP_MS = 10_000

let folder: string
const ends: (() => unknown)[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contun-output-'))
})
afterEach(async () => {
  while (ends.length > 0) await ends.pop()?.()
  rmSync(folder, { recursive: true, force: true })
})

async function freePort(): Promise<number> {
  const { server } = createListener({ newId: () => 'an id', log: quietSources.log })
  await listen(server, { host: 'localhost', port: 0 })
  const port = portOf(server)
  await new Promise((closed) => server.close(closed))
  return port
}

function launch(name: string, stdio: StdioOptions, env: Record<string, string> = {}) {
  const server = spawn(process.execPath, ['--disable-proto=delete', entry(name)], {
    cwd: folder,
    env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), ...env },
    stdio,
  })
  const exited = once(server, 'exit')
  ends.push(() => {
    server.kill('SIGKILL')
    return exited
  })
  return { server, exited }
}

/** Status of a request; null where no response begins within a few seconds. */
const status = (port: number, path: string, agent: Agent) =>
  new Promise<number | null>((resolve) => {
    const asked = get({ port, path, agent, host: 'localhost', timeout: 5_000 }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
    asked.on('error', () => resolve(null)).on('timeout', () => asked.destroy())
  })

async function serving(stdio: StdioOptions, name = 'start') {
  const port = await freePort()
  const agent = new Agent({ keepAlive: true })
  ends.push(() => agent.destroy())
  const { server, exited } = launch(name, stdio, { PORT: String(port), LOG_LEVEL: 'info' })
  while ((await status(port, '/readyz', agent)) !== 200) expect(server.exitCode).toBeNull()
  return { server, exited, ask: (path: string) => status(port, path, agent) }
}

/** Asks one after the other, until a response does not come. */
async function answered(ask: (path: string) => Promise<number | null>): Promise<number> {
  for (let count = 0; count < REQUESTS; count += 1) {
    if ((await ask('/v1/unknown')) !== 404) return count
  }
  return REQUESTS
}

async function stopTime(server: ChildProcess, exited: Promise<unknown[]>) {
  const signalled = performance.now()
  server.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
  return performance.now() - signalled
}

/** A pipe with a reader that reads nothing until it is asked for what lies in the pipe. */
function pipe() {
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(path, constants.O_WRONLY)
  let isOpen = true
  const close = () => {
    if (isOpen) closeSync(reader)
    isOpen = false
  }
  ends.push(close)
  /** Null at the end. */
  const readSome = (): string | null => {
    const bytes = Buffer.alloc(65_536)
    try {
      const length = readSync(reader, bytes)
      return length === 0 ? null : bytes.toString('latin1', 0, length)
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code === 'EAGAIN') return ''
      throw fault
    }
  }
  return { writer, close, readSome }
}

describe('the server answers every request, and stops in order,', () => {
  it('while the reader of its output has stopped, and logs later how many lines were lost', async () => {
    const { writer, readSome } = pipe()
    const { server, exited, ask } = await serving(['ignore', writer, writer])
    closeSync(writer)
    expect(await answered(ask)).toBe(REQUESTS)
    expect(await ask('/healthz')).toBe(200)
    let read = ''
    await expect
      .poll(
        () => {
          read += readSome() ?? ''
          return read
        },
        { timeout: 10_000, interval: 20 },
      )
      .toContain('Log lines were dropped')
    const lines = read.split('\n').filter((line) => line.startsWith('{'))
    const logged = lines.map((line) => JSON.parse(line))
    const { dropped } = logged.find(({ msg }) => msg.startsWith('Log lines were dropped'))
    const requests = logged.filter(({ route }) => route === '/*' || route === '/healthz')
    expect(dropped).toBeGreaterThan(0)
    expect(requests.length + dropped).toBeGreaterThan(REQUESTS)
    expect(await stopTime(server, exited)).toBeLessThan(STOP_MS)
  })

  it('where its output is stalled when the signal comes', async () => {
    const { writer } = pipe()
    const { server, exited, ask } = await serving(['ignore', writer, writer])
    closeSync(writer)
    expect(await answered(ask)).toBe(REQUESTS)
    expect(await stopTime(server, exited)).toBeLessThan(STOP_MS)
  })

  it('where the reader of its output is gone', async () => {
    const { writer, close } = pipe()
    const { server, exited, ask } = await serving(['ignore', writer, writer])
    closeSync(writer)
    close()
    expect(await answered(ask)).toBe(REQUESTS)
    expect(await stopTime(server, exited)).toBeLessThan(STOP_MS)
  })

  it('where the disk of its log is full', async () => {
    const full = openSync('/dev/full', 'w')
    const { server, exited, ask } = await serving(['ignore', full, full])
    closeSync(full)
    expect(await answered(ask)).toBe(REQUESTS)
    expect(await stopTime(server, exited)).toBeLessThan(STOP_MS)
  })

  it('as the demo, while the reader of its output has stopped', async () => {
    const { writer } = pipe()
    const { server, exited, ask } = await serving(['ignore', writer, writer], 'demo/demo')
    closeSync(writer)
    expect(await answered(ask)).toBe(REQUESTS)
    expect(await stopTime(server, exited)).toBeLessThan(STOP_MS)
  })
})

describe('a command', () => {
  const doctor = (stdio: StdioOptions) => launch('doctor', stdio, { FREE_SPACE_MIN_MB: '0' })

  it('has its own outcome where the reader of its output is gone', async () => {
    const { writer, close } = pipe()
    const { server, exited } = await serving(['ignore', 'ignore', 'ignore'])
    close()
    const read = doctor(['ignore', writer, 'pipe'])
    closeSync(writer)
    const faults: string[] = []
    read.server.stderr?.setEncoding('utf8').on('data', (text: string) => faults.push(text))
    expect([await read.exited, faults]).toEqual([[0, null], []])
    await stopTime(server, exited)
  })

  it('fails with one line where its output cannot be written', async () => {
    const full = openSync('/dev/full', 'w')
    const { server, exited } = doctor(['ignore', full, 'pipe'])
    closeSync(full)
    const faults: string[] = []
    server.stderr?.setEncoding('utf8').on('data', (text: string) => faults.push(text))
    expect(await exited).toEqual([1, null])
    expect(faults.join('')).toMatch(/^The output could not be written: ENOSPC.*\n$/)
  })

  it('waits for its reader without the database, which a server may then open', async () => {
    const { writer, readSome } = pipe()
    const filled = Buffer.alloc(65_536, 0x2e)
    writeSync(writer, filled)
    const { server, exited } = doctor(['ignore', writer, writer])
    closeSync(writer)
    const started = await serving(['ignore', 'ignore', 'ignore'])
    expect(await started.ask('/readyz')).toBe(200)
    expect(server.exitCode).toBeNull()
    let read = ''
    await expect
      .poll(
        () => {
          read += readSome() ?? ''
          return read
        },
        { timeout: 10_000, interval: 20 },
      )
      // Not all, unless the server made the database before the command looked for it.
      .toMatch(/(Not all|All) is well\.\n$/)
    const [, signal] = await exited
    expect(signal).toBeNull()
    await stopTime(started.server, started.exited)
  })
})
