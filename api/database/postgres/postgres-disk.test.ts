import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, inject, it, onTestFinished } from 'vitest'
import { createTestApp } from '../../testing/test-app.ts'
import {
  dropPostgresDatabase,
  newPostgresDatabase,
  openForTest,
} from '../../testing/test-database.ts'

const DISK_MB = 40
const SAVES_MAX = 200
/** In bytes: more than the existing pages have room for, and random, so that compression does not help. */
const LETTERS = 60_000

/** Undefined without the permission to mount a disk: the tests are skipped there. */
function mounted(): string | undefined {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return undefined
  const folder = mkdtempSync(join(tmpdir(), 'contun-disk-'))
  const options = ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', folder]
  if (spawnSync('mount', options).status === 0) {
    spawnSync('chown', ['postgres', folder])
    return folder
  }
  rmSync(folder, { recursive: true })
  return undefined
}

const disk = mounted()
afterAll(() => {
  if (disk === undefined) return
  spawnSync('umount', [disk])
  rmSync(disk, { recursive: true })
})

/** Puts all tables of one database on a small disk, until the test ends. */
async function databaseOn(folder: string): Promise<string> {
  const postgres = inject('postgres')
  if (postgres === undefined) throw new Error('These tests are of the project postgres')
  const client = new pg.Client({ connectionString: `${postgres.url}/postgres` })
  await client.connect()
  await client.query(`create tablespace small location '${folder}'`)
  const url = await newPostgresDatabase(
    postgres,
    `template ${postgres.template} tablespace small strategy file_copy`,
  )
  onTestFinished(async () => {
    await dropPostgresDatabase(url)
    await client.query('drop tablespace small')
    await client.end()
  })
  return url
}

function words(seed: number) {
  let state = seed
  const letter = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return String.fromCharCode(0x4e00 + ((state >> 12) % 20_000))
  }
  const text = Array.from({ length: LETTERS / 3 }, letter).join('')
  return {
    articleText: {
      type: 'doc',
      content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
    },
  }
}

it.runIf(disk)(
  'the disk is full: saves are 507, reads work, and saves succeed once there is space',
  async () => {
    const folder = String(disk)
    const { db, close } = openForTest(await databaseOn(folder))
    onTestFinished(close)
    const app = await createTestApp({ db })
    const writer = await app.user({ role: 'admin' })
    const { id } = await app.article()
    let seed = 0
    const save = async () => {
      seed += 1
      const answer = await app.as(writer).patch(`/v1/articles/${id}`, words(seed))
      return {
        status: answer.status,
        body: (await answer.json()) as { reason?: string; textVersion?: number },
      }
    }
    const read = () => app.as(writer).get(`/v1/articles/${id}`)
    const first = await save()
    expect(first.status).toBe(200)

    const ballast = join(folder, 'ballast')
    const { bavail, bsize } = statfsSync(folder)
    writeFileSync(ballast, Buffer.alloc((bavail - 4) * bsize))
    let answered = await save()
    let kept = first.body.textVersion ?? 0
    while (answered.status === 200 && seed < SAVES_MAX) {
      kept = answered.body.textVersion ?? kept
      answered = await save()
    }
    expect([answered.status, answered.body.reason]).toEqual([507, 'storage_full'])
    const still = await read()
    expect([still.status, ((await still.json()) as { textVersion: number }).textVersion]).toEqual([
      200,
      kept,
    ])

    rmSync(ballast)
    expect(await save()).toMatchObject({ status: 200, body: { textVersion: kept + 1 } })
  },
  120_000,
)
