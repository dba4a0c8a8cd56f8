import { prepared } from '../database/prepared.ts'
import type { Database, Deps } from '../deps.ts'

/** A visit ends after so long without a call. */
const VISIT_ENDS_MS = 30 * 60_000
/** The last call is known this precisely, so that not each one writes. */
const NOTED_EVERY_MS = 60_000

type Noting = Pick<Deps, 'db' | 'clock' | 'log'>
/** When each admin was noted last, by the server that did. */
const noted = new WeakMap<Noting, Map<string, number>>()

/**
 * Notes that an admin is here. What only reads goes on without it where nothing can be written: the visit is noted by a
 * later call.
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

/** When the visit before this one ended; null in the first one. */
export async function lastVisitOf(db: Database, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('visits')
    .select('since')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.since ?? null
}
