import { isPostgres } from '../database/engine.ts'
import { countRows } from '../database/listing-rows.ts'
import type { LinkKind, MailKind, MailRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'
import type { News } from './article-news.ts'

const LINKS: LinkKind[] = ['reset', 'invitation']

export const isLink = (kind: MailKind): kind is LinkKind => (LINKS as MailKind[]).includes(kind)

type NewMail = Pick<MailRow, 'id' | 'kind' | 'recipient' | 'created_at' | 'expires_at'> &
  Partial<Pick<MailRow, 'next_try_at' | 'sender_id' | 'user_id' | 'article_id' | 'news'>>

/** Without `next_try_at` it is due at once. Returns the queued mail. */
export async function insertMail(db: Database, mail: NewMail): Promise<MailRow> {
  const none = { sender_id: null, user_id: null, article_id: null, news: null }
  const row = { next_try_at: mail.created_at, ...none, ...mail, tries: 0, refused_at: null }
  await db.insertInto('mail_outbox').values(row).execute()
  return row
}

/** Deletes queued mails with links to this address; without an address, to all. */
export async function deleteWaitingLinks(db: Database, recipient?: string): Promise<void> {
  const links = db.deleteFrom('mail_outbox').where('kind', 'in', LINKS)
  await (recipient === undefined ? links : links.where('recipient', '=', recipient)).execute()
}

/**
 * Claims the mail that is due longest at `now` (ISO) until `leaseEnd`, after which it is due again. Mails about articles come
 * last: a user waits for a link.
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
        .orderBy((of) => of.case().when('user_id', 'is', null).then(0).else(1).end())
        .orderBy('next_try_at')
        .orderBy('id')
        .limit(1)
        // Another node may be claiming one at this moment.
        .$if(isPostgres(db), (query) => query.forUpdate().skipLocked()),
    )
    .returningAll()
    .executeTakeFirst()
}

/** The mail about this article that waits for this user, or is being sent. */
export const articleMailOf = (
  db: Database,
  userId: string,
  articleId: string,
): Promise<MailRow | undefined> =>
  db
    .selectFrom('mail_outbox')
    .selectAll()
    .where('user_id', '=', userId)
    .where('article_id', '=', articleId)
    .where('refused_at', 'is', null)
    .executeTakeFirst()

export async function setNews(db: Database, id: string, news: readonly News[]): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set({ news: JSON.stringify(news) })
    .where('id', '=', id)
    .execute()
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

export async function deleteMail(db: Database, id: string): Promise<void> {
  await db.deleteFrom('mail_outbox').where('id', '=', id).execute()
}

/** Mails that did not leave yet and still may. */
export const countWaiting = (db: Database): Promise<number> =>
  countRows(db.selectFrom('mail_outbox').where('refused_at', 'is', null))
