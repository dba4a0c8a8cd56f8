import { SESSIONS_PER_USER_MAX } from '../../domain/limits.ts'
import type { Role } from '../../domain/wire/users.ts'
import { preparedByKey } from '../database/prepared.ts'
import type { SessionRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'
import { type ServerState, stateColumn, stateFrom } from '../events/change-rows.ts'
import { deleteAllTickets, deleteTickets } from '../second-step/ticket-rows.ts'

/** A session with the current data of its user. Undefined when either is gone. */
export type LiveSession = SessionRow & { user_name: string; user_role: Role }

export async function findSession(db: Database, id: string): Promise<LiveSession | undefined> {
  return (await sessionById(db, { id }))[0]
}

/** The session, and the state of the data at the same moment. */
export async function findSessionAndState(
  db: Database,
  id: string,
): Promise<(LiveSession & { state: ServerState }) | undefined> {
  const [session] = await sessionAndState(db, { id })
  return session && { ...session, state: stateFrom(session.state) }
}

const sessionWithUser = (db: Database, id: string) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'sessions.user_id', 'sessions.role', 'sessions.counter'])
    .select(['sessions.seen_counter', 'sessions.created_at', 'sessions.rotated_at'])
    .select(['sessions.expires_at', 'users.name as user_name', 'users.role as user_role'])
    .where('sessions.id', '=', id)

const sessionById = preparedByKey((db, given: { id: string }) => sessionWithUser(db, given.id))
const sessionAndState = preparedByKey((db, given: { id: string }) =>
  sessionWithUser(db, given.id).select(stateColumn(db).as('state')),
)

/** Those of these sessions that have not ended at `now` (ISO). */
export async function liveSessionIds(
  db: Database,
  ids: readonly string[],
  now: string,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('sessions.id')
    .where('sessions.id', 'in', ids)
    .where('sessions.expires_at', '>', now)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Adds the session; beyond the limit of sessions per user the oldest ones end. */
export async function insertSession(db: Database, session: SessionRow): Promise<void> {
  await db.insertInto('sessions').values(session).execute()
  const kept = db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', session.user_id)
    .orderBy('id', 'desc')
    .limit(SESSIONS_PER_USER_MAX)
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', session.user_id)
    .where('id', 'not in', kept)
    .execute()
}

/** The client has received this generation: the previous one is permanently invalid. */
export async function markSeen(db: Database, id: string, generation: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ seen_counter: generation })
    .where('id', '=', id)
    .where('seen_counter', '<', generation)
    .where('counter', '>=', generation)
    .execute()
}

/** Moves the session to its next generation and returns the updated row. */
export async function rotateSession(
  db: Database,
  session: SessionRow,
  now: string,
  generation = session.counter,
): Promise<SessionRow> {
  const next = { counter: generation + 1, rotated_at: now }
  await db.updateTable('sessions').set(next).where('id', '=', session.id).execute()
  return { ...session, ...next }
}

/** The current generation was handed out again: restarts the grace period of the previous one. */
export async function restartGrace(
  db: Database,
  session: SessionRow,
  now: string,
): Promise<SessionRow> {
  await db.updateTable('sessions').set({ rotated_at: now }).where('id', '=', session.id).execute()
  return { ...session, rotated_at: now }
}

export async function endSession(db: Database, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute()
}

/** Ends all sessions of a user except `kept`, and the logins that wait for the second step. */
export async function endSessions(db: Database, userId: string, kept?: string): Promise<void> {
  const all = db.deleteFrom('sessions').where('user_id', '=', userId)
  await (kept === undefined ? all : all.where('id', '!=', kept)).execute()
  await deleteTickets(db, userId)
}

/** The same for all users. Returns the number of sessions. */
export async function endAllSessions(db: Database): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('sessions').executeTakeFirst()
  await deleteAllTickets(db)
  return Number(numDeletedRows)
}
