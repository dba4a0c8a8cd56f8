import type { Keys } from './accounts/keys.ts'
import type { PasswordHasher } from './accounts/passwords.ts'
import type { Config } from './config.ts'
import type { Reads } from './database/open-database.ts'
import type { Tables } from './database/tables.ts'
import type { ChangeFeed } from './events/change-feed.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Health } from './operations/health.ts'
import type { Load } from './operations/load.ts'
import type { Metrics } from './operations/metrics.ts'
import type { Presence } from './presence/presence.ts'
import type { Throttle } from './throttle/throttle.ts'
import type { Traffic } from './throttle/traffic.ts'

/**
 * The mode is given because the program that checks the tests would read these types as CommonJS, where
 * they are other types.
 */
export type Database = import('kysely', { with: { 'resolution-mode': 'import' }}).Kysely<Tables>

export type Clock = {
  /** Wall clock, milliseconds since 1970. */
  now(): number
  /** Milliseconds that never run backwards, for durations. */
  monotonic(): number
}

/** One JSON line each. Fields never hold tokens, passwords or document text. */
export type Log = Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>

/** Everything the server has from outside. Built once in server.ts, and in test-app.ts for tests. */
export type Deps = {
  db: Database
  reads: Reads
  clock: Clock
  /** UUID version 7: the order of ids is the order of creation (Q92). */
  newId(): string
  randomBytes(count: number): Uint8Array
  keys: Keys
  config: Config
  passwords: PasswordHasher
  mailer: Mailer
  throttle: Throttle
  traffic: Traffic
  changes: ChangeFeed
  presence: Presence
  health: Health
  load: Load
  metrics: Metrics
  /** Milliseconds since the newest backup; null when there is none. */
  backupAge(): number | null
  /** Passwords that are being hashed or wait for it. */
  passwordJobs(): number
  log: Log
  /** Runs work after the response is sent, so that its duration reveals nothing to the caller. Faults are logged. */
  background(task: () => Promise<void>): void
  /** True from the first stop signal on: no new work is wanted. */
  isDraining(): boolean
  /** Version of the release, from package.json. */
  version: string
}
