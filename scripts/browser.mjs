import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { run } from './prepare.mjs'

/** The same engine without the window around the page, which here took a fifth of the time of all stories. */
const SHELL = 'chromium-headless-shell'
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * The browser of the end-to-end tests: the system's, Debian's package where this may be installed, or the one that
 * Playwright downloads; the headless shell before a whole browser. Returns its path; null means Playwright's own.
 */
export function provideBrowser() {
  const found = process.env.CHROMIUM_PATH ?? onPath(SHELL)
  if (found) return found
  if (mayInstall() && installed(SHELL)) return onPath(SHELL)
  const browser = onPath(...BROWSERS)
  if (browser) return browser
  if (mayInstall() && installed('chromium')) return onPath('chromium')
  run('npx', ['playwright', 'install', 'chromium'])
  return null
}

const mayInstall = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

/** Whether Debian's package is there now. */
function installed(name) {
  console.log(`Installing Debian's ${name} for the end-to-end tests …`)
  const options = ['-qq', 'install', '-y', '--no-install-recommends', name, 'fonts-liberation']
  return succeeds('apt-get', ['-qq', 'update']) && succeeds('apt-get', options)
}

const succeeds = (command, args) => spawnSync(command, args, { stdio: 'inherit' }).status === 0

function onPath(...names) {
  for (const name of names) {
    const { status, stdout } = spawnSync('which', [name], { encoding: 'utf8' })
    if (status === 0) return stdout.trim()
  }
  return null
}
