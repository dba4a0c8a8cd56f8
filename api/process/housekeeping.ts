import { purgeResetTokens } from '../accounts/reset-token-rows.ts'
import { purgeSessions } from '../accounts/session-rows.ts'
import { createPruning } from '../articles/prune-revisions.ts'
import type { Maintenance } from '../database/maintenance.ts'
import type { Deps } from '../deps.ts'
import { purgeArticleMails } from '../mail/article-news-rows.ts'
import { purgeBounces } from '../mail/bounce-rows.ts'
import { purgeMorningMails } from '../mail/morning-rows.ts'
import { OUTBOX_INTERVAL_MS, runOutbox } from '../mail/outbox.ts'
import { purgeRefusedMails } from '../mail/outbox-rows.ts'
import type { Backups } from '../operations/backups.ts'
import { createStandingCount, STANDING_INTERVAL_MS } from '../progress/count-standing.ts'
import { purgeRememberedDevices } from '../second-step/remembered-device-rows.ts'
import { purgeTickets } from '../second-step/ticket-rows.ts'
import { purgeInvitations } from '../users/invitation-rows.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Expired rows are kept this long, so that a clock that was up to two months ahead can be set back without loss. */
const EXPIRED_KEPT_MS = 60 * DAY

export type Job = {
  everyMs: number
  /** For long intervals: a server that is restarted more often would never run the job otherwise. */
  isDueAtStart?: boolean
  run(): Promise<void>
}

/** The periodic jobs of a server. */
export function jobs(deps: Deps, database: Maintenance, backups?: Backups): Job[] {
  return [
    // Not awaited: a stop discards an unfinished backup instead of waiting for it.
    { everyMs: MINUTE, run: async () => void backups?.makeIfDue() },
    { everyMs: OUTBOX_INTERVAL_MS, run: () => runOutbox(deps) },
    { everyMs: STANDING_INTERVAL_MS, isDueAtStart: true, run: createStandingCount(deps) },
    {
      everyMs: MINUTE,
      run: async () => {
        // A copy that is being made holds a snapshot of the journal, and the checkpoint would wait for it.
        if (!backups?.isCopying()) database.shrinkJournal()
      },
    },
    { everyMs: HOUR, isDueAtStart: true, run: () => purgeExpired(deps) },
    { everyMs: 10 * MINUTE, isDueAtStart: true, run: createPruning(deps) },
    { everyMs: DAY, run: async () => database.optimize() },
  ]
}

/** Runs each job at its interval, and skips a run while the previous one is not finished. */
export function startJobs(
  list: readonly Job[],
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
  await purgeInvitations(db, before)
  await purgeRefusedMails(db, before)
  await purgeBounces(db)
  await purgeArticleMails(db, new Date(clock.now() - DAY).toISOString())
  await purgeMorningMails(db, new Date(clock.now() - 7 * DAY).toISOString().slice(0, 10))
  await purgeTickets(db, before)
  await purgeRememberedDevices(db, before)
}
