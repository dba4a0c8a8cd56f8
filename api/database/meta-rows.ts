import type { Database } from '../deps.ts'
import { preparedByKey } from './prepared.ts'

/**
 * `server_epoch` names this history of the data; `change_seq` counts its changes, `names_seq` those of which articles
 * there are, of which clients, and what they are called. `pepper_fingerprint`: see pepper.ts. `standing_*`: see
 * progress/standing-turn.ts. `second_step_required_since`: see second-step/duty.ts. `mails_*`: see mail/mail-delivery-rows.ts.
 */
export type MetaKey =
  | 'server_epoch'
  | 'change_seq'
  | 'names_seq'
  | 'pepper_fingerprint'
  | 'standing_seq'
  | 'standing_sweep'
  | 'standing_turn'
  | 'second_step_required_since'
  | 'mails_left_at'
  | 'mails_failing_since'

export async function readMeta(db: Database, key: MetaKey): Promise<string | undefined> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value
}

/** The present epoch, without the number of changes, which costs more over PostgreSQL (`readState`). */
export async function readEpoch(db: Database): Promise<string> {
  return (await epochRow(db, {}))[0]?.value ?? ''
}

const epochRow = preparedByKey((db) =>
  db.selectFrom('meta').select('value').where('key', '=', 'server_epoch'),
)

/** Keeps an existing value. */
export async function writeMeta(db: Database, key: MetaKey, value: string): Promise<void> {
  await db
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Begins a new epoch: the data went back to an earlier state, so version numbers known to clients are invalid. */
export async function beginEpoch(db: Database, epoch: string): Promise<void> {
  await db.updateTable('meta').set({ value: epoch }).where('key', '=', 'server_epoch').execute()
}
