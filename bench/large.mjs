import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as rest } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ARTICLES, documentOf, idOf } from './api-data.mjs'
import { addRevisions, makeFile } from './fill.mjs'
import { SECRETS } from './postgres.mjs'
import { call, median, PRODUCT, quantile, startServer, tokenOf } from './rig.mjs'
import { writeSection } from './write-section.mjs'

/**
 * A database of a gigabyte, most of it earlier versions of texts: the time until the server is ready, the effect of a
 * backup on requests, and the time of a restore. Run `npm run build` first, then `node bench/large.mjs`; it writes its
 * section of docs/benchmarks.md.
 */

const REVISIONS = Number(process.env.REVISIONS ?? 95)
const STARTS = 5
const RATE = Number(process.env.RATE ?? 50)

const folder = mkdtempSync(join(tmpdir(), 'contun-large-'))
const file = join(folder, 'contun.sqlite')
const env = { ...SECRETS, DATA_DIR: folder }
try {
  await makeFile(file)
  addRevisions(file, REVISIONS)
  const bytes = statSync(file).size
  const starts = []
  for (let count = 0; count < STARTS; count += 1) {
    const { ms, stop } = await start({ BACKUPS: 'off' })
    starts.push(ms)
    await stop()
  }
  const empty = []
  for (let count = 0; count < STARTS; count += 1) {
    const startedAt = performance.now()
    const { stop } = await startServer(PRODUCT)
    empty.push(performance.now() - startedAt)
    await stop()
  }
  const calm = await underLoad({ BACKUPS: 'off' }, () => rest(10_000))
  const copied = await underLoad({}, backupMade)
  const restored = restore()
  const { ms: afterRestore, url, stop } = await start({ BACKUPS: 'off' })
  await call(url, 'GET', `/articles/${idOf(3, 7)}`, undefined, await tokenOf(url))
  await stop()
  const times = ({ times }) =>
    `${median(times).toFixed(1)} ms, 99th percentile ${quantile(times, 0.99).toFixed(1)} ms`
  writeSection('A database of a gigabyte', [
    `${(bytes / 1e9).toFixed(2)} GB: 1,000 articles of 10 KB with ${REVISIONS + 1} revisions each, ${RATE} requests a second, reads and saves in turn.`,
    `Other work on the machine: load ${loadavg()[0].toFixed(1)}; \`node bench/large.mjs\`.`,
    '',
    '| What | |',
    '|---|---|',
    `| from the start of the process to ready, median of ${STARTS} | ${median(starts).toFixed(0)} ms |`,
    `| the same over an empty folder | ${median(empty).toFixed(0)} ms |`,
    `| answers without a backup | ${calm.times.length}, ${times(calm)}, ${calm.failed} failed |`,
    `| answers while a backup was made and read through | ${copied.times.length} in ${(copied.ms / 1_000).toFixed(0)} s, ${times(copied)}, ${copied.failed} failed |`,
    `| \`npm run restore -- latest\`, with reading the backup through | ${(restored / 1_000).toFixed(1)} s |`,
    `| from the start of the process to ready after that | ${afterRestore.toFixed(0)} ms |`,
  ])
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function start(more) {
  const startedAt = performance.now()
  const started = await startServer(PRODUCT, { ...env, ...more })
  return { ...started, ms: performance.now() - startedAt }
}

/** Requests at a steady rate, from a moment before `work` until it is done. */
async function underLoad(more, work) {
  const { url, stop } = await start(more)
  const token = await tokenOf(url)
  const under = { times: [], failed: 0 }
  let count = 0
  const asked = []
  const asking = setInterval(() => {
    count += 1
    asked.push(ask(url, token, count, under))
  }, 1_000 / RATE)
  await rest(2_000)
  let startedAt = performance.now()
  /** What came before does not count, unless it failed. */
  const begin = () => {
    under.times.length = 0
    startedAt = performance.now()
  }
  await work(begin)
  const ms = performance.now() - startedAt
  clearInterval(asking)
  await Promise.all(asked)
  await stop()
  return { ...under, ms }
}

async function ask(url, token, count, under) {
  const path = `/articles/${idOf(3, (count * 37) % 1_000)}`
  const document = documentOf((count * 41) % ARTICLES)
  const startedAt = performance.now()
  try {
    if (count % 2 === 0) await call(url, 'GET', path, undefined, token)
    else await call(url, 'PATCH', path, { articleText: document }, token)
    under.times.push(performance.now() - startedAt)
  } catch (fault) {
    console.log(String(fault))
    under.failed += 1
  }
}

/** The first one is due a minute after the start; it has its name when it was read through. */
async function backupMade(begin) {
  const backups = join(folder, 'backups')
  const files = () => (existsSync(backups) ? readdirSync(backups) : [])
  while (files().length === 0) await rest(20)
  begin()
  while (!files().some((name) => name.endsWith('.sqlite'))) await rest(20)
}

function restore() {
  const command = fileURLToPath(new URL('../dist/server/restore.js', import.meta.url))
  const startedAt = performance.now()
  const done = spawnSync(process.execPath, [command, 'latest'], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  console.log(done.stdout, done.stderr)
  if (done.status !== 0) throw new Error('The backup could not be put back')
  return performance.now() - startedAt
}
