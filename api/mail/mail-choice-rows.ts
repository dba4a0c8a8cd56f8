import { firstMailChoice, type MailChoice } from '../../domain/wire/mails.ts'
import type { UserRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'

export async function mailChoiceOf(
  db: Database,
  { id, role }: Pick<UserRow, 'id' | 'role'>,
): Promise<MailChoice> {
  const row = await db
    .selectFrom('mail_choices')
    .select('choice')
    .where('user_id', '=', id)
    .executeTakeFirst()
  return row?.choice ?? firstMailChoice(role)
}

export async function setMailChoice(
  db: Database,
  userId: string,
  choice: MailChoice,
): Promise<void> {
  await db
    .insertInto('mail_choices')
    .values({ user_id: userId, choice })
    .onConflict((known) => known.column('user_id').doUpdateSet({ choice }))
    .execute()
}

/** Ids of the clients that the user follows, without deleted ones. */
export async function followedClientsOf(db: Database, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('followed_clients')
    .innerJoin('clients', 'clients.id', 'followed_clients.client_id')
    .select('clients.id')
    .where('user_id', '=', userId)
    .where('clients.deleted_at', 'is', null)
    .orderBy('clients.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** False when one of the clients is unknown or deleted; nothing is changed then. Call it in a transaction. */
export async function setFollowedClients(
  db: Database,
  userId: string,
  clientIds: readonly string[],
): Promise<boolean> {
  const wanted = [...new Set(clientIds)]
  if (wanted.length > 0) {
    const known = await db
      .selectFrom('clients')
      .select('id')
      .where('id', 'in', wanted)
      .where('deleted_at', 'is', null)
      .execute()
    if (known.length < wanted.length) return false
  }
  await db.deleteFrom('followed_clients').where('user_id', '=', userId).execute()
  if (wanted.length === 0) return true
  const rows = wanted.map((client_id) => ({ user_id: userId, client_id }))
  await db.insertInto('followed_clients').values(rows).execute()
  return true
}
