import { addDays, dueLine, dueWords, isLate } from '../../domain/calendar/due-date.ts'
import { hourOfDay } from '../../domain/calendar/morning.ts'
import { enumerated } from '../../domain/names/enumerated.ts'
import type { MailRow } from '../database/tables.ts'
import type { Deps } from '../deps.ts'
import { type AgencyDates, agencyDates } from './agency-dates.ts'
import { wordsOf } from './article-mail.ts'
import { type MailLine, type MailPart, mailPage, messageIdOf } from './mail-page.ts'
import type { Mail } from './mailer.ts'
import {
  findMorningReader,
  type HandedIn,
  handedInSince,
  type MorningArticle,
  type MorningReader,
  openArticles,
} from './morning-rows.ts'
import { stopLinks } from './stop-links.ts'
import { withoutLinks } from './without-links.ts'

/** The hour of the agency from which the mails of the morning are sent. */
export const MORNING_HOUR = 7
const LINES_MAX = 20
/** Days before its date from which an article is listed, and days without new words. */
const SOON_DAYS = 3
const STILL_DAYS = 7
const DAY_MS = 24 * 60 * 60 * 1_000
const CLIENTS_NAMED = 3

/** `counted`: its words in the subject, behind the number. */
export type MorningPart = { head: string; counted: string; lines: MailLine[] }

/** The mail of the morning as it is now. Null when it has no line, and when the reader chose none. */
export async function composeMorningMail(
  deps: Deps,
  row: MailRow & { user_id: string },
): Promise<Mail | null> {
  const { db, config, clock } = deps
  const reader = await findMorningReader(db, row.user_id)
  if (reader === undefined || reader.choice === 'none') return null
  const now = clock.now()
  const dates = agencyDates(config.timeZone, now)
  const about = { url: config.publicUrl, dates, now }
  const isAdmin = reader.role === 'admin'
  const articles = await openArticles(db, reader)
  const since = hourOfDay(config.timeZone, addDays(dates.today, -1), MORNING_HOUR)
  const parts = isAdmin
    ? partsOfAdmin(articles, await handedInSince(db, new Date(since).toISOString()), about)
    : partsOfWriter(articles, about)
  const filled = parts.filter(({ lines }) => lines.length > 0)
  if (filled.length === 0) return null
  const links = stopLinks(deps, reader.id)
  const counts = filled.map(countOf).join(', ')
  return {
    to: reader.email,
    messageId: messageIdOf(config, row.id),
    thread: null,
    stopUrl: links.stopUrl,
    ...mailPage(config, {
      subject: `${isAdmin ? 'Articles' : 'Your articles'}: ${counts}`,
      title: isAdmin ? 'The articles this morning' : 'Your articles this morning',
      preview: counts,
      parts: mailParts(filled, reader, about),
      stop: { ...links, why: whyOf(reader, articles) },
    }),
  }
}

const countOf = ({ lines, counted }: MorningPart): string => `${lines.length} ${counted}`

function whyOf({ role }: MorningReader, articles: readonly MorningArticle[]): string {
  if (role === 'admin') return 'You get this mail as an admin.'
  const clients = [...new Set(articles.flatMap(({ client }) => client ?? []))].map(withoutLinks)
  const shown = clients.slice(0, CLIENTS_NAMED)
  const rest = clients.length - shown.length
  const names = rest > 0 ? [...shown, `${rest} more`] : shown
  return `You get this mail because you write for ${enumerated(names)}.`
}

type About = { url: string; dates: AgencyDates; now: number }

/** The first lines of the parts, as many as a mail has, and how many more there are. */
function mailParts(
  filled: readonly MorningPart[],
  { role }: MorningReader,
  { url, dates, now }: About,
): MailPart[] {
  let left = LINES_MAX
  const shown = filled.flatMap(({ head, lines }): MailPart[] => {
    const some = lines.slice(0, left)
    left -= some.length
    return some.length === 0
      ? []
      : [
          { kind: 'head', text: head },
          { kind: 'lines', lines: some },
        ]
  })
  const rest = filled.reduce((sum, { lines }) => sum + lines.length, 0) - LINES_MAX
  const isAdmin = role === 'admin'
  const all = isAdmin ? `${url}/admin/progress` : `${url}/`
  const whose = isAdmin ? 'a writer’s computer' : 'your computer'
  return [
    ...shown,
    ...(rest > 0 ? [{ kind: 'link', text: `and ${rest} more`, url: all } as const] : []),
    {
      kind: 'button',
      text: isAdmin ? 'Open Progress' : 'Open my articles',
      url: all,
      hasAddress: false,
    },
    {
      kind: 'small',
      text: `As of ${dates.weekday(now)}, ${dates.dateTime(now)}. Words still on ${whose} are not counted.`,
    },
  ]
}

/** Each article is in the first part that it fits, once. */
function partition<Article>(
  articles: readonly Article[],
  fits: readonly ((article: Article) => boolean)[],
): Article[][] {
  const parts: Article[][] = fits.map(() => [])
  for (const article of articles) parts[fits.findIndex((each) => each(article))]?.push(article)
  return parts
}

const isOverdue = (today: string) => (article: MorningArticle) =>
  isLate(article.dueOn, false, today)
const isDueSoon = (today: string) => (article: MorningArticle) =>
  article.dueOn !== null && article.dueOn <= addDays(today, SOON_DAYS)
const isReopened = (article: MorningArticle) => article.reopened !== null && !article.isTouched

/** The due date of an article that has one. */
const dayOf = ({ dueOn }: MorningArticle): string => dueOn ?? ''
const byDate = (a: MorningArticle, b: MorningArticle) => compare(dayOf(a), dayOf(b))
const byReopening = (a: MorningArticle, b: MorningArticle) =>
  compare(a.reopened?.at ?? '', b.reopened?.at ?? '')
const byLastWords = (a: MorningArticle, b: MorningArticle) => compare(lastOf(a), lastOf(b))
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))
/** Since when nothing was written. */
const lastOf = ({ lastWordsAt, createdAt }: MorningArticle): string => lastWordsAt ?? createdAt

function partsOfWriter(articles: readonly MorningArticle[], about: About): MorningPart[] {
  const { dates } = about
  const notesOn = ({ openNotes: count }: MorningArticle) => {
    if (count === 0) return null
    return count === 1 ? '1 open note' : `${count} open notes`
  }
  const { shared, others } = sharedParts(articles, about, {
    isOther: ({ openNotes }) => openNotes > 0,
    lateSince: (day) => dueLine(day, dates.today, dates),
    texts: (article) => [standing(article), notesOn(article)],
    behindReopening: notesOn,
  })
  const line = lineOf(about)
  return [
    ...shared,
    {
      head: 'Open notes',
      counted: 'with open notes',
      lines: others.map((article) => line(article, null, [notesOn(article), standing(article)])),
    },
  ]
}

function partsOfAdmin(
  articles: readonly MorningArticle[],
  handedIn: readonly HandedIn[],
  about: About,
): MorningPart[] {
  const { dates, now } = about
  const still = new Date(now - STILL_DAYS * DAY_MS).toISOString()
  const client = (article: MorningArticle) =>
    article.client === null ? null : withoutLinks(article.client)
  const { shared, others } = sharedParts(articles, about, {
    isOther: (article) => lastOf(article) < still,
    lateSince: (day) => dueWords(day, dates.today),
    texts: (article) => [client(article), standing(article)],
    behindReopening: client,
  })
  const line = lineOf(about)
  return [
    {
      head: 'Handed in since yesterday morning',
      counted: 'handed in',
      lines: handedIn.map((article) => {
        const by = withoutLinks(article.by ?? 'A former user')
        return line(article, null, [`${by}, ${dates.moment(article.at)}`, wordsOf(article)])
      }),
    },
    ...shared,
    {
      head: 'No new words for 7 days',
      counted: 'without new words',
      lines: others
        .toSorted(byLastWords)
        .map((article) => line(article, null, [client(article), lastWords(article, dates)])),
    },
  ]
}

type Texts = {
  /** Whether an article outside the shared parts belongs to the additional part. */
  isOther: (article: MorningArticle) => boolean
  lateSince: (day: string) => string
  texts: (article: MorningArticle) => (string | null)[]
  behindReopening: (article: MorningArticle) => string | null
}

/** The parts that the mails to writers and to admins share, and the articles of the additional part. */
function sharedParts(
  articles: readonly MorningArticle[],
  about: About,
  { isOther, lateSince, texts, behindReopening }: Texts,
): { shared: MorningPart[]; others: MorningArticle[] } {
  const { dates } = about
  const line = lineOf(about)
  const [late = [], soon = [], reopened = [], others = []] = partition(articles, [
    isOverdue(dates.today),
    isDueSoon(dates.today),
    isReopened,
    isOther,
  ])
  const shared = [
    {
      head: 'Late',
      counted: 'late',
      lines: late
        .toSorted(byDate)
        .map((article) => line(article, lateSince(dayOf(article)), texts(article))),
    },
    {
      head: 'Due within 3 days',
      counted: 'due soon',
      lines: soon
        .toSorted(byDate)
        .map((article) => line(article, null, [dates.due(dayOf(article)), ...texts(article)])),
    },
    {
      head: 'Reopened',
      counted: 'reopened',
      lines: reopened
        .toSorted(byReopening)
        .map((article) =>
          line(article, null, [reopening(article, dates), behindReopening(article)]),
        ),
    },
  ]
  return { shared, others }
}

const lineOf =
  ({ url }: About) =>
  (
    { id, name }: Pick<MorningArticle, 'id' | 'name'>,
    late: string | null,
    texts: readonly (string | null)[],
  ): MailLine => ({
    title: withoutLinks(name),
    url: `${url}/client/article/${id}`,
    late,
    text: texts.filter((text) => text !== null).join(' · '),
  })

const standing = (article: MorningArticle): string =>
  article.isBegun ? wordsOf(article) : 'not begun'

function reopening({ reopened }: MorningArticle, dates: AgencyDates): string | null {
  if (reopened === null) return null
  return `By ${withoutLinks(reopened.by ?? 'a former user')}, ${dates.moment(reopened.at)}`
}

function lastWords(article: MorningArticle, dates: AgencyDates): string {
  const { lastWordsAt, createdAt } = article
  return lastWordsAt === null
    ? `not begun, created ${dates.date(createdAt)}`
    : `${wordsOf(article)}, last changed ${dates.date(lastWordsAt)}`
}
