import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildIfStale, installIfNeeded, requireNode, root } from './prepare.mjs'

/**
 * `npm run test:browsers`: the main stories in Firefox and in WebKitGTK, over the built product. Says what is not
 * installed; the last line counts what the runner reported, and stories of a browser that is not here as one failure.
 * With `--if-installed`, as `npm run test:all` runs them, a missing browser is no failure, and stories with the tag
 * `@long` are left out: all they use of a browser is in another story too.
 */

/** What each needs: the variable that may name its command, the usual names of that, and its Debian package. */
const BROWSERS = {
  firefox: [['FIREFOX_PATH', ['firefox-esr', 'firefox'], 'firefox-esr']],
  webkit: [
    ['WEBKIT_DRIVER_PATH', ['WebKitWebDriver'], 'webkit2gtk-driver'],
    ['XVFB_PATH', ['Xvfb'], 'xvfb'],
  ],
}

const RESULTS = join(root, '.test-results')
const REPORT = join(RESULTS, 'browsers.json')

requireNode()
installIfNeeded()
const paths = {}
const present = Object.keys(BROWSERS).filter(isInstalled)
const isOptional = process.argv.includes('--if-installed')
const missing = isOptional ? 0 : Object.keys(BROWSERS).length - present.length
const counts = present.length > 0 ? run(present) : { passed: 0, failed: 0 }
const failed = counts.failed + missing
console.log(`${counts.passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

function isInstalled(browser) {
  const absent = BROWSERS[browser].filter(([variable, names]) => {
    paths[variable] = process.env[variable] ?? onPath(names)
    return !paths[variable]
  })
  if (absent.length === 0) return true
  console.log(
    `${browser} is not tested: ${absent.map(([, names]) => names[0]).join(' and ')} not found.`,
  )
  const packages = absent.map(([, , name]) => name).join(' ')
  console.log(`  Debian and Ubuntu have it: apt-get install --no-install-recommends ${packages}`)
  return false
}

function onPath(names) {
  for (const name of names) {
    const { status, stdout } = spawnSync('which', [name], { encoding: 'utf8' })
    if (status === 0) return stdout.trim()
  }
  return null
}

function run(browsers) {
  buildIfStale()
  mkdirSync(RESULTS, { recursive: true })
  rmSync(REPORT, { force: true })
  const projects = browsers.flatMap((browser) => ['--project', browser])
  const config = ['--config', 'e2e/browsers/playwright.config.ts']
  const stories = isOptional ? ['--grep-invert=@long'] : []
  const { status } = spawnSync('npx', ['playwright', 'test', ...config, ...projects, ...stories], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...paths, PLAYWRIGHT_JSON_OUTPUT_FILE: REPORT },
  })
  const { expected = 0, unexpected = 0 } = statsOf(REPORT)
  return { passed: expected, failed: unexpected === 0 && status !== 0 ? 1 : unexpected }
}

function statsOf(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8')).stats
  } catch {
    return {}
  }
}
