import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildIfStale, installIfNeeded, requireNode, root } from './prepare.mjs'

/**
 * `npm start` serves the product, `npm run demo` the same with a believable agency in a throw-away folder;
 * `npm run admin -- …`, `npm run doctor`, `npm run restore -- …` and `npm run move -- …` run a command on the data.
 */

const ENTRIES = {
  start: 'dist/server/start.js',
  demo: 'dist/server/demo/demo.js',
  admin: 'dist/server/admin.js',
  doctor: 'dist/server/doctor.js',
  restore: 'dist/server/restore.js',
  move: 'dist/server/move.js',
}
const [mode = 'start', ...words] = process.argv.slice(2)
const entry = ENTRIES[mode] ?? ENTRIES.start

requireNode()
installIfNeeded()
buildIfStale()

// A terminal shows the address and the first login, not the log of every success.
if (mode === 'start' && process.stdout.isTTY) words.push('--quiet')

const server = spawn(process.execPath, ['--disable-proto=delete', join(root, entry), ...words], {
  cwd: root,
  stdio: 'inherit',
})
// Ctrl-C reaches the server from the terminal itself; a second signal would cut its orderly stop short.
process.on('SIGINT', () => {})
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal))
server.on('exit', (code) => process.exit(code ?? 1))
