import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'
import { SQLITE_PACKAGE } from '../api/database/sqlite/better-sqlite3.ts'
import { test } from './story.ts'

/** The layout of the container image, started with the command of the image. */
const root = fileURLToPath(new URL('..', import.meta.url))
let folder: string

test.beforeAll(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'contun-packed-')), 'app')
  const packed = spawnSync(process.execPath, ['scripts/pack-server.mjs', folder], { cwd: root })
  expect(packed.status, packed.stderr.toString()).toBe(0)
})
test.afterAll(() => rmSync(join(folder, '..'), { recursive: true }))

test('has the packages with compiled parts and no others', () => {
  const compiled = ['better-sqlite3', 'bindings', 'file-uri-to-path']
  expect(readdirSync(join(folder, 'node_modules')).sort()).toEqual(
    SQLITE_PACKAGE === 'better-sqlite3' ? compiled : [SQLITE_PACKAGE],
  )
})

for (const entry of ['start', 'demo/demo']) {
  test(`runs ${entry} with the pages, and stops in order`, async () => {
    const data = join(folder, '..', entry.replace('/', '-'))
    const server = spawn(process.execPath, ['--disable-proto=delete', `dist/server/${entry}.js`], {
      cwd: folder,
      env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: '0', DATA_DIR: data },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(server, 'close')
    const printed: string[] = []
    server.stdout.setEncoding('utf8').on('data', (text: string) => printed.push(text))
    const address = () => /ready at (http:\S+)/.exec(printed.join(''))?.[1]
    while (address() === undefined) await Promise.race([once(server.stdout, 'data'), exited])
    for (const path of ['/login', '/healthz', '/readyz']) {
      expect((await fetch(`${address()}${path}`)).status).toBe(200)
    }
    server.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  })
}
