import { isPostgres } from '../database/engine.ts'
import type { LinkKind, MailKind, MailRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'

const LINKS: LinkKind[] = ['reset', 'invitation']

export const isLink = (kind: MailKind): kind is LinkKind => (LINKS as MailKind[]).includes(kind)

export async function insertMail(db: Database, mail: MailRow): Promise<void> {
  await db.insertInto('mail_outbox').values(mail).execute()
}

/** Deletes queued mails with links to this address; without an address, to all. */
export async function deleteWaitingLinks(db: Database, recipient?: string): Promise<void> {
  const links = db.deleteFrom('mail_outbox').where('kind', 'in', LINKS)
  await (recipient === undefined ? links : links.where('recipient', '=', recipient)).execute()
}

/**
 * Claims the mail that is due longest at `now` (ISO), so that no other sender takes it before `leaseEnd`. After a crash
 * it is due again then.
 */
export function claimMail(
  db: Database,
  now: string,
  leaseEnd: string,
): Promise<MailRow | undefined> {
  return db
    .updateTable('mail_outbox')
    .set((eb) => ({ tries: eb('tries', '+', 1), next_try_at: leaseEnd }))
    .where('id', '=', (eb) =>
      eb
        .selectFrom('mail_outbox')
        .select('id')
        .where('next_try_at', '<=', now)
        .where('refused_at', 'is', null)
        .orderBy('next_try_at')
        .orderBy('id')
        .limit(1)
        // Another node may be claiming one at this moment.
        .$if(isPostgres(db), (query) => query.forUpdate().skipLocked()),
    )
    .returningAll()
    .executeTakeFirst()
}

export async function isWaiting(db: Database, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('mail_outbox')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

export async function postponeMail(db: Database, id: string, nextTryAt: string): Promise<void> {
  await db.updateTable('mail_outbox').set({ next_try_at: nextTryAt }).where('id', '=', id).execute()
}

/** Keeps the mail, so that an admin can see what never arrived. */
export async function markRefused(db: Database, id: string, now: string): Promise<void> {
  await db.updateTable('mail_outbox').set({ refused_at: now }).where('id', '=', id).execute()
}

/** Deletes mails that were refused before this time (ISO). */
export async function purgeRefusedMails(db: Database, before: string): Promise<void> {
  await db.deleteFrom('mail_outbox').where('refused_at', '<', before).execute()
}

export async function deleteMail(db: Database, id: string): Promise<void> {
  await db.deleteFrom('mail_outbox').where('id', '=', id).execute()
}
