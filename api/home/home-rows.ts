import { sql } from 'kysely'
import { isLate } from '../../domain/calendar/due-date.ts'
import type { Home } from '../../domain/wire/home.ts'
import { progressQuery } from '../../domain/wire/list-query.ts'
import { countArticles } from '../articles/article-pages.ts'
import type { Database } from '../deps.ts'
import { listProgress, maintainedTotal } from '../progress/progress-rows.ts'

const COMPLETED_SHOWN = 5
const LATE_SHOWN = 5

/**
 * The admin's home. `lastVisit`: end of the previous visit, null in the first. `today`: start of the user's day. Both
 * ISO times. `agencyToday`: day of the agency.
 */
export async function readHome(
  db: Database,
  {
    lastVisit,
    today,
    agencyToday,
  }: { lastVisit: string | null; today: string; agencyToday: string },
): Promise<Home> {
  const undeliveredTexts = await countUndeliveredTexts(db)
  const { withoutEntities, withoutClient } = await countArticles(db, { name: '', clientId: [] })
  return {
    lastVisit,
    completed: await completedSince(db, lastVisit ?? ''),
    late: await lateOn(db, agencyToday),
    dueThisWeek: await maintainedTotal(db, {
      ...ALL_CLIENTS,
      due: 'this-week',
      today: agencyToday,
    }),
    agencyToday,
    withoutEntities,
    withoutClient,
    undeliveredTexts,
    strays: undeliveredTexts,
    written: await countWritten(db, today),
    firstSteps: (await hasEntities(db)) ? null : await firstSteps(db),
  }
}

/** Complete articles with a hand-in since then. Each counts once. */
async function completedSince(db: Database, since: string): Promise<Home['completed']> {
  const completions = db
    .selectFrom('hand_ins')
    .innerJoin('articles', 'articles.id', 'hand_ins.article_id')
    .where('hand_ins.at', '>', since)
    .where('articles.completed', '=', 1)
  const { total } = await completions
    .select(sql<number | string>`count(distinct hand_ins.article_id)`.as('total'))
    .executeTakeFirstOrThrow()
  const rows = await completions
    .leftJoin('clients', (join) =>
      join.onRef('clients.id', '=', 'articles.client_id').on('clients.deleted_at', 'is', null),
    )
    .select(['articles.id', 'articles.name', 'articles.words', 'clients.name as clientName'])
    .select(({ fn }) => fn.max('hand_ins.at').as('completedAt'))
    .groupBy(['articles.id', 'articles.name', 'articles.words', 'clients.name'])
    .orderBy('completedAt', 'desc')
    .orderBy('articles.id', 'desc')
    .limit(COMPLETED_SHOWN)
    .execute()
  const people = await completersOf(
    db,
    rows.map(({ id }) => id),
  )
  const articles = rows.map((row) => ({ ...row, completedBy: people.get(row.id) ?? null }))
  return { total: Number(total), articles }
}

const ALL_CLIENTS = { clientId: [], state: undefined }

/** Open articles that were due before that day, longest late first. */
async function lateOn(db: Database, today: string): Promise<Home['late']> {
  const page = progressQuery.parse({ due: 'late', limit: String(LATE_SHOWN) })
  const { rows, total } = await listProgress(db, { ...page, today })
  const articles = rows.flatMap(({ id, name, client, words, wordMinimum, dueOn, completed }) =>
    // What was completed or put off a moment ago is not counted yet.
    dueOn !== null && isLate(dueOn, completed, today)
      ? { id, name, clientName: client?.name ?? null, words, wordMinimum, dueOn }
      : [],
  )
  return { total, articles }
}

/** Name of the user of the latest hand-in, by article id. Null where that account is gone or unknown. */
async function completersOf(db: Database, ids: string[]): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('hand_ins')
    .leftJoin('users', 'users.id', 'hand_ins.user_id')
    .select(['hand_ins.article_id', 'users.name'])
    .where('hand_ins.article_id', 'in', ids)
    .orderBy('hand_ins.number')
    .execute()
  return new Map(rows.map((row) => [row.article_id, row.name]))
}

async function countUndeliveredTexts(db: Database): Promise<Home['undeliveredTexts']> {
  const counts = await db
    .selectFrom('undelivered_texts')
    .select(({ fn }) => [
      fn.countAll<number | string>().as('all'),
      fn.count<number | string>('done_at').as('done'),
    ])
    .executeTakeFirstOrThrow()
  return { toReview: Number(counts.all) - Number(counts.done), all: Number(counts.all) }
}

/** Counts current texts saved today. Creating an article or changing its settings is not writing. */
async function countWritten(db: Database, today: string): Promise<Home['written']> {
  const counts = await db
    .selectFrom('articles')
    .innerJoin('article_revisions as text', (join) =>
      join
        .onRef('text.article_id', '=', 'articles.id')
        .onRef('text.text_version', '=', 'articles.text_version'),
    )
    .where('articles.updated_at', '>=', today)
    .where('text.created_at', '>=', today)
    .where('text.reason', '<>', 'created')
    .select(({ fn }) => [
      fn.countAll<number | string>().as('articles'),
      fn.count<number | string>('text.author_id').distinct().as('people'),
    ])
    .executeTakeFirstOrThrow()
  return { articles: Number(counts.articles), people: Number(counts.people) }
}

async function hasEntities(db: Database): Promise<boolean> {
  const row = await db
    .selectFrom('article_counts')
    .select(({ fn }) => fn.sum<number | string | null>('articles').as('articles'))
    .where('client_id', '=', '')
    .where('has_entities', '=', 1)
    .executeTakeFirst()
  return Number(row?.articles) > 0
}

async function firstSteps(db: Database): Promise<Home['firstSteps']> {
  const client = await db
    .selectFrom('clients')
    .select(['id', 'name'])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .executeTakeFirst()
  const user = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('role', '=', 'user')
    .orderBy('id')
    .executeTakeFirst()
  const writer = await db
    .selectFrom('client_users')
    .innerJoin('users', 'users.id', 'client_users.user_id')
    .innerJoin('clients', 'clients.id', 'client_users.client_id')
    .select(['users.name', 'clients.name as clientName'])
    .where('users.role', '=', 'user')
    .where('clients.deleted_at', 'is', null)
    .orderBy('users.id')
    .orderBy('clients.id')
    .executeTakeFirst()
  const article = await db
    .selectFrom('articles')
    .select(['id', 'name'])
    .orderBy('id')
    .executeTakeFirst()
  return {
    client: client ?? null,
    user: user ?? null,
    writer: writer ?? null,
    article: article ?? null,
  }
}
