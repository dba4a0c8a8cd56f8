import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/**
 * Takes the place of the built server: prints each signal, and exits with 7 at a signal to stop or at the end of its
 * input.
 */
const SERVER = `
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => process.stdout.write(signal + '\\n', () => process.exit(7)))
}
process.stdin.on('end', () => process.exit(7)).resume()
console.log('ready')
`

/** Runs scripts/start.mjs in a folder that is installed and built, until the server has started. */
async function started() {
  const folder = mkdtempSync(join(tmpdir(), 'contun-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const drivers = ['better-sqlite3-13', 'better-sqlite3/build/Release/better_sqlite3.node']
  const installed = drivers.map((name) => join('node_modules', name))
  for (const name of ['scripts', 'dist/server', ...installed])
    mkdirSync(join(folder, name), { recursive: true })
  for (const name of ['prepare.mjs', 'start.mjs'])
    cpSync(join(import.meta.dirname, name), join(folder, 'scripts', name))
  writeFileSync(join(folder, 'package-lock.json'), '{}')
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), '{}')
  writeFileSync(join(folder, 'dist/server/start.js'), SERVER)
  writeFileSync(join(folder, 'dist/built'), String(Number.MAX_SAFE_INTEGER))
  const launcher = spawn(process.execPath, [join(folder, 'scripts/start.mjs')])
  let printed = ''
  launcher.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text
  })
  const exited = once(launcher, 'close')
  while (!printed.includes('ready')) await once(launcher.stdout, 'data')
  return { launcher, exited, printed: () => printed }
}

test.each(['SIGTERM', 'SIGHUP'] as const)(
  'npm start forwards %s, and ends with the code of the server',
  async (signal) => {
    const { launcher, exited, printed } = await started()
    launcher.kill(signal)
    expect(await exited).toEqual([7, null])
    expect(printed()).toBe(`ready\n${signal}\n`)
  },
)

test('npm start leaves SIGINT to the server, which the terminal sends it to as well', async () => {
  const { launcher, exited, printed } = await started()
  launcher.kill('SIGINT')
  launcher.stdin.end()
  expect(await exited).toEqual([7, null])
  expect(printed()).toBe('ready\n')
})
