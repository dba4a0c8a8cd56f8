import { lockOf, write } from '../database/locks.ts'
import type { MailRow } from '../database/tables.ts'
import type { Database, Deps } from '../deps.ts'
import { type News, newsFor } from './article-news.ts'
import {
  articlesWithNews,
  lastMailAt,
  type MailReader,
  noteArticleMail,
  readArticleFacts,
  readersOf,
  takeNews,
} from './article-news-rows.ts'
import { articleMailOf, deleteMail, insertMail, setNews } from './outbox-rows.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** From the first news of an article to its mails, and between two mails about it to one user. */
export const PAUSE_MS = 10 * MINUTE
/** News that could not be mailed for this long are left to the mail of the morning. */
const NEWS_LIFE_MS = DAY
/** Articles of one run. */
const ARTICLES_MAX = 100

type QueueDeps = Pick<Deps, 'db' | 'clock' | 'newId' | 'config' | 'isDraining'>

/**
 * Queues the mails about articles whose first news is old enough, one for each user whom it concerns at this time. An
 * article's news are removed in the transaction that queues its mails. Without a mail server they are only removed: files
 * that nothing reads would fill the disk.
 */
export async function queueArticleMails(deps: QueueDeps): Promise<void> {
  const before = iso(deps.clock.now() - PAUSE_MS)
  for (const articleId of await articlesWithNews(deps.db, before, ARTICLES_MAX)) {
    if (deps.isDraining()) return
    await write(deps.db, [lockOf.article(articleId)], (db) => queueFor(deps, db, articleId))
  }
}

async function queueFor(deps: QueueDeps, db: Database, articleId: string): Promise<void> {
  const oldest = iso(deps.clock.now() - NEWS_LIFE_MS)
  const taken = await takeNews(db, articleId)
  if (deps.config.smtpUrl === null) return
  const news = taken.filter(({ at }) => at >= oldest).map(({ kind, name }) => ({ kind, name }))
  const facts = news.length > 0 ? await readArticleFacts(db, articleId) : undefined
  if (facts === undefined) return
  for (const reader of await readersOf(db, facts)) {
    if (reader.choice !== 'at-once' || newsFor(facts, news, reader) === null) continue
    await queueForReader(deps, db, { articleId, reader, news })
  }
}

type About = { articleId: string; reader: MailReader; news: News[] }

/** A mail that is waiting takes the news with it. */
async function queueForReader(
  { clock, newId }: QueueDeps,
  db: Database,
  { articleId, reader, news }: About,
): Promise<void> {
  const now = clock.now()
  const waiting = await articleMailOf(db, reader.id, articleId)
  if (waiting !== undefined) return setNews(db, waiting.id, [...newsOf(waiting), ...news])
  const last = await lastMailAt(db, reader.id, articleId)
  const dueAt = last === undefined ? now : Math.max(now, Date.parse(last) + PAUSE_MS)
  await insertMail(db, {
    id: newId(),
    kind: 'article',
    recipient: reader.email,
    created_at: iso(now),
    expires_at: iso(dueAt + NEWS_LIFE_MS),
    next_try_at: iso(dueAt),
    user_id: reader.id,
    article_id: articleId,
    news: JSON.stringify(news),
  })
}

/**
 * After the mail server took the mail: removes its row, or keeps it for the news that came while it was sent, as another
 * mail after the pause.
 */
export async function finishArticleMail(
  { db, clock, newId }: QueueDeps,
  sent: ArticleMail,
): Promise<void> {
  const { id, user_id: userId, article_id: articleId } = sent
  const now = clock.now()
  await write(db, [lockOf.article(articleId)], async (inside) => {
    await noteArticleMail(inside, userId, articleId, iso(now))
    const row = await articleMailOf(inside, userId, articleId)
    if (row?.id !== id) return
    const sentNews = new Set(newsOf(sent).map(({ kind, name }) => `${kind} ${name}`))
    const rest = newsOf(row).filter(({ kind, name }) => !sentNews.has(`${kind} ${name}`))
    await deleteMail(inside, id)
    if (rest.length === 0) return
    const dueAt = iso(now + PAUSE_MS)
    await insertMail(inside, {
      ...row,
      id: newId(),
      next_try_at: dueAt,
      expires_at: iso(now + PAUSE_MS + NEWS_LIFE_MS),
      news: JSON.stringify(rest),
    })
  })
}

/** A mail about articles. */
export const isOfReader = (row: MailRow): row is MailRow & { user_id: string } =>
  row.user_id !== null

/** A mail of the kind `article`. */
export type ArticleMail = MailRow & { user_id: string; article_id: string; news: string }

export const isArticleMail = (row: MailRow): row is ArticleMail =>
  row.user_id !== null && row.article_id !== null && row.news !== null

export const newsOf = ({ news }: Pick<MailRow, 'news'>): News[] =>
  news === null ? [] : JSON.parse(news)

const iso = (time: number) => new Date(time).toISOString()
