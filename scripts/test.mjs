import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { provideBrowser } from './browser.mjs'
import { provideNode24 } from './node-24.mjs'
import { buildIfStale, installIfNeeded, requireNode, root } from './prepare.mjs'

/**
 * `npm test`: everything, from a fresh clone. Types and lint, then the unit, API and simulation tests, on an older
 * Node the unit and API tests on Node 24 as well, then the whole product in Chromium. The last lines name what failed, and
 * what passed at a second try (only CI tries again), and count what the runners themselves reported.
 */

const RESULTS = join(root, '.test-results')

requireNode()
installIfNeeded()
rmSync(RESULTS, { recursive: true, force: true })
mkdirSync(RESULTS, { recursive: true })

const checks = [
  step('Formatting and lint', 'npx', ['biome', 'check', '--error-on-warnings']),
  step('Types', 'npx', ['tsc', '-b']),
]
buildIfStale()
const unit = step('Unit, API and simulation tests', 'npx', [
  'vitest',
  'run',
  ...reportedTo('vitest.json'),
])
const onNode24 = Number(process.versions.node.split('.')[0]) >= 24 || testOnNode24()
const browser = provideBrowser()
const endToEnd = step('End to end in Chromium', 'npx', ['playwright', 'test'], {
  ...(browser ? { CHROMIUM_PATH: browser } : {}),
  PLAYWRIGHT_JSON_OUTPUT_FILE: join(RESULTS, 'playwright.json'),
})

const counts = [
  countVitest(read('vitest.json'), unit),
  countVitest(read('vitest-node-24.json'), onNode24),
  countPlaywright(read('playwright.json'), endToEnd),
  { passed: 0, failed: checks.filter((ok) => !ok).length },
]
const passed = sum(counts.map((count) => count.passed))
const failed = sum(counts.map((count) => count.failed))
const reported = [
  ...ofVitest(read('vitest.json')),
  ...ofVitest(read('vitest-node-24.json')).map((test) => ({
    ...test,
    name: `${test.name} (Node 24)`,
  })),
  ...ofPlaywright(read('playwright.json')),
]
for (const { name, outcome, reason } of reported)
  if (outcome !== 'passed') console.log(`${outcome}: ${name}\n${firstLines(reason)}`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)

/** Without simulations, which are long and do not depend on the version, and over SQLite, whose driver does. */
function testOnNode24() {
  const found = provideNode24()
  if (found === null) return false
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--project=sqlite', ...reportedTo('vitest-node-24.json')]
  const env = { ...found.env, SIMULATION: 'off' }
  return step('Unit and API tests on Node 24', found.node, args, env)
}

function reportedTo(name) {
  return ['--reporter=default', '--reporter=json', `--outputFile.json=${join(RESULTS, name)}`]
}

function step(title, command, args, env = {}) {
  console.log(`\n── ${title} ──`)
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  return status === 0
}

function read(name) {
  try {
    return JSON.parse(readFileSync(join(RESULTS, name), 'utf8'))
  } catch {
    return null
  }
}

/** A runner that failed without naming a failed test (a file that does not load, say) counts as one failure. */
function countVitest(report, ok) {
  const passed = report?.numPassedTests ?? 0
  const failed = report?.numFailedTests ?? 0
  return { passed, failed: failed === 0 && !ok ? 1 : failed }
}

function countPlaywright(report, ok) {
  const passed = (report?.stats.expected ?? 0) + (report?.stats.flaky ?? 0)
  const failed = report?.stats.unexpected ?? 0
  return { passed, failed: failed === 0 && !ok ? 1 : failed }
}

/**
 * Every test by its file and name. With the first lines of its reason the end of a long log is enough to know what
 * to look at. A test that passed has a reason when it failed before.
 */
function ofVitest(report) {
  return (report?.testResults ?? []).flatMap((file) => {
    const tests = file.assertionResults.map((test) => ({
      name: `${file.name}: ${test.fullName}`,
      outcome: outcomeOf(test.status !== 'failed', test.failureMessages.length > 0),
      reason: test.failureMessages.join('\n'),
    }))
    const didNotLoad =
      file.status === 'failed' && !tests.some(({ outcome }) => outcome === 'failed')
    return didNotLoad ? [{ name: file.name, outcome: 'failed', reason: file.message }] : tests
  })
}

function ofPlaywright(report) {
  return (report?.suites ?? []).flatMap(ofSuite)
}

function ofSuite(suite) {
  const own = (suite.specs ?? []).map((spec) => {
    const errors = spec.tests.flatMap((test) => test.results.flatMap((result) => result.errors))
    return {
      name: `${spec.file}: ${spec.title}`,
      outcome: outcomeOf(
        spec.ok,
        spec.tests.some(({ status }) => status === 'flaky'),
      ),
      reason: errors.map((error) => error.message).join('\n'),
    }
  })
  return [...own, ...(suite.suites ?? []).flatMap(ofSuite)]
}

function outcomeOf(isOk, failedBefore) {
  if (!isOk) return 'failed'
  return failedBefore ? 'passed at a second try' : 'passed'
}

function firstLines(text) {
  return text.split('\n').slice(0, 12).join('\n')
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}
