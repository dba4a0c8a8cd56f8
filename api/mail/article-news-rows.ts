import { firstMailChoice, type MailChoice } from '../../domain/wire/mails.ts'
import type { ArticleNewsRow, UserRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'
import { listNotes } from '../notes/note-rows.ts'
import type { ArticleFacts, Reader } from './article-news.ts'
import { BOUNCES_MAX } from './bounce-rows.ts'

/** Articles with news at or before this time (ISO), the longest waiting first. */
export async function articlesWithNews(
  db: Database,
  before: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('article_news')
    .select('article_id')
    .groupBy('article_id')
    .having(({ fn }) => fn.min('at'), '<=', before)
    .orderBy(({ fn }) => fn.min('at'))
    .limit(limit)
    .execute()
  return rows.map((row) => row.article_id)
}

/** Removes the news of the article and returns them. */
export const takeNews = (
  db: Database,
  articleId: string,
): Promise<Pick<ArticleNewsRow, 'kind' | 'name' | 'at'>[]> =>
  db
    .deleteFrom('article_news')
    .where('article_id', '=', articleId)
    .returning(['kind', 'name', 'at'])
    .execute()

/** Undefined when there is no such article. */
export async function readArticleFacts(
  db: Database,
  articleId: string,
): Promise<ArticleFacts | undefined> {
  const row = await db
    .selectFrom('articles')
    .leftJoin('clients', (join) =>
      join.onRef('clients.id', '=', 'articles.client_id').on('clients.deleted_at', 'is', null),
    )
    .select(['articles.name', 'articles.words', 'articles.word_minimum', 'articles.completed'])
    .select(['clients.id as client_id', 'clients.name as client_name'])
    .where('articles.id', '=', articleId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { name, words, client_id, client_name } = row
  const isOfClient = client_id !== null && client_name !== null
  const notes = await listNotes(db, articleId)
  const handIns = await db
    .selectFrom('hand_ins')
    .select(['number', 'at', 'user_id', 'user_name'])
    .select(['reopened_at', 'reopened_by', 'reopener_name'])
    .where('article_id', '=', articleId)
    .orderBy('number')
    .execute()
  const authors = await db
    .selectFrom('article_revisions')
    .select('author_id')
    .distinct()
    .where('article_id', '=', articleId)
    .execute()
  const participants = [
    ...authors.map(({ author_id }) => author_id),
    ...handIns.map(({ user_id }) => user_id),
    ...notes.map(({ author }) => author.id),
  ].filter((id) => id !== null)
  return {
    article: {
      id: articleId,
      name,
      words,
      wordMinimum: row.word_minimum,
      completed: row.completed === 1,
      client: isOfClient ? { id: client_id, name: client_name } : null,
    },
    handIn: handIns.at(-1) ?? null,
    notes,
    participants: new Set(participants),
  }
}

export type MailReader = Reader & Pick<UserRow, 'email'> & { choice: MailChoice }

/**
 * Users of the article's client, admins who follow it, and those who took part, as far as their addresses take mails.
 * With `userId`, only this user.
 */
export async function readersOf(
  db: Database,
  { article: { client }, participants }: ArticleFacts,
  userId?: string,
): Promise<MailReader[]> {
  const clientId = client?.id ?? ''
  const rows = await db
    .selectFrom('users')
    .leftJoin('mail_choices', 'mail_choices.user_id', 'users.id')
    .leftJoin('client_users as member', (join) =>
      join.onRef('member.user_id', '=', 'users.id').on('member.client_id', '=', clientId),
    )
    .leftJoin('followed_clients as followed', (join) =>
      join.onRef('followed.user_id', '=', 'users.id').on('followed.client_id', '=', clientId),
    )
    .leftJoin('mail_bounces', 'mail_bounces.address', 'users.email')
    .select(['users.id', 'users.email', 'users.role', 'mail_choices.choice'])
    .select(['member.user_id as member_id', 'followed.user_id as follower_id'])
    .where((eb) =>
      eb.or([
        eb('member.user_id', 'is not', null),
        eb('followed.user_id', 'is not', null),
        ...(participants.size > 0 ? [eb('users.id', 'in', [...participants])] : []),
      ]),
    )
    .where((eb) => eb(eb.fn.coalesce('mail_bounces.bounces', eb.lit(0)), '<', BOUNCES_MAX))
    .$if(userId !== undefined, (query) => query.where('users.id', '=', userId ?? ''))
    .orderBy('users.id')
    .execute()
  return rows.map(({ member_id, follower_id, choice, ...user }) => ({
    ...user,
    choice: choice ?? firstMailChoice(user.role),
    isMember: member_id !== null,
    follows: follower_id !== null,
  }))
}

/** When the user was last sent a mail about this article (ISO); undefined when that is long ago. */
export async function lastMailAt(
  db: Database,
  userId: string,
  articleId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('article_mails')
    .select('sent_at')
    .where('user_id', '=', userId)
    .where('article_id', '=', articleId)
    .executeTakeFirst()
  return row?.sent_at
}

/** Does nothing for a user who is gone. */
export async function noteArticleMail(
  db: Database,
  userId: string,
  articleId: string,
  now: string,
): Promise<void> {
  await db
    .insertInto('article_mails')
    .columns(['user_id', 'article_id', 'sent_at'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select(({ val }) => ['users.id', val(articleId).as('article_id'), val(now).as('sent_at')])
        .where('users.id', '=', userId),
    )
    .onConflict((known) => known.columns(['user_id', 'article_id']).doUpdateSet({ sent_at: now }))
    .execute()
}
