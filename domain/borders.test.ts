import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/**
 * The compiler separates api, domain, sync and web: a forbidden import fails to compile. The linter enforces the order
 * of the layers of sync (biome.json), and dates are written in one place.
 */

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'contun-borders-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ALLOWED: [room: string, source: string][] = [
  ['sync', `import { NAME_MAX } from '${root}/domain/limits.ts'\nexport const n = NAME_MAX\n`],
  ['api', `import { NAME_MAX } from '${root}/domain/limits.ts'\nexport const n = NAME_MAX\n`],
  ['web', `import type { Clock } from '${root}/sync/ports.ts'\nexport type C = Clock\n`],
]

const FORBIDDEN: [room: string, source: string, error: string][] = [
  [
    'domain',
    `import type { Clock } from '${root}/sync/ports.ts'\nexport type C = Clock\n`,
    'TS6307',
  ],
  [
    'domain',
    `import { ApiError } from '${root}/api/http/errors.ts'\nexport const e = ApiError\n`,
    'TS6307',
  ],
  [
    'sync',
    `import { ApiError } from '${root}/api/http/errors.ts'\nexport const e = ApiError\n`,
    'TS6307',
  ],
  ['api', `import type { Clock } from '${root}/sync/ports.ts'\nexport type C = Clock\n`, 'TS6307'],
  [
    'web',
    `import { ApiError } from '${root}/api/http/errors.ts'\nexport const e = ApiError\n`,
    'TS6307',
  ],
  ['domain', 'export const here = window.location\n', 'TS2304'],
  ['domain', "export const answer = fetch('/v1')\n", 'TS2304'],
  ['sync', 'export const online = navigator.onLine\n', 'TS2304'],
]

describe('import rules', { tags: ['@SY-04'] }, () => {
  test.each(FORBIDDEN)('%s refuses %j', (room, source, error) => {
    expect(compile(room, source)).toContain(error)
  })

  test.each(ALLOWED)('%s takes %j', (room, source) => {
    expect(compile(room, source)).not.toContain('TS6307')
  })
})

const IN_SYNC: [layer: string, source: string, isAllowed: boolean][] = [
  ['store', '../push/engine.ts', false],
  ['store', '../status/views.ts', false],
  ['merge', '../editing/drafts.ts', false],
  ['protocol', '../store/database.ts', false],
  ['status', '../editing/drafts.ts', false],
  ['editing', '../history/versions.ts', false],
  ['push', '../pull/pull.ts', false],
  ['pull', '../device/device.ts', false],
  ['pull', '../sync-client.ts', false],
  ['pull', '../push/engine.ts', true],
  ['push', '../editing/drafts.ts', true],
  ['editing', '../merge/merge3.ts', true],
]

describe('which layer of sync may import which', () => {
  let refused = ''

  /** All the files at once in a copy of the settings, because starting the linter takes longest. */
  beforeAll(() => {
    const copy = join(folder, 'layers')
    for (const name of ['biome.json', 'lint']) {
      cpSync(join(root, name), join(copy, name), { recursive: true })
    }
    for (const [at, [layer, source]] of IN_SYNC.entries()) {
      mkdirSync(join(copy, 'sync', layer), { recursive: true })
      const program = `import { x } from '${source}'\nexport const y = x\n`
      writeFileSync(join(copy, 'sync', layer, `trespass-${at}.ts`), program)
    }
    const options = ['--vcs-enabled=false', '--only=style/noRestrictedImports', '--reporter=github']
    const biome = join(root, 'node_modules/.bin/biome')
    const { stdout, stderr } = spawnSync(biome, ['lint', ...options, 'sync'], {
      cwd: copy,
      encoding: 'utf8',
    })
    refused = stdout + stderr
  })

  test.each(IN_SYNC.map((row, at) => [...row, at] as const))('%s, %s: %s', (...row) => {
    const [, , isAllowed, at] = row
    expect(refused.includes(`trespass-${at}.ts`)).toBe(!isAllowed)
  })
})

/** A date or time in words, or its parts as this device has them. */
const IN_WORDS =
  /toLocale(Date|Time)?String|Intl\.DateTimeFormat|to(Date|Time|UTC)String|\bget(UTC)?(FullYear|Month|Day|Hours|Minutes)\(/

/** Sources of what people see, without tests and what only tests use. */
const sources = () =>
  ['api', 'domain', 'sync', 'web'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .map((path) => `${room}/${path}`)
      .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\/testing\//.test(path)),
  )

test('only domain/calendar writes dates and times', { tags: ['@Q31'] }, () => {
  const others = sources().filter(
    (path) =>
      !path.startsWith('domain/calendar/') && IN_WORDS.test(readFileSync(join(root, path), 'utf8')),
  )
  expect(others).toEqual([])
})

/** Compiles one more file as part of `room`, with the room's own settings and references; returns what was said. */
function compile(room: string, source: string): string {
  const file = join(folder, 'trespass.ts')
  const settings = JSON.parse(readFileSync(join(root, room, 'tsconfig.json'), 'utf8'))
  const references = (settings.references ?? []).map(({ path }: { path: string }) => ({
    path: join(root, room, path),
  }))
  writeFileSync(file, source)
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: `${root}/${room}/tsconfig.json`,
      compilerOptions: {
        noEmit: true,
        rootDir: '/',
        tsBuildInfoFile: join(folder, 'buildinfo'),
        types: [],
      },
      include: [file],
      exclude: [],
      references,
    }),
  )
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  return spawnSync(process.execPath, [compiler, '-p', folder], { cwd: root, encoding: 'utf8' })
    .stdout
}
