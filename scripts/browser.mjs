import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { run } from './prepare.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * The browser of the end-to-end tests: the system's, else Debian's package where this may be installed,
 * else the one that Playwright downloads. Returns its path; null means Playwright's own.
 */
export function provideBrowser() {
  const found = process.env.CHROMIUM_PATH ?? systemBrowser()
  if (found) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log("Installing Debian's Chromium for the end-to-end tests …")
    run('apt-get', ['-qq', 'update'])
    run('apt-get', [
      '-qq',
      'install',
      '-y',
      '--no-install-recommends',
      'chromium',
      'fonts-liberation',
    ])
    const installed = systemBrowser()
    if (installed) return installed
  }
  run('npx', ['playwright', 'install', 'chromium'])
  return null
}

function systemBrowser() {
  for (const name of NAMES) {
    const { status, stdout } = spawnSync('which', [name], { encoding: 'utf8' })
    if (status === 0) return stdout.trim()
  }
  return null
}
