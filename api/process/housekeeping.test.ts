import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noMaintenance } from '../database/maintenance.ts'
import { openFile } from '../database/open-database.ts'
import { noteBounce } from '../mail/bounce-rows.ts'
import { createHealth } from '../operations/health.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { type Job, jobs, startJobs } from './housekeeping.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('what expired', () => {
  it('is forgotten 60 days later, so that a clock that was set back finds it again', async () => {
    const app = await createTestApp()
    const user = await app.user()
    const { refresh } = await app.signIn(user)
    await app.as(null).post('/v1/auth/forgot-password', { email: user.email })
    await app.settled()
    const clean = () => cleaned(app)
    const kept = async () => [
      (await app.db.selectFrom('sessions').selectAll().execute()).length,
      (await app.db.selectFrom('reset_tokens').selectAll().execute()).length,
    ]
    const refreshes = async () =>
      (await app.as(null).post('/v1/auth/refresh-tokens', { refreshToken: refresh.token })).status

    app.clock.advance(89 * DAY)
    await clean()
    expect([await kept(), await refreshes()]).toEqual([[1, 0], 401])
    app.clock.advance(-70 * DAY)
    expect(await refreshes()).toBe(200)
    app.clock.advance(72 * DAY)
    await clean()
    expect(await kept()).toEqual([0, 0])
  })

  it('is also an address that takes no mails and is of no account any more', async () => {
    const app = await createTestApp()
    const { email } = await app.user()
    for (const address of [email, 'gone@willowandfern.example']) await noteBounce(app.db, address)
    await cleaned(app)
    const kept = await app.db.selectFrom('mail_bounces').select('address').execute()
    expect(kept).toEqual([{ address: email }])
  })
})

const cleaned = (app: TestApp) =>
  jobs(app.deps, noMaintenance)
    .find(({ everyMs }) => everyMs === HOUR)
    ?.run()

describe('periodic jobs', () => {
  function office(kind: Pick<Job, 'isDueAtStart'> = {}) {
    const log: string[] = []
    const timers = new Map<number, () => void>()
    const state = { draining: false, finish: () => {} }
    const slow: Job = {
      ...kind,
      everyMs: 5_000,
      run: () => {
        log.push('begins')
        return new Promise((resolve) => {
          state.finish = resolve
        })
      },
    }
    const broken: Job = { everyMs: DAY, run: () => Promise.reject(new Error('no')) }
    const background = (task: () => Promise<void>) => void task().catch(() => log.push('failed'))
    const health = createHealth({ info() {}, warn() {}, error() {} })
    const isDraining = () => state.draining
    startJobs([slow, broken], { background, isDraining, health }, (ms, callback) =>
      timers.set(ms, callback),
    )
    return { log, state, tick: (ms: number) => timers.get(ms)?.() }
  }
  const turns = () => new Promise((resolve) => setImmediate(resolve))

  it('are not started again while they run', async () => {
    const { log, state, tick } = office()
    tick(5_000)
    tick(5_000)
    expect(log).toEqual(['begins'])
    state.finish()
    await turns()
    tick(5_000)
    expect(log).toEqual(['begins', 'begins'])
  })

  it('run at the start where isDueAtStart is set', () => {
    const { log, tick } = office({ isDueAtStart: true })
    expect(log).toEqual(['begins'])
    tick(5_000)
    expect(log).toEqual(['begins'])
  })

  it('run again after a failure, and not while the server stops', async () => {
    const { log, state, tick } = office()
    tick(DAY)
    await turns()
    tick(DAY)
    await turns()
    expect(log).toEqual(['failed', 'failed'])
    state.draining = true
    tick(5_000)
    expect(log).toEqual(['failed', 'failed'])
  })
})

describe('the journal of the database', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'contun-journal-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('is emptied when nothing was written for a while, and only then', async () => {
    const file = join(folder, 'contun.sqlite')
    const sources = { now: '2026-03-02T09:00:00.000Z', newId: () => 'an id' }
    const { db, close, shrinkJournal, optimize } = await openFile(file, sources)
    const journal = () => (existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0)
    const write = (value: string) =>
      sql`insert into meta (key, value) values (${value}, ${value})`.execute(db)
    await write('a')
    shrinkJournal()
    expect(journal()).toBeGreaterThan(0)
    await write('b')
    shrinkJournal()
    expect(journal()).toBeGreaterThan(0)
    // A read keeps its snapshot until the end of this turn of the event loop.
    await db.selectFrom('meta').select('key').execute()
    shrinkJournal()
    expect(journal()).toBe(0)
    await db.transaction().execute(async (transaction) => {
      await sql`insert into meta (key, value) values ('c', 'c')`.execute(transaction)
      shrinkJournal()
      shrinkJournal()
      optimize()
    })
    optimize()
    expect(journal()).toBeGreaterThan(0)
    await close()
    expect(existsSync(`${file}-wal`)).toBe(false)
  })
})
