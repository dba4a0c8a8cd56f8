import { prepared } from '../database/prepared.ts'
import type { Database, Deps } from '../deps.ts'

/** A visit ends after this time without a request. */
const VISIT_ENDS_MS = 30 * 60_000
/** At most one write per admin in this time. */
const NOTED_EVERY_MS = 60_000

type Noting = Pick<Deps, 'db' | 'clock' | 'log'>
/** Time of the latest record of each admin, by server instance. */
const noted = new WeakMap<Noting, Map<string, number>>()

/**
 * Records that an admin is active. Never rejects: where the database cannot be written, the request is still served and
 * a later one records the visit.
 */
export async function noteVisit(server: Noting, userId: string): Promise<void> {
  const { db, clock, log } = server
  const now = clock.now()
  const lastOf = noted.get(server) ?? new Map<string, number>()
  noted.set(server, lastOf)
  if (now - (lastOf.get(userId) ?? 0) < NOTED_EVERY_MS) return
  lastOf.set(userId, now)
  try {
    await note(db, {
      userId,
      now: new Date(now).toISOString(),
      ended: new Date(now - VISIT_ENDS_MS).toISOString(),
    })
  } catch (err) {
    lastOf.delete(userId)
    log.warn({ err, userId }, 'A visit could not be noted')
  }
}

const note = prepared((db, given: { userId: string; now: string; ended: string }) =>
  db
    .insertInto('visits')
    .values({ user_id: given.userId, seen_at: given.now, since: null })
    .onConflict((known) =>
      known.column('user_id').doUpdateSet((eb) => ({
        since: eb
          .case()
          .when('visits.seen_at', '<', given.ended)
          .then(eb.ref('visits.seen_at'))
          .else(eb.ref('visits.since'))
          .end(),
        seen_at: eb.ref('excluded.seen_at'),
      })),
    ),
)

/** End of the previous visit (ISO time); null in the first one. */
export async function lastVisitOf(db: Database, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('visits')
    .select('since')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.since ?? null
}
