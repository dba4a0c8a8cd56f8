import { createHash } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from 'node:zlib'
import type { Hono } from 'hono'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApp } from '../app.ts'
import { createTestApp } from '../testing/test-app.ts'
import type { AppEnv } from './authenticate.ts'
import { keptReleases, type ReleaseFiles } from './kept-releases.ts'
import { staticFiles } from './static-files.ts'

const INDEX = `<!doctype html><title>Contūn Articles</title>
<script type="application/json" id="contun-names">{"productName":"of the build"}</script>
<div id="root"></div>`

const SUPPORT = /<p class="support">.*?<\/p>/gs

/** The shell as web/index.html has it, with these names. */
async function pageWith(configured: typeof names): Promise<string> {
  const built = mkdtempSync(join(tmpdir(), 'contun-public-'))
  copyFileSync(new URL('../../web/index.html', import.meta.url), join(built, 'index.html'))
  const { deps } = await createTestApp()
  const site = createApp(deps, staticFiles(built, configured))
  rmSync(built, { recursive: true })
  return (await site.request('/login')).text()
}

const names = {
  productName: 'Words </script><script>alert(1)</script>',
  agencyName: 'Moon & Owl $& $1',
  timeZone: 'Europe/Berlin',
  supportEmail: 'help@moonowl.example',
  marketingUrl: '',
}

const folder = mkdtempSync(join(tmpdir(), 'contun-public-'))
let app: Hono<AppEnv>

beforeAll(async () => {
  const files: Record<string, string> = {
    'index.html': INDEX,
    'sw.js':
      'keep([{"integrity":"sha256-x","revision":null,"url":"icon.svg"},{"integrity":"of the build","revision":null,"url":"index.html"},{"integrity":"of the build","revision":null,"url":"manifest.webmanifest"}])',
    'manifest.webmanifest': '{"name":"Contūn Articles","short_name":"Contūn","start_url":"/"}',
    'icon.svg': '<svg/>',
    'robots.txt': 'User-agent: *',
    'assets/main-Bx3_k9aZ.js': 'console.log("main")'.repeat(100),
    'assets/main-Bx3_k9aZ.js.map': '{}',
    'assets/main-Dq81LpPa.css': 'body{}',
    'assets/text-Zm4x-9aB.woff2': 'font',
    '.env': 'JWT_SECRET=x',
    '.git/config': '[core]',
    'package.json.bak': '{}',
    'data.sqlite': 'x',
  }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  const { deps } = await createTestApp()
  app = createApp(deps, staticFiles(folder, names))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('what others look for at fixed addresses', () => {
  it('leads password managers to the page that changes the password', async () => {
    const response = await app.request('/.well-known/change-password')
    expect([response.status, response.headers.get('location')]).toEqual([302, '/client/profile'])
    expect((await app.request('/.well-known/there-is-nothing')).status).toBe(404)
  })

  it('is in no list of a search engine', async () => {
    for (const path of ['/', '/login', '/icon.svg']) {
      expect((await app.request(path)).headers.get('x-robots-tag')).toBe('noindex')
    }
    const robots = await app.request('/robots.txt')
    expect([robots.status, robots.headers.get('content-type'), await robots.text()]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'User-agent: *',
    ])
  })
})

describe('a page', () => {
  it.each([
    '/',
    '/guest/home',
    '/login',
    '/register',
    '/forgot-password',
    '/reset-password?token=x',
    '/welcome?token=x',
    '/admin/home',
    '/admin/clients/moonowl',
    '/admin/undelivered-texts',
    '/admin/texts',
    '/admin/clients/external',
    '/admin/users',
    '/admin/articles',
    '/admin/articles/batch',
    '/admin/progress',
    '/admin/month-sheet',
    '/admin/log',
    '/client/home',
    '/client/article/0195a000-0000-7000-8000-000000000001',
    '/client/profile',
  ])('%s is the application', async (path) => {
    const response = await app.request(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toContain('<div id="root">')
  })

  it.each([
    '/nowhere',
    '/admin',
    '/admin/clients/other',
    '/client/article',
    '/login/',
    '/V1/users',
  ])(
    '%s is no route: 404 with the application, which says so',
    { tags: ['@RT-33', '@Q11'] },
    async (path) => {
      const response = await app.request(path)
      expect(response.status).toBe(404)
      expect(await response.text()).toContain('<div id="root">')
    },
  )

  it.each(['/acme.com', '/no.such', '/admin/clients/acme.ltd'])(
    '%s is asked for as a page, and gets the application',
    { tags: ['@RT-18', '@RT-33'] },
    async (path) => {
      const response = await app.request(path, { headers: { accept: 'text/html,*/*;q=0.8' } })
      expect(response.status).toBe(404)
      expect(await response.text()).toContain('<div id="root">')
    },
  )

  it('carries the configured names, and nothing in them breaks out', async () => {
    const html = await (await app.request('/login')).text()
    const json = /id="contun-names">([^<]*)<\/script>/.exec(html)?.[1] ?? ''
    expect(JSON.parse(json)).toEqual(names)
    expect(html).not.toContain('<script>alert')
  })

  it('has the configured product in its first title', async () => {
    const html = await (await app.request('/login')).text()
    expect(/<title>(.*)<\/title>/.exec(html)?.[1]).toBe(
      'Words &lt;/script>&lt;script>alert(1)&lt;/script>',
    )
  })

  it('names the support also where no script runs, in both of its messages', async () => {
    const supportEmail = "o'help&more@moonowl.example"
    const markup = "o'help&amp;more@moonowl.example"
    const line = `<p class="support">Need help? Write to <a href="mailto:${markup}">${markup}</a>.</p>`
    expect((await pageWith({ ...names, supportEmail })).match(SUPPORT)).toEqual([line, line])
  })

  it('names no support where none is set', async () => {
    const html = await pageWith({ ...names, supportEmail: '' })
    expect(html).toContain('Load again')
    expect(html).not.toMatch(/Need help|mailto/)
  })

  it('is an app of the configured name when it is installed, and the worker keeps that manifest', async () => {
    const manifest = await (await app.request('/manifest.webmanifest')).text()
    const name = names.productName
    expect(JSON.parse(manifest)).toEqual({ name, short_name: name, start_url: '/' })
    const digest = createHash('sha256').update(manifest).digest('base64')
    expect(await (await app.request('/sw.js')).text()).toContain(
      `{"integrity":"sha256-${digest}","revision":null,"url":"manifest.webmanifest"}`,
    )
  })

  it('is an app of the name that it was built with when no other is set', async () => {
    const productName = 'Contūn Articles'
    const { deps } = await createTestApp()
    const built = createApp(deps, staticFiles(folder, { ...names, productName }))
    const manifest = await (await built.request('/manifest.webmanifest')).json()
    expect(manifest).toEqual({ name: productName, short_name: 'Contūn', start_url: '/' })
  })

  it('may run only its own scripts, and is asked for again each time', async () => {
    const { headers } = await app.request('/login')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        'trusted-types default ProseMirrorClipboard contun-sw contun-files',
      ]),
    )
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
  })
})

describe('a file', () => {
  it.each([
    [
      '/assets/main-Bx3_k9aZ.js',
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
    ],
    ['/assets/main-Dq81LpPa.css', 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['/assets/text-Zm4x-9aB.woff2', 'font/woff2', 'public, max-age=31536000, immutable'],
    ['/sw.js', 'text/javascript; charset=utf-8', 'no-cache'],
    ['/index.html', 'text/html; charset=utf-8', 'no-cache'],
    ['/manifest.webmanifest', 'application/manifest+json; charset=utf-8', 'no-cache'],
    ['/icon.svg', 'image/svg+xml', 'no-cache'],
  ])('%s is %s and kept as %s', async (path, type, cache) => {
    const { status, headers } = await app.request(path)
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      type,
      cache,
    ])
  })

  it.each([
    '/.env',
    '/.git/config',
    '/package.json',
    '/package.json.bak',
    '/data.sqlite',
    '/assets/main-Bx3_k9aZ.js.map',
    '/assets/gone-Bx3_k9aZ.js',
    '/..%2f..%2fpackage.json',
    '/%2e%2e/%2e%2e/etc/passwd.txt',
    '/assets/',
    '/assets',
  ])('%s is not there', async (path) => {
    expect((await app.request(path)).status).toBe(404)
  })

  it('that was not there at the start is not served', async () => {
    writeFileSync(join(folder, 'late.js'), 'x')
    expect((await app.request('/late.js')).status).toBe(404)
  })

  it('is not sent again when it is the same', async () => {
    const first = await app.request('/sw.js')
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    const again = await app.request('/sw.js', { headers })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  it('travels compressed when the browser can read it', async () => {
    const path = '/assets/main-Bx3_k9aZ.js'
    const plain = await (await app.request(path)).text()
    for (const [accepted, coding, expand] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip;q=0.8', 'gzip', gunzipSync],
    ] as const) {
      const response = await app.request(path, { headers: { 'accept-encoding': accepted } })
      const bytes = Buffer.from(await response.arrayBuffer())
      expect(response.headers.get('content-encoding')).toBe(coding)
      expect(response.headers.get('vary')).toBe('Accept-Encoding')
      expect(bytes.length).toBeLessThan(plain.length / 5)
      expect(expand(bytes).toString()).toBe(plain)
    }
  })
})

it('a script travels as the build has compressed it, and the compressed file has no address', async () => {
  const built = mkdtempSync(join(tmpdir(), 'contun-public-'))
  const script = 'console.log("main")'.repeat(100)
  const ofBuild = brotliCompressSync(script, { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } })
  mkdirSync(join(built, 'assets'))
  writeFileSync(join(built, 'assets/main-Bx3_k9aZ.js'), script)
  writeFileSync(join(built, 'assets/main-Bx3_k9aZ.js.br'), ofBuild)
  const { deps } = await createTestApp()
  const site = createApp(deps, staticFiles(built, names))
  rmSync(built, { recursive: true })
  const sent = async (coding: string) => {
    const headers = { 'accept-encoding': coding }
    const response = await site.request('/assets/main-Bx3_k9aZ.js', { headers })
    return Buffer.from(await response.arrayBuffer())
  }
  expect(await sent('br')).toEqual(ofBuild)
  expect(gunzipSync(await sent('gzip')).toString()).toBe(script)
  expect((await sent('identity')).toString()).toBe(script)
  expect((await site.request('/assets/main-Bx3_k9aZ.js.br')).status).toBe(404)
})

it('the worker lists the digest of the shell that is served, whatever names are in it', {
  tags: ['@fault-74'],
}, async () => {
  const { deps } = await createTestApp()
  for (const productName of ['One', 'Another']) {
    const site = createApp(deps, staticFiles(folder, { ...names, productName }))
    const shell = Buffer.from(await (await site.request('/index.html')).arrayBuffer())
    const digest = createHash('sha256').update(shell).digest('base64')
    expect(await (await site.request('/sw.js')).text()).toContain(
      `keep([{"integrity":"sha256-x","revision":null,"url":"icon.svg"},{"integrity":"sha256-${digest}","revision":null,"url":"index.html"},`,
    )
  }
})

it('a worker that does not name the shell is refused at the start', { tags: ['@fault-74'] }, () => {
  const other = mkdtempSync(join(tmpdir(), 'contun-public-'))
  writeFileSync(join(other, 'index.html'), INDEX)
  writeFileSync(join(other, 'sw.js'), 'keep([])')
  expect(() => staticFiles(other, names)).toThrow('build the page again')
  rmSync(other, { recursive: true })
})

describe('files of releases before', { tags: ['@fault-76'] }, () => {
  const log = { info: () => {}, warn: vi.fn(), error: () => {} }
  let data: string
  let ms = 0
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'contun-data-'))
    log.warn.mockClear()
  })
  afterEach(() => rmSync(data, { recursive: true }))

  /** Starts a server of the release whose module is `text`, over the same data. */
  async function start(text: string, part = `/assets/part-${text.padEnd(8, '_')}.js`) {
    const built = mkdtempSync(join(tmpdir(), 'contun-public-'))
    mkdirSync(join(built, 'assets'))
    writeFileSync(join(built, 'index.html'), INDEX)
    writeFileSync(join(built, part), text)
    ms += 60_000
    const releases = keptReleases(join(data, 'releases'), { clock: { now: () => ms }, log })
    let kept = Promise.resolve()
    const keep = (files: ReleaseFiles) => {
      kept = releases.keep(files)
      return kept
    }
    const { deps } = await createTestApp()
    const site = createApp(deps, staticFiles(built, names, { ...releases, keep }))
    await kept
    rmSync(built, { recursive: true })
    return site
  }
  const read = async (site: Hono<AppEnv>, text: string) => {
    const answer = await site.request(`/assets/part-${text.padEnd(8, '_')}.js`)
    return answer.status === 200 ? answer.text() : answer.status
  }

  it('are served when the folder of the program was replaced, of the last three', async () => {
    for (const text of ['one', 'two', 'three']) await start(text)
    const site = await start('four')
    const found = await Promise.all(['one', 'two', 'three', 'four'].map((text) => read(site, text)))
    expect(found).toEqual([404, 'two', 'three', 'four'])
    const answer = await site.request('/assets/part-two_____.js')
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })

  it('count by their last start: a release that was gone back to is the one before', async () => {
    for (const text of ['one', 'two', 'three', 'one']) await start(text)
    const site = await start('four')
    expect([await read(site, 'one'), await read(site, 'two')]).toEqual(['one', 404])
  })

  it('are served by nodes of the older release over the same folder too', async () => {
    const older = await start('one')
    await start('two')
    expect(await read(older, 'two')).toBe('two')
  })

  it('are served whole or not at all, and a damaged archive of the own release is written again', async () => {
    await start('one')
    const folderOf = join(data, 'releases')
    const [archive = ''] = readdirSync(folderOf)
    const whole = readFileSync(join(folderOf, archive), 'utf8')
    writeFileSync(join(folderOf, archive), whole.slice(0, 20))
    expect(await read(await start('two'), 'one')).toBe(404)
    writeFileSync(join(folderOf, archive), whole.replace('b25l', 'b25k'))
    expect(await read(await start('two'), 'one')).toBe(404)
    await start('one')
    expect(await read(await start('two'), 'one')).toBe('one')
  })

  it('leave no half of an archive behind, neither of their own nor of a server that died', async () => {
    await start('one')
    const folderOf = join(data, 'releases')
    const [archive = ''] = readdirSync(folderOf)
    const died = join(folderOf, `${archive}.7.partial`)
    const isWriting = join(folderOf, `${archive}.8.partial`)
    for (const partial of [died, isWriting]) writeFileSync(partial, 'half')
    ms += 2 * 3_600_000
    utimesSync(died, 0, 0)
    utimesSync(isWriting, ms / 1_000, ms / 1_000)
    rmSync(join(folderOf, archive))
    mkdirSync(join(folderOf, archive))
    await start('one')
    expect(log.warn).toHaveBeenCalledOnce()
    expect(readdirSync(folderOf).sort()).toEqual([archive, `${archive}.8.partial`])
  })

  it('are read once for all that ask at the same time', async () => {
    await start('one')
    const site = await start('two')
    const parse = vi.spyOn(JSON, 'parse')
    const missing = Array.from({ length: 20 }, () => site.request('/assets/part-nothing_.js'))
    await Promise.all(missing)
    expect(parse.mock.calls.filter(([text]) => text.startsWith('[["/assets/'))).toHaveLength(1)
    parse.mockRestore()
  })

  it('do not keep a server from starting when they cannot be kept', async () => {
    writeFileSync(join(data, 'releases'), 'no folder')
    expect(await read(await start('one'), 'one')).toBe('one')
    expect(log.warn).toHaveBeenCalledOnce()
  })

  it('are given up where no folder can be made, as below /proc', async () => {
    const releases = keptReleases('/proc/none/releases', { clock: { now: () => ms }, log })
    await releases.keep(new Map([['/assets/part-one_____.js', Buffer.from('one')]]))
    expect(log.warn).toHaveBeenCalledOnce()
  })
})

it('/v1 never answers HTML', { tags: ['@AP-33'] }, async () => {
  for (const path of ['/v1', '/v1/', '/v1/login', '/v1/index.html', '/v1/../v1/x']) {
    const response = await app.request(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'application/json; charset=utf-8',
    ])
  }
})

it('only reading finds pages', async () => {
  expect((await app.request('/login', { method: 'HEAD' })).status).toBe(200)
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    expect((await app.request('/login', { method })).status).toBe(404)
  }
})
