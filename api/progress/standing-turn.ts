import { sql } from 'kysely'
import type { MetaKey } from '../database/meta-rows.ts'
import { prepared } from '../database/prepared.ts'
import type { Database } from '../deps.ts'
import { readState } from '../events/change-rows.ts'

/** Time that one node has for a run; after a crash the next one begins then. */
const TURN_MS = 30_000

/**
 * Articles are compared with their standing in the order of their ids; those up to `after` were. `since` (ISO): when it
 * was found to be needed.
 */
export type Sweep = { since: string; after: string }

/** Changes up to `counted` are in the standings; all of those are while `counted` is `changed` and there is no sweep. */
export type CountingState = { changed: number; counted: number; sweep: Sweep | null }

export async function readCountingState(db: Database): Promise<CountingState> {
  const values = new Map((await readKeys(db, {})).map(({ key, value }) => [key, value]))
  const sweep = values.get('standing_sweep') ?? ''
  const { seq } = await readState(db)
  return {
    changed: seq,
    counted: Number(values.get('standing_seq')),
    sweep: sweep === '' ? null : JSON.parse(sweep),
  }
}

const KEYS: MetaKey[] = ['standing_seq', 'standing_sweep']
const readKeys = prepared((db) =>
  db.selectFrom('meta').select(['key', 'value']).where('key', 'in', KEYS),
)

/**
 * Takes the right to count, which one node has at a time; false while another has it. A turn that ends later than any that
 * is taken now comes from a clock that is or was ahead, and is taken too. Two nodes that count at once only work twice.
 */
export async function takeTurn(db: Database, now: number): Promise<boolean> {
  const [from, until] = [now, now + TURN_MS].map((time) => new Date(time).toISOString())
  const taken = await db
    .updateTable('meta')
    .set({ value: until ?? '' })
    .where('key', '=', 'standing_turn')
    .where(sql<boolean>`(value <= ${from} or value > ${until})`)
    .executeTakeFirst()
  return taken.numUpdatedRows > 0n
}

export const endTurn = (db: Database): Promise<void> => set(db, 'standing_turn', '')

export const setCounted = (db: Database, seq: number): Promise<void> =>
  set(db, 'standing_seq', String(seq))

export const setSweep = (db: Database, sweep: Sweep | null): Promise<void> =>
  set(db, 'standing_sweep', sweepValue(sweep))

/** Moves a sweep on, or ends it with null. False, and without effect, where another node has moved or begun one since. */
export async function moveSweep(db: Database, from: Sweep, to: Sweep | null): Promise<boolean> {
  const moved = await db
    .updateTable('meta')
    .set({ value: sweepValue(to) })
    .where('key', '=', 'standing_sweep')
    .where('value', '=', sweepValue(from))
    .executeTakeFirst()
  return moved.numUpdatedRows > 0n
}

const sweepValue = (sweep: Sweep | null): string => (sweep === null ? '' : JSON.stringify(sweep))

async function set(db: Database, key: MetaKey, value: string): Promise<void> {
  await db.updateTable('meta').set({ value }).where('key', '=', key).execute()
}
