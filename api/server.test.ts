import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Tokens } from '../domain/wire/users.ts'
import Database from './database/sqlite/better-sqlite3.ts'
import { HEARTBEAT_MS, STREAMS_MAX } from './events/listeners.ts'
import { createListener, listen, portOf, STANDSTILL_MS } from './http/http-listener.ts'
import { DRAIN_MS } from './process/stop.ts'
import { checkWhole, inThread, openLog } from './server.ts'
import { createTestApp } from './testing/test-app.ts'
import { quietSources } from './testing/test-clock.ts'

/** The real process as `npm start` runs it: real clock, threads, files and sockets. */

const root = fileURLToPath(new URL('..', import.meta.url))
const entry = join(root, 'dist/server/start.js')
const SQLITE_WORKER = join(root, 'dist/server/database/sqlite/sqlite-worker.js')
const admin = { email: 'admin@contun.example', password: 'the agency has a key' }

let folder: string
/** The data of an agency with this admin; making it costs more than most of what a test does with it. */
let agency: string
/** Every server of a test, with a promise of its exit and the end of its output. */
const launched = new Map<ChildProcess, Promise<unknown>>()

beforeAll(async () => {
  agency = mkdtempSync(join(tmpdir(), 'contun-agency-'))
  folder = agency
  const { server, exited } = await started({ ADMIN_PASSWORD: admin.password })
  server.kill('SIGTERM')
  await exited
  launched.clear()
})
afterAll(() => rmSync(agency, { recursive: true, force: true }))
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contun-server-'))
})
afterEach(async () => {
  for (const server of launched.keys()) server.kill('SIGKILL')
  await Promise.all(launched.values())
  launched.clear()
  rmSync(folder, { recursive: true, force: true })
})

function launch(env: Record<string, string> = {}) {
  const server = spawn(process.execPath, ['--disable-proto=delete', entry], {
    // Not in the project folder, where a developer may have an .env.
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: folder, ...env },
    stdio: 'pipe',
  })
  const printed: string[] = []
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => printed.push(text))
  }
  // Not 'exit': the last output may come after that.
  const exited = once(server, 'close').then(([code]) => code as number | null)
  launched.set(server, exited)
  return { server, exited, output: () => printed.join('') }
}

async function started(env: Record<string, string> = {}) {
  const process = launch(env)
  const ready = /^.+ is ready at (http:\/\/localhost:\d+)$/m
  while (!ready.test(process.output())) {
    await Promise.race([once(process.server.stdout, 'data'), process.exited])
    if (process.server.exitCode !== null) throw new Error(process.output())
  }
  const url = ready.exec(process.output())?.[1] ?? ''
  return { ...process, url }
}

/** As `started`, over the data of the agency. */
function startedAgency(env: Record<string, string> = {}) {
  cpSync(agency, folder, { recursive: true })
  return started(env)
}

/** A command of the built server over the data of the test. */
const command = (name: string, words: string[] = [], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, [join(root, `dist/server/${name}.js`), ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, DATA_DIR: folder, ...env },
    encoding: 'utf8',
  })

const login = (url: string, body: object = admin) =>
  fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Makes the file larger than a start checks completely, and damages a page in the middle of the revisions. */
function spoil(file: string): { id: string; textVersion: number } {
  const id = '0195a000-0000-7000-8000-00000000aaaa'
  const sqlite = new Database(file)
  const at = '2026-03-02T09:00:00.000Z'
  sqlite.exec(`insert into articles (id, name, name_folded, word_minimum, completed, version, text_version,
    words, created_at, updated_at, keyword_list, article_text, client_name_folded)
    values ('${id}', 'Long', 'long', 0, 0, 1, 1, 0, '${at}', '${at}', '[]', '{}', '')`)
  const add =
    sqlite.prepare(`insert into article_revisions (article_id, text_version, words, reason, created_at,
    article_text) values ('${id}', ?, 0, 'plain', '${at}', ?)`)
  const versions = Array.from({ length: 12_000 }, (_, version) => version + 1)
  sqlite.transaction(() => {
    for (const version of versions) add.run(version, 'x'.repeat(3_000))
  })()
  const leaves = "select pageno from dbstat where name = 'article_revisions' and pagetype = 'leaf'"
  const pages = sqlite.prepare(leaves).pluck().all() as number[]
  sqlite.close()
  const handle = openSync(file, 'r+')
  for (const page of pages.slice(1_000, -1_000)) {
    writeSync(handle, Buffer.alloc(4_096, 0xff), 0, 4_096, (page - 1) * 4_096)
  }
  closeSync(handle)
  return { id, textVersion: 6_000 }
}

describe('the server process', () => {
  it('generates a password for the first admin, prints it once, and stops with 0', async () => {
    const first = await started()
    const printed =
      /^Contūn Articles is ready at http:\/\/localhost:\d+\n\n {2}E-mail {4}(\S+)\n {2}Password {2}(\S+)$/m
    const [, email = '', password = ''] = printed.exec(first.output()) ?? []
    expect((await login(first.url, { email, password })).status).toBe(200)
    expect(first.output().split(password)).toHaveLength(2)
    first.server.kill('SIGTERM')
    expect(await first.exited).toBe(0)
    const second = await started()
    expect(second.output()).not.toContain('Password')
    expect((await login(second.url, { email, password })).status).toBe(200)
  })

  it('says what to do when its port is in use', async () => {
    const first = await startedAgency()
    const port = Number(new URL(first.url).port)
    const second = launch({ PORT: String(port), DATA_DIR: join(folder, 'other') })
    expect(await second.exited).toBe(1)
    expect(second.output()).toBe(
      `Port ${port} is already in use, maybe by another start of this server.\n` +
        `Stop that one, or choose another port: PORT=${port + 1} npm start\n`,
    )
  })

  it('finishes what is under way after SIGTERM, and takes nothing new', async () => {
    const { server, exited, url } = await startedAgency()
    const headers = { 'content-type': 'application/json', expect: '100-continue' }
    const underWay = request(`${url}/v1/auth/login`, { method: 'POST', headers })
    underWay.flushHeaders()
    // The server has received the request.
    await once(underWay, 'continue')
    server.kill('SIGTERM')
    underWay.end(JSON.stringify(admin))
    const [response] = await once(underWay, 'response')
    expect([response.statusCode, response.headers.connection]).toEqual([200, 'close'])
    response.resume()
    expect(await exited).toBe(0)
    await expect(login(url)).rejects.toThrow()
  })

  it('does not wait for event streams and unused connections', async () => {
    const { server, exited, url } = await startedAgency()
    const { tokens } = (await (await login(url)).json()) as { tokens: Tokens }
    const socket = connect(Number(new URL(url).port), 'localhost')
    await once(socket, 'connect')
    const cut = once(socket, 'close')
    const stream = await fetch(`${url}/v1/events`, {
      headers: { authorization: `Bearer ${tokens.access.token}` },
    })
    const signalled = performance.now()
    server.kill('SIGTERM')
    await Promise.all([cut, stream.text()])
    expect(await exited).toBe(0)
    expect(performance.now() - signalled).toBeLessThan(DRAIN_MS)
  })

  it('has every answered write after a kill -9, and is free to start again', async () => {
    const first = await startedAgency()
    const { tokens } = (await (await login(first.url)).json()) as {
      tokens: { refresh: { token: string } }
    }
    first.server.kill('SIGKILL')
    await first.exited
    const second = await started()
    const response = await fetch(`${second.url}/v1/auth/refresh-tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refreshToken: tokens.refresh.token }),
    })
    expect(response.status).toBe(200)
  })

  it('refuses a second process on the same data with one clear line', async () => {
    await startedAgency()
    const second = launch({ LOG_LEVEL: 'silent' })
    expect(await second.exited).toBe(1)
    expect(second.output()).toMatch(/^Another process is already serving .*contun\.sqlite\n$/)
  })

  it('names the newest sound backup when the file is damaged, and leaves the file as it is', async () => {
    const first = await started()
    const file = join(folder, 'contun.sqlite')
    const target = join(folder, 'backups', 'contun-2026-03-02T09-00-00.000Z.sqlite')
    const job = { kind: 'back up', file, target }
    const [outcome] = await once(new Worker(SQLITE_WORKER, { workerData: job }), 'message')
    expect(outcome).toBeNull()
    first.server.kill('SIGTERM')
    await first.exited
    const bytes = readFileSync(file).fill(0xff, 4096 * 3, 4096 * 9)
    writeFileSync(file, bytes)
    const second = launch({ LOG_LEVEL: 'silent' })
    expect(await second.exited).toBe(3)
    expect(second.output()).toMatch(/is damaged .*\nThe newest sound backup is .*09-00-00/)
    expect(second.output()).toContain(`npm run restore -- ${target}\n`)
    expect(readFileSync(file).equals(bytes)).toBe(true)
    const restored = command('restore', ['latest'])
    expect([restored.status, restored.stdout]).toEqual([0, expect.stringContaining(target)])
    await started()
  })

  it('outlives a damaged page that is read in a file too large to be read through at the start', async () => {
    const first = await startedAgency()
    first.server.kill('SIGTERM')
    await first.exited
    const { id, textVersion } = spoil(join(folder, 'contun.sqlite'))
    const { server, url, output } = await started({ RATE_LIMITS: 'off' })
    const { tokens } = (await (await login(url)).json()) as { tokens: Tokens }
    const headers = { authorization: `Bearer ${tokens.access.token}` }
    const read = (path: string) => fetch(url + path, { headers }).then(({ status }) => status)
    expect(await read(`/v1/articles/${id}/revisions/${textVersion}`)).toBe(503)
    expect(await read(`/v1/articles/${id}`)).toBe(200)
    expect([await read('/readyz'), await read('/healthz')]).toEqual([503, 200])
    expect((await login(url)).status).toBe(503)
    expect(output()).not.toContain('nobody caught')
    expect(server.exitCode).toBeNull()
  })

  it('refuses a wrong setting with one clear line', async () => {
    const process = launch({ DATABASE_URL: 'mysql://localhost/contun' })
    expect(await process.exited).toBe(1)
    expect(process.output()).toBe(
      'DATABASE_URL must be sqlite:/path/to/file or postgres://user:password@host/database\n',
    )
  })

  it('takes settings from .env in the folder where it is started, and names a misspelt one', async () => {
    writeFileSync(join(folder, '.env'), 'PRODUCT_NAME="Ink & Quill"\nSMPT_URL=smtp://localhost\n')
    const { output } = await started()
    expect(output()).toContain('\nInk & Quill is ready at ')
    const warning = output()
      .split('\n')
      .find((line) => line.includes('misspelt'))
    expect(JSON.parse(warning ?? '')).toMatchObject({
      level: 40,
      name: 'SMPT_URL',
      nearest: 'SMTP_URL',
    })
  })

  it.each([
    ['DATA_DIR', 'a file', (path: string) => writeFileSync(path, ''), ''],
    ['BACKUP_DIR', 'a file', (path: string) => writeFileSync(path, ''), ''],
    ['DATA_DIR', 'below a file', (path: string) => writeFileSync(path, ''), '/x'],
    ['DATA_DIR', 'below /proc', (path: string) => symlinkSync('/proc', path), '/x'],
    ['BACKUP_DIR', 'below /proc', (path: string) => symlinkSync('/proc', path), '/x/y'],
  ])('explains what to do when its %s is %s', async (setting, _, make, below) => {
    const path = join(folder, 'path')
    make(path)
    const process = launch({ [setting]: path + below, LOG_LEVEL: 'silent' })
    expect(await process.exited).toBe(1)
    expect(process.output()).toMatch(
      new RegExp(
        `^${setting} \\S+/path${below} cannot be written \\(.+\\)\\. It must belong to the account that runs the ` +
          'server: docs/operations\\.md, "Who owns the data"\\n$',
      ),
    )
  })

  it('serves without the disk of its backups, which does not answer, and stops', async () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const fault = pathToFileURL(join(root, 'api/testing/hanging-disk.mjs')).href
    const token = 'metrics-for-the-test'
    const { server, exited, url, output } = await startedAgency({
      NODE_OPTIONS: `--import ${fault}`,
      HANGING_FOLDER: join(folder, 'other disk'),
      HANGING_PIPE: pipe,
      BACKUP_DIR: join(folder, 'other disk'),
      METRICS_TOKEN: token,
    })
    expect(output()).toContain('BACKUP_DIR does not answer: there are no backups until it does')
    expect((await login(url)).status).toBe(200)
    const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    expect([metrics.status, await metrics.text()]).toEqual([
      200,
      expect.not.stringContaining('backup_age'),
    ])
    const signalled = performance.now()
    server.kill('SIGTERM')
    await exited
    expect(performance.now() - signalled).toBeLessThan(DRAIN_MS)
    expect(output()).toContain('Stopped')
    expect(readdirSync(folder)).not.toContain('contun.sqlite-wal')
  })

  it('serves without the folder of earlier releases, which does not answer, however many ask for their files', async () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const fault = pathToFileURL(join(root, 'api/testing/hanging-disk.mjs')).href
    const { url } = await startedAgency({
      NODE_OPTIONS: `--import ${fault}`,
      HANGING_FOLDER: join(folder, 'releases'),
      HANGING_PIPE: pipe,
    })
    const leave = new AbortController()
    const asked = Array.from({ length: 8 }, (_, number) =>
      fetch(`${url}/assets/part-other_0${number}.js`, leave),
    )
    expect((await login(url)).status).toBe(200)
    leave.abort()
    await Promise.allSettled(asked)
  })

  it('writes everything for its own account alone, whatever the umask is', async () => {
    const file = join(folder, 'data', 'contun.sqlite')
    const DATA_DIR = join(folder, 'data')
    mkdirSync(DATA_DIR)
    const mask = process.umask(0)
    const first = await started({ DATA_DIR, ADMIN_PASSWORD: admin.password })
    process.umask(mask)
    const asked = await fetch(`${first.url}/v1/auth/forgot-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: admin.email }),
    })
    expect(asked.status).toBe(204)
    while (!first.output().includes('Mail written')) await once(first.server.stdout, 'data')
    const files = () =>
      readdirSync(DATA_DIR, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
    // A file of another release is renamed once it is whole.
    const modeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mode ?? 0
    const open = () => files().filter((path) => (modeOf(path) & 0o077) !== 0)
    expect(files().map((path) => path.slice(DATA_DIR.length + 1))).toEqual(
      expect.arrayContaining(['contun.sqlite', 'contun.sqlite-wal', 'password-pepper']),
    )
    expect(open()).toEqual([])
    first.server.kill('SIGTERM')
    await first.exited
    chmodSync(file, 0o644)
    await started({ DATA_DIR })
    expect(open()).toEqual([])
  })

  it('shuts down cleanly when its terminal and the reader of its output are closed', async () => {
    const { server, exited } = await startedAgency()
    server.stdout.destroy()
    server.stderr.destroy()
    server.kill('SIGHUP')
    server.kill('SIGHUP')
    expect(await exited).toBe(0)
    expect(readdirSync(folder)).not.toContain('contun.sqlite-wal')
  })

  it('serves and stops in order where no line of its log can be written', async () => {
    const { server: taken } = createListener({ newId: () => 'an id', log: quietSources.log })
    await listen(taken, { host: 'localhost', port: 0 })
    const port = portOf(taken)
    await new Promise((closed) => taken.close(closed))
    const full = openSync('/dev/full', 'w')
    const server = spawn(process.execPath, [entry], {
      cwd: folder,
      env: { PATH: process.env.PATH, PORT: String(port), DATA_DIR: folder },
      stdio: ['ignore', full, full],
    })
    closeSync(full)
    const exited = once(server, 'close')
    launched.set(server, exited)
    const isReady = () =>
      fetch(`http://localhost:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await isReady())) expect(server.exitCode).toBeNull()
    server.kill('SIGHUP')
    expect(await exited).toEqual([0, null])
  })

  it('refuses another pepper than that of the passwords, and a database without its pepper', async () => {
    const first = await startedAgency()
    first.server.kill('SIGTERM')
    await first.exited
    const other = launch({ PASSWORD_PEPPER: 'x'.repeat(32), LOG_LEVEL: 'silent' })
    expect(await other.exited).toBe(1)
    expect(other.output()).toMatch(
      /^PASSWORD_PEPPER is not the one that the passwords were made with.+\n$/,
    )
    const copy = join(folder, 'copy')
    mkdirSync(copy)
    copyFileSync(join(folder, 'contun.sqlite'), join(copy, 'contun.sqlite'))
    const alone = launch({ DATA_DIR: copy, LOG_LEVEL: 'silent' })
    expect(await alone.exited).toBe(1)
    expect(alone.output()).toMatch(/^PASSWORD_PEPPER is not set and \S+ is gone: restore it.+\n$/)
    expect(readdirSync(copy)).not.toContain('password-pepper')
    copyFileSync(join(folder, 'password-pepper'), join(copy, 'password-pepper'))
    expect((await login((await started({ DATA_DIR: copy })).url)).status).toBe(200)
  })

  it('notes the pepper of an agency that an earlier release kept, and takes a new one where that is lost', async () => {
    const first = await startedAgency()
    first.server.kill('SIGTERM')
    await first.exited
    const file = join(folder, 'contun.sqlite')
    const sqlite = new Database(file)
    sqlite.exec("delete from meta where key = 'pepper_fingerprint'")
    sqlite.close()
    const second = await started()
    expect((await login(second.url)).status).toBe(200)
    second.server.kill('SIGTERM')
    await second.exited
    rmSync(join(folder, 'password-pepper'))
    expect(command('doctor').stdout).toMatch(/^WRONG pepper +PASSWORD_PEPPER is not set/m)
    expect(command('admin', ['new-receipt-key']).stderr).toMatch(/^PASSWORD_PEPPER is not set/)
    expect(existsSync(join(folder, 'password-pepper'))).toBe(false)
    writeFileSync(join(folder, 'password-pepper'), 'another one'.repeat(4))
    expect(command('doctor').stdout).toMatch(/^WRONG pepper +PASSWORD_PEPPER is not the one/m)
    expect(command('admin', ['reset-password', admin.email]).stderr).toMatch(
      /^PASSWORD_PEPPER is not/,
    )
    expect(command('admin', ['new-pepper']).stdout).toMatch(/^The current pepper is now in use/)
    const given = command('admin', ['reset-password', admin.email]).stdout
    const password = /\S{12,}$/m.exec(given.trim())?.[0] ?? ''
    expect(command('doctor').stdout).toMatch(/^ok +pepper +that of the passwords/m)
    const third = await started()
    expect((await login(third.url, { ...admin, password })).status).toBe(200)
    expect(command('admin', ['new-receipt-key']).stdout).toMatch(
      /^Receipts are signed with key 3 from now on: [\w-]{43}$/m,
    )
    const published = await (await fetch(`${third.url}/.well-known/contun-key`)).json()
    expect(published.keys.map(({ kid }: { kid: string }) => kid)).toEqual(['1', '2', '3'])
  })

  it('neither restores nor moves data with another pepper than that of its passwords', async () => {
    const first = await startedAgency()
    first.server.kill('SIGTERM')
    await first.exited
    const file = join(folder, 'contun.sqlite')
    const backup = join(folder, 'backup.sqlite')
    copyFileSync(file, backup)
    const move = ['--from', `sqlite:${file}`, '--to', `sqlite:${join(folder, 'copy.sqlite')}`]
    const other = { PASSWORD_PEPPER: 'x'.repeat(32) }
    expect(command('restore', [backup], other).stderr).toMatch(
      /^\S+ is not restored: PASSWORD_PEPPER is not the one/,
    )
    expect(command('move', move, other).stderr).toMatch(/^PASSWORD_PEPPER is not the one/)
    expect(command('restore', [backup]).stdout).toContain('is now a copy of')
    expect(command('move', move).stdout).toMatch(/^Everything was copied/)
  })

  it('refuses what is no proper HTTP, and headers without end', async () => {
    const { url } = await startedAgency()
    const post = 'POST /v1/auth/login HTTP/1.1\r\nHost: localhost\r\n'
    const many = Array.from({ length: 200 }, (_, at) => `X-Header-${at}: x\r\n`).join('')
    const cases: [string, RegExp][] = [
      [
        `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
        /^HTTP\/1\.1 400 /,
      ],
      [`${post}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd`, /^HTTP\/1\.1 400 /],
      [`${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`, /^HTTP\/1\.1 400 /],
      ['GET /healthz HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 /],
      ['GET /healthz HTTP/1.0\r\n\r\n', /^HTTP\/1\.1 200 /],
      ['GET /readyz HTTP/1.0\r\n\r\n', /^HTTP\/1\.1 200 /],
      [`GET /healthz HTTP/1.1\r\nHost: x\r\n${many}\r\n`, /^HTTP\/1\.1 431 /],
      [
        `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(66_000)}\r\n\r\n`,
        /^HTTP\/1\.1 431 /,
      ],
      [
        'TRACE /v1/auth/login HTTP/1.1\r\nHost: localhost\r\nCookie: secret\r\n\r\n',
        /^HTTP\/1\.1 (404|405|501) /,
      ],
      [
        'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n',
        /^(HTTP\/1\.1 (400|404|405|501) .*)?$/s,
      ],
    ]
    for (const [request, expected] of cases) {
      const answer = await raw(url, request)
      expect(answer).toMatch(expected)
      expect(answer).not.toContain('secret')
    }
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  })
})

describe('background work of the server process', () => {
  const job = { kind: 'check', file: 'contun.sqlite' } as const
  const script = (source: string) => new URL(`data:text/javascript,${encodeURIComponent(source)}`)

  it.each([
    ['ends without a word', 'process.exit(0)', 'ended without an answer'],
    ['throws', 'throw new Error("EIO")', 'EIO'],
  ])('fails when its thread %s', async (_, source, message) => {
    const failing = inThread(job, script(source))
    const patience = new Promise((resolve) => setTimeout(resolve, 5_000, 'nothing'))
    await expect(Promise.race([failing, patience])).rejects.toThrow(message)
  })

  it('logs that a large file could not be read to its end, and keeps running', async () => {
    const file = join(folder, 'contun.sqlite')
    writeFileSync(file, '')
    truncateSync(file, 10 * 1024 ** 3)
    const { deps, logLines } = await createTestApp()
    const config = { ...deps.config, database: { engine: 'sqlite', file } } as const
    await checkWhole({ ...deps, config }, () => Promise.reject(new Error('EIO')))
    expect(logLines.map(({ level }) => level)).toEqual(['error'])
    expect(deps.health.damage()).toBeNull()
  })

  it('takes as many connections as there may be streams, and some for other calls', () => {
    const { server } = createListener({ newId: () => 'an id', log: quietSources.log })
    expect(server.maxConnections).toBe(STREAMS_MAX + 2_000)
  })

  it('cuts a connection over which nothing moves, later than a stream says something', () => {
    const { server } = createListener({ newId: () => 'an id', log: quietSources.log })
    expect(server.timeout).toBe(STANDSTILL_MS)
    expect(STANDSTILL_MS).toBeGreaterThan(2 * HEARTBEAT_MS)
  })

  it('keeps serving where the system cannot give one more connection', async () => {
    const logged: string[] = []
    const log = {
      ...quietSources.log,
      warn: (_: object, message: string) => void logged.push(message),
    }
    const { server } = createListener({ newId: () => 'an id', log })
    const other = createListener({ newId: () => 'an id', log })
    await listen(server, { host: '127.0.0.1', port: 0 })
    const taken = { host: '127.0.0.1', port: portOf(server) }
    await expect(listen(other.server, taken)).rejects.toThrow('EADDRINUSE')
    server.close()
    // As Node does where accept(2) fails for want of memory; without a listener it throws.
    server.emit('error', Object.assign(new Error('accept ENFILE'), { code: 'ENFILE' }))
    expect(logged).toEqual(['A connection could not be taken'])
  })

  it('says while it starts when to come again, and that it lives', async () => {
    const { server } = createListener({ newId: () => 'an id', log: quietSources.log })
    await listen(server, { port: 0, host: 'localhost' })
    const ask = (path: string) => fetch(`http://localhost:${portOf(server)}${path}`)
    const refused = await ask('/v1/auth/login')
    expect([refused.status, await refused.json()]).toEqual([
      503,
      { code: 503, message: 'The server is starting', requestId: 'an id' },
    ])
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '2',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect((await ask('/healthz')).status).toBe(200)
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })

  it('keeps the rows that PostgreSQL puts into a fault out of the log', () => {
    const lines: string[] = []
    const log = openLog({ logLevel: 'error' }, { write: (line) => lines.push(line) })
    const detail = 'Key (email)=(imogen@larkspur.example) already exists.'
    const where = 'COPY users, line 1: "imogen@larkspur.example"'
    log.error({ err: Object.assign(new Error('duplicate key'), { detail, where }) }, 'Failed')
    expect(lines.join()).toContain('duplicate key')
    expect(lines.join()).not.toContain('imogen')
  })
})

describe('accounts of the server process', () => {
  const post = (url: string, path: string, body: object, headers = {}) =>
    fetch(`${url}/v1/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const mails = () => {
    const box = join(folder, 'mail')
    return existsSync(box) ? readdirSync(box).map((name) => join(box, name)) : []
  }
  const patience = { timeout: 20_000, interval: 200 }

  it('counts failures by the address of the socket, whatever a header says', async () => {
    const { url } = await startedAgency()
    const statuses: number[] = []
    for (let time = 1; time <= 6; time++) {
      const body = { ...admin, password: 'not the one' }
      const forwarded = { 'x-forwarded-for': `198.51.100.${time}` }
      statuses.push((await post(url, 'login', body, forwarded)).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    const proxied = await started({
      DATA_DIR: join(folder, 'behind a proxy'),
      ADMIN_PASSWORD: admin.password,
      TRUSTED_PROXIES: '127.0.0.1 ::1',
      REGISTER_HOURLY: '1',
    })
    const register = async (client: string, at: number) => {
      const body = { name: 'Rowan', email: `r${at}@fathom.example`, password: 'eight or more' }
      return (await post(proxied.url, 'register', body, { 'x-forwarded-for': client })).status
    }
    expect(await register('198.51.100.1', 1)).toBe(201)
    expect(await register('198.51.100.1', 2)).toBe(429)
    expect(await register('198.51.100.2', 3)).toBe(201)
  }, 60_000)

  it('mails after a kill -9 what it could not mail before', {
    tags: ['@Q24'],
    timeout: 60_000,
  }, async () => {
    const first = await startedAgency({ SMTP_URL: 'smtp://127.0.0.1:1' })
    expect((await post(first.url, 'forgot-password', { email: admin.email })).status).toBe(204)
    first.server.kill('SIGKILL')
    await first.exited
    expect(mails()).toEqual([])
    const second = await started()
    // A mail that was being sent when the process was killed stays claimed for a while.
    const database = new Database(join(folder, 'contun.sqlite'))
    database.prepare("update mail_outbox set next_try_at = '2026-01-01T00:00:00.000Z'").run()
    database.close()
    await expect.poll(mails, patience).toHaveLength(1)
    const source = readFileSync(mails()[0] ?? '', 'utf8').replace(/=\r?\n/g, '')
    const token = /token=(?:3D)?([\w-]{43})/.exec(source)?.[1]
    const body = { token, password: 'the new one of the agency' }
    expect((await post(second.url, 'reset-password', body)).status).toBe(204)
    expect((await post(second.url, 'login', { ...admin, password: body.password })).status).toBe(
      200,
    )
  })

  it('follows a command that gives a new password while it runs', async () => {
    const { url } = await startedAgency()
    const { tokens } = (await (await login(url)).json()) as {
      tokens: { access: { token: string } }
    }
    const { stdout, status } = spawnSync(
      process.execPath,
      [join(root, 'dist/server/admin.js'), 'reset-password', admin.email],
      { cwd: folder, env: { PATH: process.env.PATH, DATA_DIR: folder }, encoding: 'utf8' },
    )
    expect([status, stdout]).toEqual([0, expect.stringContaining('It is shown this once.')])
    const headers = { authorization: `Bearer ${tokens.access.token}` }
    expect((await fetch(`${url}/v1/users`, { headers })).status).toBe(401)
    const password = /password (\S+)/.exec(stdout)?.[1] ?? ''
    expect((await login(url)).status).toBe(401)
    expect((await login(url, { ...admin, password })).status).toBe(200)
    await expect.poll(mails, patience).toHaveLength(1)
  }, 60_000)
})

/** Returns what a plain socket receives until it closes, or is quiet for a moment. */
async function raw(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).setEncoding('latin1')
  const received: string[] = []
  socket.on('data', (text: string) => received.push(text)).on('error', () => {})
  socket.write(request, 'latin1')
  await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => {})
  socket.destroy()
  return received.join('')
}
