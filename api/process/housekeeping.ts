import { createPruning } from '../articles/prune-revisions.ts'
import type { Maintenance } from '../database/maintenance.ts'
import type { Deps } from '../deps.ts'
import { purgeBounces } from '../mail/bounce-rows.ts'
import { OUTBOX_INTERVAL_MS, runOutbox } from '../mail/outbox.ts'
import type { Backups } from '../operations/backups.ts'
import { createStandingCount, STANDING_INTERVAL_MS } from '../progress/count-standing.ts'
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

/** The tables from which expired rows are deleted. */
const EXPIRING = ['sessions', 'reset_tokens', 'second_step_tickets', 'remembered_devices'] as const

async function purgeExpired({ db, clock }: Deps): Promise<void> {
  const ago = (ms: number) => new Date(clock.now() - ms).toISOString()
  const expired = ago(EXPIRED_KEPT_MS)
  for (const table of EXPIRING)
    await db.deleteFrom(table).where('expires_at', '<', expired).execute()
  await purgeInvitations(db, expired)
  await db.deleteFrom('mail_outbox').where('refused_at', '<', expired).execute()
  await purgeBounces(db)
  await db.deleteFrom('article_mails').where('sent_at', '<', ago(DAY)).execute()
  await db
    .deleteFrom('morning_mails')
    .where('day', '<', ago(7 * DAY).slice(0, 10))
    .execute()
}
