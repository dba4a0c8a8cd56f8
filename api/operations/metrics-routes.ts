import { existsSync, statSync } from 'node:fs'
import { Hono } from 'hono'
import { timingSafeEqual } from '../accounts/timing-safe-equal.ts'
import type { Deps } from '../deps.ts'
import { readState } from '../events/change-rows.ts'
import type { AppEnv } from '../http/authenticate.ts'
import { unauthenticated } from '../http/errors.ts'
import { countWaiting } from '../mail/outbox-rows.ts'
import type { Gauge } from './metrics.ts'

/** Routes that `app.ts` mounts at /metrics when there is a token for it. */
export function metricsRoutes(deps: Deps, token: string): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.get('/metrics', async (c) => {
    if (!timingSafeEqual(c.req.header('authorization') ?? '', `Bearer ${token}`))
      throw unauthenticated()
    const text = deps.metrics.text(await gauges(deps), deps.version)
    return c.body(text, 200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
  })
  return routes
}

async function gauges(deps: Deps): Promise<Gauge[]> {
  const { database } = deps.config
  const file = database.engine === 'sqlite' ? database.file : ''
  const { loopDelayMs } = deps.load.last()
  const age = deps.backupAge()
  const reads = deps.reads.counts()
  return [
    [
      'event_loop_delay_seconds',
      'Mean delay of the event loop in the last look.',
      loopDelayMs / 1000,
    ],
    ['pressure', 'Kinds of calls that are turned away, 0 to 3.', deps.load.pressure()],
    [
      'database_damaged',
      'Whether the database was found damaged.',
      deps.health.damage() === null ? 0 : 1,
    ],
    ['password_jobs', 'Passwords that are hashed or wait for it.', deps.passwordJobs()],
    ['open_streams', 'Pages that listen for news.', deps.changes.listening()],
    ['database_bytes', 'Size of the database file.', bytesOf(file)],
    ['journal_bytes', 'Size of the journal of the database.', bytesOf(`${file}-wal`)],
    ['backup_age_seconds', 'Time since the newest backup.', age === null ? null : age / 1000],
    ['change_seq', 'Number of the last change.', await fromRows(() => lastChange(deps))],
    ['mails_waiting', 'Mails on their way out.', await fromRows(() => countWaiting(deps.db))],
    ['replica_reads', 'Reads that the replica did.', reads?.replica ?? null],
    [
      'replica_missed',
      'Reads that the replica could not do, or not in time.',
      reads?.primary ?? null,
    ],
    ['memory_bytes', 'Memory of the process.', process.memoryUsage.rss()],
  ]
}

const bytesOf = (file: string): number | null => (existsSync(file) ? statSync(file).size : null)

/** While the database is down, all other metrics are still reported. */
const fromRows = (read: () => Promise<number>): Promise<number | null> => read().catch(() => null)

const lastChange = async ({ db }: Deps) => (await readState(db)).seq
