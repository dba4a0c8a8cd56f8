import { dayAt, timeOf } from './agency-time.ts'
import { expectedMorning, expectedNews } from './expected-mails.ts'
import type { Article, Person, QueuedMail, World } from './mail-world.ts'

/** Which mails are queued and sent when the outbox runs at one moment, by the model. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const PAUSE = 10 * MINUTE
const LEASE = 2 * MINUTE
const MORNING_HOUR = 7

/** `key` names the reader and the article. */
export type ExpectedMail = { key: string; says: string[]; queued: QueuedMail }

const keyOf = (email: string, articleName: string | null): string =>
  `${email}: ${articleName ?? 'the morning'}`

export const isOfMorning = (subject: string): boolean => /^(Your a|A)rticles: /.test(subject)

export const keyOfMail = ({ to, subject }: { to: string; subject: string }): string =>
  keyOf(to, isOfMorning(subject) ? null : (subject.split(': ')[1] ?? ''))

/**
 * Returns the mails that are passed to the mail server. `interruptedKey`: the key of the mail that was being sent when a node
 * died, which is sent again after its lease; null if there is none.
 */
export function expectedMails(w: World, interruptedKey: string | null): ExpectedMail[] {
  for (const article of w.articles) queueNews(w, article)
  for (const person of w.people) queueMorning(w, person)
  const now = w.app.clock.now()
  return w.queue
    .filter(({ dueAt }) => dueAt <= now)
    .flatMap((queued) => {
      const { person, article, news, expiresAt } = queued
      const key = keyOf(person.user.email, article?.name ?? null)
      const says = article ? expectedNews(article, news, person) : expectedMorning(w, person)
      const isSent = says !== null && expiresAt > now
      if (key === interruptedKey) queued.dueAt = now + LEASE
      else {
        w.queue.splice(w.queue.indexOf(queued), 1)
        if (isSent) w.mailedAt.set(key, now)
      }
      return isSent ? [{ key, says, queued }] : []
    })
}

/** Ten minutes after the first news of an article. News of more than a day ago are too old. */
function queueNews(w: World, article: Article): void {
  const now = w.app.clock.now()
  const times = [...article.news.values()]
  if (times.length === 0 || Math.min(...times) > now - PAUSE) return
  const recent = [...article.news].filter(([, at]) => at >= now - DAY)
  const news = new Set(recent.map(([name]) => name))
  article.news.clear()
  for (const person of w.people) {
    if (expectedNews(article, news, person) === null) continue
    const known = w.queue.find((mail) => mail.person === person && mail.article === article)
    if (known) {
      for (const name of news) known.news.add(name)
      continue
    }
    const last = w.mailedAt.get(keyOf(person.user.email, article.name)) ?? 0
    const dueAt = Math.max(now, last + PAUSE)
    const expiresAt = dueAt + DAY
    w.queue.push({ person, article, news: new Set(news), dueAt, expiresAt, messageId: null })
  }
}

/** Once a day, from 7:00 until 15:00. */
function queueMorning(w: World, person: Person): void {
  const now = w.app.clock.now()
  const today = dayAt(w.zone, now)
  const start = timeOf(w.zone, today, MORNING_HOUR)
  const expiresAt = start + 8 * HOUR
  if (now < start || now >= expiresAt || person.morning === today || w.startedAt >= start) return
  person.morning = today
  if (person.choice === 'none') return
  const article = null
  w.queue.push({ person, article, news: new Set(), dueAt: now, expiresAt, messageId: null })
}
