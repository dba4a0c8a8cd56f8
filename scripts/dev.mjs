import { spawn } from 'node:child_process'
import { installIfNeeded, requireNode, root, run } from './prepare.mjs'

/** Both dev servers: the API on port 3000, restarted when its code changes, and the page on port 5173. */

requireNode()
installIfNeeded()
run('npx', ['tsc', '-b', 'domain', 'api'])

const servers = [
  ['npx', ['tsc', '-b', 'domain', 'api', '--watch', '--preserveWatchOutput']],
  [
    process.execPath,
    [
      '--disable-proto=delete',
      '--watch-path=dist/api',
      '--watch-path=dist/domain',
      'dist/api/start.js',
    ],
  ],
  ['npx', ['vite']],
].map(([command, args]) => spawn(command, args, { cwd: root, stdio: 'inherit' }))

const stop = () => {
  for (const server of servers) server.kill()
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
for (const server of servers) server.on('exit', stop)
