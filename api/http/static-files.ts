import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context, MiddlewareHandler } from 'hono'
import type { Config } from '../config.ts'
import type { KeptReleases } from './kept-releases.ts'

/** Addresses with a screen of the application (spec section 2). */
const ROUTES =
  /^\/(?:|guest\/home|login|register|forgot-password|reset-password|welcome|admin\/(?:home|users|articles|articles\/batch|progress|month-sheet|log|texts|undelivered-texts|clients\/(?:moonowl|external))|client\/(?:home|profile|article\/[^/]+))$/

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.webmanifest', 'application/manifest+json; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
])
/** Well-known address of the page to change a password. Users who are not logged in reach it after the login. */
const CHANGE_PASSWORD = '/.well-known/change-password'
const PROFILE = '/client/profile'

const ENDS: readonly (readonly [Coding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
]
const COMPRESSIBLE = /^(?:text|application)\/|\+xml$/
const READING = new Set(['GET', 'HEAD'])
const MANIFEST = '/manifest.webmanifest'
const HASHED = /^\/assets\/.+-[\w-]{8}\.\w+$/

/** A line of web/index.html with the default support address, as text and in a link. */
const SUPPORT = /<p class="support">.*?<\/p>/gs
const BUILT_SUPPORT = 'support@moonandowl.example'

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default ProseMirrorClipboard contun-sw contun-files',
].join('; ')

type Bytes = Buffer<ArrayBuffer>
type StaticFile = {
  bytes: Bytes
  type: string
  etag: string
  isHashed: boolean
  /** Compressed by the build, or on first request and then cached. */
  compressed: Compressed
}
type Coding = 'br' | 'gzip'
type Compressed = { [coding in Coding]?: Bytes | Promise<Bytes> }
type Names = Pick<
  Config,
  'productName' | 'agencyName' | 'timeZone' | 'supportEmail' | 'marketingUrl'
>

/**
 * Serves the build output in `folder`, read once at the start, and hashed files of other releases, which open tabs
 * still request. An address without a file gets the application, with 200 when it is one of its routes and else with
 * 404, so that the application can show that.
 */
export function staticFiles(
  folder: string,
  names: Names,
  releases?: KeptReleases,
): MiddlewareHandler {
  const files = readFiles(folder)
  const shell = withNames(files.get('/index.html'), names)
  const manifest = withProductName(files.get(MANIFEST), names)
  const worker = files.get('/sw.js')
  if (shell) files.set('/index.html', shell)
  if (manifest) files.set(MANIFEST, manifest)
  if (shell && worker) {
    const named = withDigest(worker, '/index.html', shell)
    files.set('/sw.js', manifest ? withDigest(named, MANIFEST, manifest) : named)
  }
  const hashed = [...files].filter(([, { isHashed }]) => isHashed)
  void releases?.keep(new Map(hashed.map(([path, { bytes }]) => [path, bytes])))

  async function ofOtherRelease(path: string): Promise<StaticFile | undefined> {
    const type = TYPES.get(extname(path))
    const bytes = HASHED.test(path) && type ? await releases?.find(path) : undefined
    if (!bytes || !type) return undefined
    const file = asStatic(bytes, type, true)
    files.set(path, file)
    return file
  }

  return async (c, next) => {
    const { path } = c.req
    if (!READING.has(c.req.method) || /^\/v1(\/|$)/.test(path)) return next()
    if (path === CHANGE_PASSWORD) return c.redirect(PROFILE)
    const file = files.get(path) ?? (await ofOtherRelease(path))
    if (file) return answer(c, file)
    if (shell === undefined || !isPage(c)) return next()
    return answer(c, shell, ROUTES.test(path) ? 200 : 404)
  }
}

/** A missing file is not a page, unless a browser navigates to its address. */
function isPage({ req }: Context): boolean {
  const isOpened = req.header('accept')?.includes('text/html') === true
  return !req.path.includes('.') || (isOpened && !req.path.startsWith('/assets/'))
}

function readFiles(folder: string): Map<string, StaticFile> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = new Map<string, StaticFile>()
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name)
    const path = file.slice(folder.length).replaceAll('\\', '/')
    const type = TYPES.get(extname(entry.name))
    const isServed = entry.isFile() && type !== undefined && !/\/\./.test(path)
    if (!isServed) continue
    const isHashed = HASHED.test(path)
    files.set(path, asStatic(readFileSync(file), type, isHashed, isHashed ? builtOf(file) : {}))
  }
  return files
}

function asStatic(
  bytes: Bytes,
  type: string,
  isHashed: boolean,
  compressed: Compressed = {},
): StaticFile {
  const etag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  return { bytes, type, etag, isHashed, compressed }
}

/** Reads the compressed files that the build wrote for a file. */
function builtOf(file: string): Compressed {
  const compressed: Compressed = {}
  for (const [coding, end] of ENDS)
    if (existsSync(file + end)) compressed[coding] = readFileSync(file + end)
  return compressed
}

/**
 * Writes the configured names into the document, where the page reads them before its first request. The support lines
 * of its messages without scripts get the configured address; without one they are removed.
 */
function withNames(index: StaticFile | undefined, names: Names): StaticFile | undefined {
  if (index === undefined) return undefined
  const { productName, agencyName, timeZone, supportEmail, marketingUrl } = names
  const json = JSON.stringify({ productName, agencyName, timeZone, supportEmail, marketingUrl })
  const title = asMarkup(productName)
  const support = asMarkup(supportEmail)
  const html = index.bytes
    .toString('utf8')
    .replace(
      /(<script[^>]*id="contun-names"[^>]*>)[^<]*(<\/script>)/,
      (_, open: string, close: string) => open + json.replaceAll('<', '\\u003c') + close,
    )
    .replace(/(<title>)[^<]*(<\/title>)/, (_, open: string, close: string) => open + title + close)
    .replace(SUPPORT, (line) =>
      support === '' ? '' : line.replaceAll(BUILT_SUPPORT, () => support),
    )
  return asStatic(Buffer.from(html), index.type, false)
}

const asMarkup = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Sets the configured product name. The built short name fits the default product name only. */
function withProductName(
  manifest: StaticFile | undefined,
  { productName }: Names,
): StaticFile | undefined {
  if (manifest === undefined) return undefined
  const built: { name: string } = JSON.parse(manifest.bytes.toString('utf8'))
  if (built.name === productName) return manifest
  const json = JSON.stringify({ ...built, name: productName, short_name: productName })
  return asStatic(Buffer.from(json), manifest.type, false)
}

/** The worker verifies files by digest, and this file contains the names of this server. */
function withDigest(worker: StaticFile, path: string, file: StaticFile): StaticFile {
  const url = path.slice(1)
  const list = worker.bytes.toString('utf8')
  const end = `,"revision":null,"url":"${url}"`
  const at = list.indexOf(end)
  const from = list.lastIndexOf('"integrity":"', at)
  if (at < 0 || from < 0) throw new Error(`sw.js does not name ${url}: build the page again`)
  const digest = createHash('sha256').update(file.bytes).digest('base64')
  const bytes = Buffer.from(`${list.slice(0, from)}"integrity":"sha256-${digest}"${list.slice(at)}`)
  return asStatic(bytes, worker.type, false)
}

async function answer(c: Context, file: StaticFile, status: 200 | 404 = 200): Promise<Response> {
  const coding = COMPRESSIBLE.test(file.type) ? preferred(c.req.header('accept-encoding')) : null
  const etag = `"${file.etag}${coding ? `-${coding}` : ''}"`
  c.header('Cache-Control', file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
  c.header('ETag', etag)
  c.header('Vary', 'Accept-Encoding')
  c.header('X-Robots-Tag', 'noindex')
  c.header('Content-Security-Policy', PAGE_POLICY)
  if (status === 200 && c.req.header('if-none-match') === etag) return c.body(null, 304)
  c.header('Content-Type', file.type)
  if (coding === null) return c.body(file.bytes, status)
  c.header('Content-Encoding', coding)
  file.compressed[coding] ??= compress(file.bytes, coding)
  return c.body(await file.compressed[coding], status)
}

function preferred(accepted = ''): Coding | null {
  const codings = accepted.split(',').map((part) => part.trim())
  const accepts = (name: string) => codings.some((coding) => coding.split(';')[0] === name)
  if (accepts('br')) return 'br'
  return accepts('gzip') ? 'gzip' : null
}

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

function compress(bytes: Buffer, coding: Coding): Promise<Bytes> {
  return coding === 'br' ? promisify(brotliCompress)(bytes, BROTLI) : promisify(gzip)(bytes)
}
