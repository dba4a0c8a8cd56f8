import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../scripts/embedded-postgres.mjs'
import { copyArticles, makeFile } from './fill.mjs'
import { writeSection } from './write-section.mjs'

/**
 * Moves 100,000 articles from SQLite to PostgreSQL and back into a new file, with the command itself. Run
 * `npm run build` first, then `node bench/move.mjs`; it writes its section of docs/benchmarks.md. Fails when the rows
 * are not the same at each place.
 */

const COPIES = Number(process.env.COPIES ?? 99)
const TEXT_BYTES = 2_000

const folder = mkdtempSync(join(tmpdir(), 'contun-move-'))
const postgres = await startPostgres()
const address = `${postgres.url}/postgres`
try {
  const file = join(folder, 'contun.sqlite')
  await makeFile(file, TEXT_BYTES)
  copyArticles(file, COPIES)
  const [there, back] = [
    move(`sqlite:${file}`, address),
    move(address, `sqlite:${join(folder, 'again.sqlite')}`),
  ]
  if (there.digest !== back.digest) throw new Error(`${there.digest} is not ${back.digest}`)
  writeSection('Moving to PostgreSQL and back', [
    `${there.articles} articles of about ${TEXT_BYTES / 1_000} KB with one revision each, a file of ${(statSync(file).size / 1e6).toFixed(0)} MB: to PostgreSQL in`,
    `${there.seconds.toFixed(0)} s, back into a new file in ${back.seconds.toFixed(0)} s, copied and read again on both sides. The SHA-256 of all rows was the`,
    `same at all three places. Other work on the machine: load ${loadavg()[0].toFixed(1)}; \`node bench/move.mjs\`.`,
  ])
} finally {
  await postgres.remove()
  rmSync(folder, { recursive: true, force: true })
}

function move(from, to) {
  const command = fileURLToPath(new URL('../dist/server/move.js', import.meta.url))
  const startedAt = performance.now()
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [command, '--from', from, '--to', to],
    { encoding: 'utf8' },
  )
  const seconds = (performance.now() - startedAt) / 1_000
  console.log(stdout, stderr, seconds)
  if (status !== 0) throw new Error(`The move ended with ${status}`)
  const digest = /SHA-256 of all rows: ([\da-f]{64})/.exec(stdout)?.[1]
  return { seconds, digest, articles: /articles (\d+)/.exec(stdout)?.[1] }
}
