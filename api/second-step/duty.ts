import { readMeta, writeMeta } from '../database/meta-rows.ts'
import type { UserRow } from '../database/tables.ts'
import type { Database, Deps } from '../deps.ts'

/** REQUIRE_SECOND_STEP=admins: every admin has to have a second step, after a grace of seven days. */

const GRACE_MS = 7 * 24 * 60 * 60 * 1000
const SINCE = 'second_step_required_since'

type DutyDeps = Pick<Deps, 'clock' | 'config'>

/** Notes when the duty began; without the setting it begins again the next time. Call it at the start of a server. */
export async function noteDuty({ clock, config }: DutyDeps, db: Database): Promise<void> {
  if (config.requireSecondStep === 'admins')
    await writeMeta(db, SINCE, new Date(clock.now()).toISOString())
  else await db.deleteFrom('meta').where('key', '=', SINCE).execute()
}

/**
 * When the rights of an admin without a second step end, in milliseconds since 1970: a grace after the duty began, or
 * after the account was made. Null for accounts without the duty.
 */
export async function dutyOf(
  { config }: DutyDeps,
  db: Database,
  { role, created_at }: UserRow,
): Promise<number | null> {
  if (config.requireSecondStep !== 'admins' || role !== 'admin') return null
  const since = await readMeta(db, SINCE)
  if (since === undefined) return null
  return Math.max(Date.parse(since), Date.parse(created_at)) + GRACE_MS
}
