import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type BrowserContext, chromium } from '@playwright/test'
import { BROWSER_ARGS } from '../playwright.config.ts'
import { collectViolations } from './violations.ts'

/** A Chromium process with a profile of its own on disk, so that it can be killed and started again. */
export type Laptop = {
  /** The context of the running browser. */
  context(): BrowserContext
  start(): Promise<BrowserContext>
  /** SIGKILL to the whole browser, as a flat battery or a crash would. */
  kill(): Promise<void>
  /** Ends the browser and removes the profile. Rejects when a page was refused anything by its policy. */
  discard(): Promise<void>
}

export async function newLaptop(): Promise<Laptop> {
  const profile = mkdtempSync(join(tmpdir(), 'contun-laptop-'))
  let browser: ChildProcess | null = null
  let context: BrowserContext | null = null
  const violations: string[][] = []

  const start = async () => {
    rmSync(join(profile, 'DevToolsActivePort'), { force: true })
    browser = spawn(
      process.env.CHROMIUM_PATH ?? chromium.executablePath(),
      [
        ...BROWSER_ARGS,
        '--headless=new',
        '--remote-debugging-port=0',
        `--user-data-dir=${profile}`,
        '--window-size=1440,900',
        '--lang=en-GB',
        'about:blank',
      ],
      { detached: true, stdio: 'ignore' },
    )
    const connected = await chromium.connectOverCDP(
      `http://127.0.0.1:${await debuggingPort(profile)}`,
    )
    context = connected.contexts()[0] ?? (await connected.newContext())
    violations.push(await collectViolations(context))
    return context
  }

  const kill = async () => {
    const dying = browser
    if (!dying?.pid) return
    browser = null
    context = null
    const ended = new Promise((exited) => dying.once('exit', exited))
    process.kill(-dying.pid, 'SIGKILL')
    await ended
  }

  await start()
  return {
    context() {
      if (!context) throw new Error('The browser is not running')
      return context
    },
    start,
    kill,
    async discard() {
      await kill()
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
      const refused = violations.flat()
      if (refused.length > 0) throw new Error(`Refused by the policy:\n${refused.join('\n')}`)
    },
  }
}

/** Chromium writes the port it chose into its profile. */
async function debuggingPort(profile: string): Promise<number> {
  const file = join(profile, 'DevToolsActivePort')
  for (let tries = 0; tries < 200; tries += 1) {
    if (existsSync(file)) {
      const port = Number(readFileSync(file, 'utf8').split('\n')[0])
      if (port > 0) return port
    }
    await pause(50)
  }
  throw new Error('Chromium did not start')
}
