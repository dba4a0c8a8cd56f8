import type { Invitation } from '../../domain/wire/invitations.ts'
import type { InvitationRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'

export async function insertInvitation(db: Database, invitation: InvitationRow): Promise<void> {
  await db.insertInto('invitations').values(invitation).execute()
}

/** Call it when a newer link takes the place of those that were sent to this user. `now` is ISO time. */
export async function replaceInvitations(db: Database, userId: string, now: string): Promise<void> {
  await db
    .updateTable('invitations')
    .set({ replaced_at: now })
    .where('user_id', '=', userId)
    .where('replaced_at', 'is', null)
    .execute()
}

export async function setInvitationDigest(
  db: Database,
  mailId: string,
  digest: string,
): Promise<void> {
  await db.updateTable('invitations').set({ digest }).where('mail_id', '=', mailId).execute()
}

/** Lets the invitations of this user run out now (ISO time), because their links no longer work. */
export async function expireInvitations(db: Database, userId: string, now: string): Promise<void> {
  await db
    .updateTable('invitations')
    .set({ expires_at: now })
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .execute()
}

/** Lets invitations run out whose links do not work in restored data. */
export async function expireLostInvitations(db: Database): Promise<void> {
  await db
    .updateTable('invitations')
    .set(({ ref }) => ({ expires_at: ref('created_at') }))
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('digest', 'is', null),
        eb('digest', 'not in', selectFrom('reset_tokens').select('reset_tokens.digest')),
      ]),
    )
    .execute()
}

/** Forgets the invitations of a user who can log in without them. */
export async function deleteInvitations(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('invitations').where('user_id', '=', userId).execute()
}

/** Forgets replaced invitations whose links would have expired before this time (ISO). */
export async function purgeInvitations(db: Database, before: string): Promise<void> {
  await db
    .deleteFrom('invitations')
    .where('expires_at', '<', before)
    .where('replaced_at', 'is not', null)
    .execute()
}

export function findInvitation(db: Database, digest: string): Promise<InvitationRow | undefined> {
  return db.selectFrom('invitations').selectAll().where('digest', '=', digest).executeTakeFirst()
}

/** The newest invitation of each of these users who was never logged in. */
export async function openInvitations(
  db: Database,
  userIds: readonly string[],
): Promise<Invitation[]> {
  if (userIds.length === 0) return []
  const rows = await db
    .selectFrom('invitations')
    .innerJoin('users', 'users.id', 'invitations.user_id')
    .leftJoin('mail_outbox', 'mail_outbox.id', 'invitations.mail_id')
    .select(['invitations.user_id', 'invitations.created_at', 'invitations.expires_at'])
    .select(['invitations.replaced_at', 'mail_outbox.id as mail_id', 'mail_outbox.refused_at'])
    .where('invitations.user_id', 'in', userIds)
    .where('users.is_email_verified', '=', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sessions')
            .select('sessions.id')
            .whereRef('sessions.user_id', '=', 'invitations.user_id'),
        ),
      ),
    )
    .where('invitations.mail_id', '=', ({ selectFrom }) =>
      selectFrom('invitations as later')
        .select(({ fn }) => fn.max('later.mail_id').as('mail_id'))
        .whereRef('later.user_id', '=', 'invitations.user_id'),
    )
    .orderBy('invitations.user_id')
    .execute()
  return rows.map((row) => ({
    userId: row.user_id,
    sentAt: row.created_at,
    until: row.expires_at,
    state: stateOf(row),
  }))
}

type Sending = Pick<InvitationRow, 'replaced_at'> & {
  /** Null when the mail was sent. */
  mail_id: string | null
  refused_at: string | null
}

function stateOf({ mail_id, refused_at, replaced_at }: Sending): Invitation['state'] {
  if (replaced_at !== null) return 'replaced'
  if (mail_id === null) return 'sent'
  return refused_at === null ? 'queued' : 'refused'
}
