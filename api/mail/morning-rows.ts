import { firstMailChoice, type MailChoice } from '../../domain/wire/mails.ts'
import type { Role } from '../../domain/wire/users.ts'
import type { UserRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'
import { isStale, wasWritten, withStanding } from '../progress/standing-rows.ts'
import { BOUNCES_MAX } from './bounce-rows.ts'

export type MorningReader = Pick<UserRow, 'id' | 'email' | 'role'> & { choice: MailChoice }

const readers = (db: Database) =>
  db
    .selectFrom('users')
    .leftJoin('mail_choices', 'mail_choices.user_id', 'users.id')
    .leftJoin('mail_bounces', 'mail_bounces.address', 'users.email')
    .select(['users.id', 'users.email', 'users.role', 'mail_choices.choice'])
    .select(['mail_bounces.bounces'])

type ReaderFacts = Awaited<ReturnType<ReturnType<typeof readers>['execute']>>[number]

const readerOf = ({ bounces, choice, ...user }: ReaderFacts): MorningReader => ({
  ...user,
  choice: (bounces ?? 0) < BOUNCES_MAX ? (choice ?? firstMailChoice(user.role)) : 'none',
})

/** Users from before `start` (ISO) who have no row for this day yet. A user whose address takes no mails has the choice `none`. */
export async function readersWithoutMorning(
  db: Database,
  { day, start, limit }: { day: string; start: string; limit: number },
): Promise<MorningReader[]> {
  const rows = await readers(db)
    .where('users.created_at', '<', start)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('morning_mails')
            .select('morning_mails.day')
            .whereRef('morning_mails.user_id', '=', 'users.id')
            .where('morning_mails.day', '=', day),
        ),
      ),
    )
    .orderBy('users.id')
    .limit(limit)
    .execute()
  return rows.map(readerOf)
}

export async function findMorningReader(
  db: Database,
  userId: string,
): Promise<MorningReader | undefined> {
  const row = await readers(db).where('users.id', '=', userId).executeTakeFirst()
  return row && readerOf(row)
}

/** An article as the mail of the morning needs it. Times are ISO times. */
export type MorningArticle = {
  id: string
  name: string
  client: string | null
  words: number
  wordMinimum: number
  isBegun: boolean
  createdAt: string
  /** Null while nothing was written. */
  lastWordsAt: string | null
  /** A day; null without a date. */
  dueOn: string | null
  /** Of the latest hand-in; null without one, and while it was not reopened. */
  reopened: { at: string; by: string | null } | null
  /** Whether its text changed since it was reopened. */
  isTouched: boolean
  /** Open notes about its words. */
  openNotes: number
}

/** Open articles: those of the user's clients, or for an admin all. Those of deleted clients are left out. */
export async function openArticles(
  db: Database,
  { id, role }: { id: string; role: Role },
): Promise<MorningArticle[]> {
  const rows = await withStanding(db)
    .leftJoin('clients', 'clients.id', 'articles.client_id')
    .leftJoin('article_marks as marks', 'marks.article_id', 'articles.id')
    .leftJoin('hand_ins as last', (join) =>
      join.onRef('last.article_id', '=', 'articles.id').onRef('last.number', '=', 'marks.hand_ins'),
    )
    .leftJoin('article_revisions as text', (join) =>
      join
        .onRef('text.article_id', '=', 'articles.id')
        .onRef('text.text_version', '=', 'articles.text_version'),
    )
    .select(['articles.id', 'articles.name', 'articles.words', 'articles.word_minimum'])
    .select(['articles.created_at', 'clients.name as client', 'plan.due_on', 'marks.open_notes'])
    .select(['last.reopened_at', 'last.reopener_name', 'text.created_at as text_at'])
    .select(['text.reason', 'standing.last_words_at', isStale.as('is_stale')])
    .where('articles.completed', '=', 0)
    .where('clients.deleted_at', 'is', null)
    .$if(role !== 'admin', (query) =>
      query.where('articles.client_id', 'in', (eb) =>
        eb.selectFrom('client_users').select('client_id').where('user_id', '=', id),
      ),
    )
    .orderBy('articles.id')
    .execute()
  return rows.map((row) => {
    const isCounted = !row.is_stale
    // The headings that an article was created with are no words of a writer; the count tells them apart.
    const isBegun = wasWritten(row) && !(isCounted && row.last_words_at === '')
    const { reopened_at: at, text_at } = row
    return {
      id: row.id,
      name: row.name,
      client: row.client,
      words: row.words,
      wordMinimum: row.word_minimum,
      isBegun: isBegun && row.words > 0,
      createdAt: row.created_at,
      lastWordsAt: isBegun ? text_at : null,
      dueOn: row.due_on,
      reopened: at === null ? null : { at, by: row.reopener_name },
      isTouched: at !== null && text_at !== null && text_at > at,
      openNotes: row.open_notes ?? 0,
    }
  })
}

export type HandedIn = Pick<MorningArticle, 'id' | 'name' | 'words' | 'wordMinimum'> & {
  at: string
  by: string | null
}

/** Complete articles whose latest hand-in is not before this time (ISO), the newest first. */
export function handedInSince(db: Database, since: string): Promise<HandedIn[]> {
  return db
    .selectFrom('hand_ins')
    .innerJoin('articles', 'articles.id', 'hand_ins.article_id')
    .innerJoin('article_marks as marks', (join) =>
      join
        .onRef('marks.article_id', '=', 'articles.id')
        .onRef('marks.hand_ins', '=', 'hand_ins.number'),
    )
    .leftJoin('clients', 'clients.id', 'articles.client_id')
    .select(['articles.id', 'articles.name', 'articles.words'])
    .select(['articles.word_minimum as wordMinimum', 'hand_ins.at', 'hand_ins.user_name as by'])
    .where('hand_ins.at', '>=', since)
    .where('articles.completed', '=', 1)
    .where('clients.deleted_at', 'is', null)
    .orderBy('hand_ins.at', 'desc')
    .orderBy('articles.id')
    .execute()
}
