import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { provideBrowser } from '../scripts/browser.mjs'
import { BROWSER_ARGS } from './rig.mjs'

/** A Chromium with a profile on disk that can be killed and started again. */
export function newLaptop() {
  const profile = mkdtempSync(join(tmpdir(), 'contun-bench-'))
  const portFile = join(profile, 'DevToolsActivePort')
  let browser = null

  async function kill() {
    if (browser === null) return
    const dying = browser
    browser = null
    process.kill(-dying.pid, 'SIGKILL')
    await once(dying, 'exit')
  }

  return {
    kill,
    /** Returns the context of the new browser. */
    async start() {
      rmSync(portFile, { force: true })
      browser = spawn(
        provideBrowser() ?? chromium.executablePath(),
        [
          ...BROWSER_ARGS,
          '--headless=new',
          '--remote-debugging-port=0',
          `--user-data-dir=${profile}`,
          '--window-size=1440,900',
          'about:blank',
        ],
        { detached: true, stdio: 'ignore' },
      )
      const connected = await chromium.connectOverCDP(`http://127.0.0.1:${await debuggingPort()}`)
      return connected.contexts()[0]
    },
    async discard() {
      await kill()
      rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }

  async function debuggingPort() {
    for (let tries = 0; tries < 400; tries += 1) {
      const port = existsSync(portFile) ? Number(readFileSync(portFile, 'utf8').split('\n')[0]) : 0
      if (port > 0) return port
      await pause(50)
    }
    throw new Error('Chromium did not start')
  }
}
