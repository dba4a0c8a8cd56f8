import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { provideBrowser } from './browser.mjs'
import { provideNode24 } from './node-24.mjs'
import { buildIfStale, installIfNeeded, requireNode, root } from './prepare.mjs'

/**
 * `npm test`, `npm run test:all` and `npm run test:long`, from a fresh clone. docs/architecture.md says what each of
 * them runs; scripts/test-depth.ts, how often. The last lines name what failed, and what passed at a second try (only
 * CI tries again), and count what the runners themselves reported.
 */

const RESULTS = join(root, '.test-results')
const DEPTH = process.argv[2] ?? 'quick'
/** What depends on the version of Node: the SQLite driver, the HTTP server, streams and cryptography. */
const OF_NODE = [
  'api/accounts/passwords',
  'api/accounts/tokens',
  'api/database/database',
  'api/database/name-search',
  'api/database/sqlite',
  'api/events/event-routes',
  'api/http/http-listener',
  'api/http/read-body',
  'api/http/static-files',
  'api/operations/backups',
  'api/operations/storage-faults',
  'api/server.test',
]

/** If more stories fail, load is not the cause, and none is retried. */
const RETRIES_MAX = 20

requireNode()
installIfNeeded()
rmSync(RESULTS, { recursive: true, force: true })
mkdirSync(RESULTS, { recursive: true })

const results = await { quick, all, long }[DEPTH]()
const passed = sum(results.map((result) => result.passed))
const failed = sum(results.map((result) => result.failed))
for (const { name, outcome, reason } of results.flatMap((result) => result.tests))
  if (outcome !== 'passed') console.log(`${outcome}: ${name}\n${firstLines(reason)}`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1

/** Runs the steps in sequence, as the other two do: in parallel they compete for the processor, and tests with time limits fail. */
async function quick() {
  return [
    ...(await buildAndCheck()),
    await unit('Unit and API tests, a short simulation', ['--project=sqlite', '--project=web']),
    await playwright('The main stories in Chromium', ['--grep=@main'], browserEnv()),
  ]
}

async function all() {
  const built = await buildAndCheck()
  const browser = browserEnv()
  return [
    ...built,
    await unit('Unit, API and simulation tests', []),
    await onNode24(OF_NODE),
    await playwright('The product in Chromium', ['--grep-invert=@long'], browser),
    await otherBrowsers('--if-installed'),
  ]
}

/** Kills of the browser run without other tests: their losses are measured in milliseconds. */
async function long() {
  const built = await buildAndCheck()
  const browser = browserEnv()
  const kills = 'browser-kill.spec.ts'
  return [
    ...built,
    await unit('Unit, API and simulation tests', []),
    await onNode24([]),
    await playwright('Kills of the browser', [`--grep=${kills}`, '--workers=1'], browser),
    await playwright('The product in Chromium', [`--grep-invert=${kills}`], browser),
    await otherBrowsers(),
  ]
}

/** Lint and types run in parallel: each uses one processor for most of its time. */
async function buildAndCheck() {
  const areTypesChecked = buildIfStale()
  const lint = step('Formatting and lint', 'npx', ['biome', 'check', '--error-on-warnings'])
  const types = areTypesChecked || step('Types', 'npx', ['tsc', '-b'])
  return [asOne(await lint), asOne(await types)]
}

function asOne(isOk) {
  return { passed: 0, failed: isOk ? 0 : 1, tests: [] }
}

async function unit(title, args) {
  const report = 'vitest.json'
  const isOk = await step(title, 'npx', ['vitest', 'run', ...args, ...reportedTo(report)])
  return ofVitest(report, isOk)
}

/** On an older Node: over SQLite, and without the simulation, which does not depend on the version. */
async function onNode24(files) {
  if (Number(process.versions.node.split('.')[0]) >= 24) return asOne(true)
  const found = provideNode24()
  if (found === null) return asOne(false)
  const report = 'vitest-node-24.json'
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const projects = ['--project=sqlite', '--project=web']
  const args = [vitest, 'run', ...files, ...projects, ...reportedTo(report)]
  const env = { ...found.env, SIMULATION: 'off' }
  const isOk = await step('Tests on Node 24', found.node, args, { env })
  return ofVitest(report, isOk, ' (Node 24)')
}

function browserEnv() {
  const browser = provideBrowser()
  return browser ? { CHROMIUM_PATH: browser } : {}
}

/**
 * Stories share the processor with those of the other workers and can exceed a time limit. CI retries the failed ones
 * with one worker and without traces, because recording a trace fails in stories with several browser contexts.
 */
async function playwright(title, args, browser) {
  const first = await stories(title, args, browser)
  const failed = first.tests.filter(({ outcome }) => outcome === 'failed')
  if (!process.env.CI || failed.length === 0 || failed.length > RETRIES_MAX) return first
  const retried = [...args, '--last-failed', '--workers=1']
  return withRetries(first, await stories(`${title}, retries`, retried, browser))
}

async function stories(title, args, browser) {
  const report = `${title.replaceAll(/\W+/g, '-').toLowerCase()}.json`
  const env = { ...browser, PLAYWRIGHT_JSON_OUTPUT_FILE: join(RESULTS, report) }
  return ofPlaywright(report, await step(title, 'npx', ['playwright', 'test', ...args], { env }))
}

/** The results of a run in which the tests of `second` were run again. */
function withRetries(first, second) {
  const passed = new Set(
    second.tests.filter(({ outcome }) => outcome === 'passed').map(({ name }) => name),
  )
  const tests = first.tests.map((test) =>
    passed.has(test.name) ? { ...test, outcome: 'passed at a second try' } : test,
  )
  const failed = Math.max(first.failed - second.passed, second.failed)
  return { passed: first.passed + second.passed, failed, tests }
}

async function otherBrowsers(...args) {
  const command = ['scripts/test-browsers.mjs', ...args]
  const isOk = await step('Firefox and WebKitGTK', process.execPath, command)
  return ofPlaywright('browsers.json', isOk)
}

function reportedTo(name) {
  return ['--reporter=default', '--reporter=json', `--outputFile.json=${join(RESULTS, name)}`]
}

/** Resolves with true if the command exits with 0. Says how long it took. */
function step(title, command, args, { env = {} } = {}) {
  process.stdout.write(`\n── ${title} ──\n`)
  const start = performance.now()
  const child = spawn(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_DEPTH: DEPTH, ...env },
  })
  return new Promise((ended) => {
    child.once('error', () => ended(false))
    child.once('close', (code) => {
      console.log(`── ${title}: ${Math.round((performance.now() - start) / 1000)} s`)
      ended(code === 0)
    })
  })
}

function read(name) {
  try {
    return JSON.parse(readFileSync(join(RESULTS, name), 'utf8'))
  } catch {
    return null
  }
}

/**
 * Every test by its file and name. With the first lines of its reason the end of a long log is enough to know what
 * to look at. A test that passed has a reason when it failed before.
 */
function ofVitest(name, isOk, suffix = '') {
  const report = read(name)
  const tests = (report?.testResults ?? []).flatMap((file) => {
    const all = file.assertionResults.map((test) => ({
      name: `${file.name}: ${test.fullName}${suffix}`,
      outcome: outcomeOf(test.status !== 'failed', test.failureMessages.length > 0),
      reason: test.failureMessages.join('\n'),
    }))
    const didNotLoad = file.status === 'failed' && !all.some(({ outcome }) => outcome === 'failed')
    return didNotLoad ? [{ name: file.name, outcome: 'failed', reason: file.message }] : all
  })
  return counted(report?.numPassedTests, report?.numFailedTests, isOk, tests)
}

function ofPlaywright(name, isOk) {
  const report = read(name)
  const { expected = 0, unexpected = 0 } = report?.stats ?? {}
  return counted(expected, unexpected, isOk, (report?.suites ?? []).flatMap(ofSuite))
}

/** A runner that failed without naming a failed test (a file that does not load, say) counts as one failure. */
function counted(passed = 0, failed = 0, isOk, tests) {
  return { passed, failed: failed === 0 && !isOk ? 1 : failed, tests }
}

function ofSuite(suite) {
  const own = (suite.specs ?? []).map((spec) => {
    const errors = spec.tests.flatMap((test) => test.results.flatMap((result) => result.errors))
    return {
      name: `${spec.file}: ${spec.title}`,
      outcome: outcomeOf(spec.ok),
      reason: errors.map((error) => error.message).join('\n'),
    }
  })
  return [...own, ...(suite.suites ?? []).flatMap(ofSuite)]
}

function outcomeOf(isOk, failedBefore = false) {
  if (!isOk) return 'failed'
  return failedBefore ? 'passed at a second try' : 'passed'
}

function firstLines(text) {
  return text.split('\n').slice(0, 12).join('\n')
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}
