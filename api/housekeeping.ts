import { purgeResetTokens } from './accounts/reset-token-rows.ts'
import { purgeSessions } from './accounts/session-rows.ts'
import { createPruning } from './articles/prune-revisions.ts'
import type { Maintenance } from './database/maintenance.ts'
import type { Deps } from './deps.ts'
import { deliverMail, OUTBOX_INTERVAL_MS } from './mail/outbox.ts'
import { purgeRefusedMails } from './mail/outbox-rows.ts'
import type { Backups } from './operations/backups.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/**
 * What expired stays this long: a clock that was two months ahead and is set back finds it again, up to a month
 * later.
 */
const EXPIRED_KEPT_MS = 60 * DAY

export type Chore = {
  everyMs: number
  /** Else a server that is restarted more often would never come to it. */
  isDueAtStart?: boolean
  run(): Promise<void>
}

/** What the server does by itself while it runs. */
export function chores(deps: Deps, database: Maintenance, backups?: Backups): Chore[] {
  return [
    // A stop does not wait for a backup: the unfinished one is thrown away.
    { everyMs: MINUTE, run: async () => void backups?.makeIfDue() },
    { everyMs: OUTBOX_INTERVAL_MS, run: () => deliverMail(deps) },
    {
      everyMs: MINUTE,
      run: async () => {
        // Whoever copies the file holds on to the journal, and shrinking it would wait for that.
        if (!backups?.isRunning()) database.shrinkJournal()
      },
    },
    { everyMs: HOUR, isDueAtStart: true, run: () => purgeExpired(deps) },
    { everyMs: 10 * MINUTE, isDueAtStart: true, run: createPruning(deps) },
    { everyMs: DAY, run: async () => database.optimize() },
  ]
}

/** Starts each chore again and again; a chore that is still running is not started twice. */
export function startChores(
  list: readonly Chore[],
  { background, isDraining, health }: Pick<Deps, 'background' | 'isDraining' | 'health'>,
  every: (ms: number, callback: () => void) => void,
): void {
  for (const { everyMs, isDueAtStart = false, run } of list) {
    let isRunning = false
    const begin = () => {
      if (isRunning || isDraining() || health.damage() !== null) return
      isRunning = true
      background(async () => {
        try {
          await run()
        } catch (fault) {
          health.noteFault(fault)
          throw fault
        } finally {
          isRunning = false
        }
      })
    }
    every(everyMs, begin)
    if (isDueAtStart) begin()
  }
}

async function purgeExpired({ db, clock }: Deps): Promise<void> {
  const before = new Date(clock.now() - EXPIRED_KEPT_MS).toISOString()
  await purgeSessions(db, before)
  await purgeResetTokens(db, before)
  await purgeRefusedMails(db, before)
}
