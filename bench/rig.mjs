import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import { build } from 'vite'
import { provideBrowser } from '../scripts/browser.mjs'

/** What the benchmarks share: servers, a browser, bundles for its pages, and figures. */

/** The account that every product server starts with. */
export const OFFICE = { email: 'bench@contun.example', password: 'figures-and-paper' }

export const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
]

/** The product's own server; `npm run build` makes it. */
export const PRODUCT = new URL('../dist/server/start.js', import.meta.url)

/** Runs `entry` (a URL) as a server process over an empty folder of its own, until `stop`. */
export async function startServer(entry, env = {}) {
  const folder = newFolder()
  const server = fork(fileURLToPath(entry), {
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
      RATE_LIMITS: 'off',
      ADMIN_EMAIL: OFFICE.email,
      ADMIN_PASSWORD: OFFICE.password,
      ...env,
    },
    execArgv: ['--disable-proto=delete'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const stop = async () => {
    await end(server)
    removeFolder(folder)
  }
  return { url: await ready(server), server, stop }
}

/** Stops a process and waits for its end. */
export async function end(child) {
  child.kill('SIGTERM')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** One call of the product's API. Throws unless it was a success. */
export async function call(url, method, path, body, token) {
  const answer = await fetch(`${url}/v1${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`)
  return text === '' ? null : JSON.parse(text)
}

export const tokenOf = async (url, login = OFFICE) =>
  (await call(url, 'POST', '/auth/login', login)).tokens.access.token

/** A Chromium with a profile on disk, until `stop`: the folder `profile`, which stays, or one of its own. */
export async function startBrowser({ profile: kept, ...options } = {}) {
  const profile = kept ?? newFolder()
  const executablePath = provideBrowser()
  const context = await chromium.launchPersistentContext(profile, {
    viewport: { width: 1440, height: 900 },
    args: BROWSER_ARGS,
    ...(executablePath && { executablePath }),
    ...options,
  })
  const stop = async () => {
    await context.close()
    if (!kept) removeFolder(profile)
  }
  return { context, stop }
}

/** A page and its line to the browser's own counters and network. */
export async function newPage(context) {
  const page = await context.newPage()
  page.on('pageerror', (error) => console.error(error))
  return { page, cdp: await context.newCDPSession(page) }
}

/**
 * The markup of the product's article page with its styles, without its scripts and its text, for an editor in
 * `#editor`.
 */
export function furnitureOf(page) {
  return page.evaluate(() => {
    const copy = document.documentElement.cloneNode(true)
    for (const script of copy.querySelectorAll('script, link[rel=modulepreload]')) script.remove()
    const text = copy.querySelector('.ProseMirror')
    text.parentElement.id = 'editor'
    text.remove()
    return copy.outerHTML
  })
}

/** `entry`, a module in this folder, with all its imports as one script. */
export async function bundle(entry) {
  const folder = newFolder()
  try {
    await build({
      configFile: false,
      logLevel: 'error',
      // A page has one Dexie only.
      resolve: { dedupe: ['dexie'] },
      define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
      build: {
        outDir: folder,
        target: 'es2022',
        lib: {
          entry: fileURLToPath(new URL(entry, import.meta.url)),
          formats: ['iife'],
          name: 'bench',
          fileName: () => 'built.js',
        },
      },
    })
    return readFileSync(join(folder, 'built.js'), 'utf8')
  } finally {
    removeFolder(folder)
  }
}

/** A module of the product, built as the page has it. */
export async function load(path) {
  const folder = newFolder()
  try {
    await build({
      configFile: false,
      logLevel: 'error',
      ssr: { noExternal: true },
      build: {
        ssr: fileURLToPath(new URL(path, import.meta.url)),
        outDir: folder,
        rollupOptions: { output: { entryFileNames: 'built.mjs' } },
      },
    })
    return await import(pathToFileURL(join(folder, 'built.mjs')).href)
  } finally {
    removeFolder(folder)
  }
}

export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

export const median = (values) => quantile(values, 0.5)

/** The median over the rounds of what `values` is of `others` in the same round. */
export const ratio = (values, others) => median(values.map((value, round) => value / others[round]))

export const newFolder = () => mkdtempSync(join(tmpdir(), 'contun-bench-'))

export const removeFolder = (folder) =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })

/** Resolves with the address that a server prints once it listens; rejects when it ends before. */
export function ready(child) {
  return new Promise((settle, fail) => {
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text
      const found = /ready at (http:\/\/\S+)/.exec(printed)
      if (found) settle(found[1])
    })
    child.once('exit', () => fail(new Error(printed)))
  })
}
