import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Driver, overHttp, overMarionette } from './webdriver.ts'

export type BrowserName = 'firefox' | 'webkit'

export type Launched = {
  readonly name: BrowserName
  readonly driver: Driver
  /** The folder that gets what is downloaded. */
  readonly downloads: string
  /** Only Firefox: the names of what it asks its user just now. */
  prompts(): Promise<string[]>
  close(): Promise<void>
}

/** What a user or a network may have set. */
export type Settings = {
  /** Only Firefox. */
  siteDataBlocked?: boolean
  /** The port of a proxy on this machine, for all that is not on this machine. */
  proxyPort?: number
}

const WIDTH = 1440
const HEIGHT = 900
/** Meets the minimum width of the product. */
export const WINDOW = { x: 0, y: 0, width: WIDTH, height: HEIGHT }
const PROMPTS = 'return PopupNotifications._currentNotifications.map(({ id }) => id)'
const START_MS = 60_000

/** A browser with a profile of its own. */
export async function launch(name: BrowserName, settings: Settings = {}): Promise<Launched> {
  const home = mkdtempSync(join(tmpdir(), `contun-${name}-`))
  const downloads = join(home, 'downloads')
  mkdirSync(downloads)
  const processes: ChildProcess[] = []
  const run = (command: string, args: string[], env: NodeJS.ProcessEnv = {}): ChildProcess => {
    const child = spawn(command, args, {
      env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_RUNTIME_DIR: home, ...env },
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    processes.push(child)
    return child
  }
  let driver: Driver | null = null
  const close = async () => {
    await Promise.race([driver?.end().catch(() => {}), pause(5_000)])
    for (const child of processes.reverse()) await stop(child)
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
  }
  try {
    const begin = name === 'firefox' ? startFirefox : startWebKit
    driver = await begin(run, { home, downloads, settings })
    await driver.send('timeouts', { script: 60_000, pageLoad: 60_000, implicit: 0 })
    await driver.send('resize', WINDOW)
    const around = driver
    const prompts = async () => (await around.aroundPage(PROMPTS)) as string[]
    return { name, driver, downloads, prompts, close }
  } catch (error) {
    await close()
    throw error
  }
}

type Run = (command: string, args: string[], env?: NodeJS.ProcessEnv) => ChildProcess
type Place = { home: string; downloads: string; settings: Settings }

async function startFirefox(run: Run, { home, downloads, settings }: Place): Promise<Driver> {
  const port = await freePort()
  const preferences: Record<string, string | number | boolean> = {
    'marionette.port': port,
    'browser.download.folderList': 2,
    'browser.download.dir': downloads,
    'browser.download.always_ask_before_handling_new_types': false,
    'browser.shell.checkDefaultBrowser': false,
    'browser.startup.page': 0,
    'browser.aboutwelcome.enabled': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'toolkit.telemetry.enabled': false,
    'app.update.enabled': false,
    'extensions.update.enabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'services.settings.server': 'data:,',
    'browser.safebrowsing.downloads.enabled': false,
    'media.gmp-provider.enabled': false,
    ...(settings.siteDataBlocked && { 'network.cookie.cookieBehavior': 2 }),
    ...(settings.proxyPort && {
      'network.proxy.type': 1,
      'network.proxy.http': '127.0.0.1',
      'network.proxy.http_port': settings.proxyPort,
      'network.proxy.ssl': '127.0.0.1',
      'network.proxy.ssl_port': settings.proxyPort,
    }),
  }
  const lines = Object.entries(preferences).map(
    ([key, value]) => `user_pref(${JSON.stringify(key)}, ${JSON.stringify(value)});`,
  )
  writeFileSync(join(home, 'user.js'), `${lines.join('\n')}\n`)
  run(
    process.env.FIREFOX_PATH ?? 'firefox-esr',
    // The last argument lets tests read permission prompts.
    [
      '--headless',
      '--marionette',
      '--no-remote',
      '--profile',
      home,
      '--remote-allow-system-access',
    ],
    {
      MOZ_HEADLESS_WIDTH: String(WIDTH),
      MOZ_HEADLESS_HEIGHT: String(HEIGHT),
    },
  )
  return soon(() => overMarionette(port))
}

async function startWebKit(run: Run, { home, downloads, settings }: Place): Promise<Driver> {
  writeFileSync(join(home, 'user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${downloads}"\n`)
  const display = await startDisplay(run, home)
  const port = await freePort()
  const proxy = `http://127.0.0.1:${settings.proxyPort}`
  run(process.env.WEBKIT_DRIVER_PATH ?? 'WebKitWebDriver', [`--port=${port}`], {
    DISPLAY: display,
    GDK_BACKEND: 'x11',
    LIBGL_ALWAYS_SOFTWARE: '1',
    WEBKIT_DISABLE_DMABUF_RENDERER: '1',
    WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    NO_AT_BRIDGE: '1',
    GTK_A11Y: 'none',
    // As variables, because MiniBrowser often crashes at its start when the session names a proxy.
    ...(settings.proxyPort && {
      http_proxy: proxy,
      https_proxy: proxy,
      no_proxy: 'localhost,127.0.0.1',
    }),
  })
  return soon(() => overHttp(`http://127.0.0.1:${port}`, { browserName: 'MiniBrowser' }))
}

/** Xvfb chooses a free number and writes it to the file it is given. */
async function startDisplay(run: Run, home: string): Promise<string> {
  const file = join(home, 'display')
  const command = process.env.XVFB_PATH ?? 'Xvfb'
  run('sh', [
    '-c',
    `exec ${command} -displayfd 5 -screen 0 ${WIDTH + 60}x${HEIGHT + 60}x24 -nolisten tcp 5>${file}`,
  ])
  return soon(async () => {
    const number = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
    if (number === '') throw new Error('Xvfb did not start')
    return `:${number}`
  })
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

/** What `attempt` returns once it works; its last failure when that takes too long. */
async function soon<T>(attempt: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + START_MS
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() >= deadline) throw error
      await pause(100)
    }
  }
}

/** Each was started as the leader of a group: its own processes end with it. */
async function stop(child: ChildProcess): Promise<void> {
  if (!child.pid) return
  const ended = new Promise((exited) => child.once('exit', exited))
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
  if (child.exitCode === null && child.signalCode === null) await ended
}
