import type { TicketPurpose, TicketRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'

const TRIES_MAX = 5

export async function insertTicket(db: Database, ticket: TicketRow): Promise<void> {
  await db.insertInto('second_step_tickets').values(ticket).execute()
}

/** Whose ticket this is; undefined where it was used up or never given. */
export async function ownerOfTicket(db: Database, digest: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('second_step_tickets')
    .select('user_id')
    .where('digest', '=', digest)
    .executeTakeFirst()
  return row?.user_id
}

/** Counts a try and returns the ticket. Undefined where it was used, has expired at `now` (ISO) or has no tries left. */
export function tryTicket(
  db: Database,
  { digest, userId, purpose }: { digest: string; userId: string; purpose: TicketPurpose },
  now: string,
): Promise<TicketRow | undefined> {
  return db
    .updateTable('second_step_tickets')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('digest', '=', digest)
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .where('tries', '<', TRIES_MAX)
    .returningAll()
    .executeTakeFirst()
}

/** True for one of two concurrent calls. */
export async function consumeTicket(db: Database, digest: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('second_step_tickets')
    .where('digest', '=', digest)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Ends logins and changes that wait for the second step. */
export async function deleteTickets(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('second_step_tickets').where('user_id', '=', userId).execute()
}

export async function deleteAllTickets(db: Database): Promise<void> {
  await db.deleteFrom('second_step_tickets').execute()
}
