import { addDays, dayAt, dayName, moment, timeOf, weekday } from './agency-time.ts'
import {
  type Article,
  isAdmin,
  mayRead,
  type Note,
  openNotesOf,
  type Person,
  type World,
} from './mail-world.ts'

/** What mails that are sent now say, by the model. Null for no mail. */

const DAY = 24 * 60 * 60_000
const NOTES_SHOWN = 5

/** The news of an article that are still true and concern this person. */
export function expectedNews(
  article: Article,
  news: ReadonlySet<string>,
  person: Person,
): string[] | null {
  if (person.choice !== 'at-once' || article.isDeleted || !mayRead(person, article)) return null
  const { handIns, reopened, complete, client } = article
  const isReopened =
    news.has(`out ${handIns}`) &&
    reopened !== null &&
    client.members.has(person) &&
    reopened.by !== person
  const isHandedIn =
    news.has(`in ${handIns}`) &&
    complete !== null &&
    isAdmin(person) &&
    person.follows.has(client) &&
    complete.by !== person
  const notes = article.participants.has(person)
    ? article.notes.filter(
        (note) => news.has(note.name) && note.by !== person && isOpen(article, note),
      )
    : []
  if (!isReopened && !isHandedIn && notes.length === 0) return null
  const reason = isReopened ? article.reasons.get(handIns) : undefined
  // A mail about a reopening says how many notes are open, and quotes the answers only.
  const quoted = notes.filter(({ about }) => !isReopened || about !== null)
  const rest = quoted.length - NOTES_SHOWN
  return [
    ...(isReopened ? ['reopened'] : []),
    ...(reason === undefined ? [] : [reason]),
    ...(isHandedIn ? ['handed in'] : []),
    ...quoted.slice(0, NOTES_SHOWN).map(({ name }) => name),
    ...(rest > 0 ? [`${rest} more`] : []),
  ]
}

function isOpen(article: Article, { isDone, isGone, about }: Note): boolean {
  const answered = article.notes.find(({ name }) => name === about)
  return !isGone && !isDone && (answered === undefined || isOpen(article, answered))
}

/** The lines of the mail of the morning, each with its heading. */
export function expectedMorning(w: World, person: Person): string[] | null {
  if (person.choice === 'none') return null
  const readable = w.articles.filter((article) => !article.isDeleted && mayRead(person, article))
  const lines = readable.flatMap((article) => {
    const line = article.complete
      ? handedInLine(w, article, article.complete, person)
      : openLine(w, article, person)
    return line === null ? [] : [line]
  })
  return lines.length === 0 ? null : lines.sort()
}

function handedInLine(
  { zone, app }: World,
  { name, words }: Article,
  { by, at }: NonNullable<Article['complete']>,
  person: Person,
): string | null {
  const now = app.clock.now()
  const since = timeOf(zone, addDays(dayAt(zone, now), -1), 7)
  if (!isAdmin(person) || at < since) return null
  const facts = `${by.user.name}, ${moment(zone, at, now)} · ${counted(words, 'word')}`
  return `HANDED IN SINCE YESTERDAY MORNING: ${name}: ${facts}`
}

/** An open article is in the first part of the mail that it fits. */
function openLine({ zone, app }: World, article: Article, person: Person): string | null {
  const { dueOn, reopened, textAt, words, createdAt, client, name } = article
  const now = app.clock.now()
  const today = dayAt(zone, now)
  const standing = textAt !== null && words > 0 ? counted(words, 'word') : 'not begun'
  const open = openNotesOf(article).length
  const notes = open > 0 ? counted(open, 'open note') : null
  const isToAdmin = isAdmin(person)
  const line = (head: string, ...facts: (string | null)[]) =>
    `${head}: ${name}: ${facts.filter((fact) => fact !== null).join(' · ')}`
  const daysLate = dueOn === null ? 0 : (Date.parse(today) - Date.parse(dueOn)) / DAY
  if (dueOn !== null && daysLate > 0) {
    const late = `${counted(daysLate, 'day')} late`
    return isToAdmin
      ? line('LATE', late, client.name, standing)
      : line('LATE', `Due ${dayName(dueOn)}, ${late}`, standing, notes)
  }
  if (dueOn !== null && daysLate >= -3) {
    const rest = isToAdmin ? [client.name, standing] : [standing, notes]
    return line('DUE WITHIN 3 DAYS', dueWords(dueOn, today), ...rest)
  }
  if (reopened !== null && (textAt === null || textAt <= reopened.at)) {
    const by = `By ${reopened.by.user.name}, ${moment(zone, reopened.at, now)}`
    return line('REOPENED', by, isToAdmin ? client.name : notes)
  }
  if (!isToAdmin) return notes && line('OPEN NOTES', notes, standing)
  if (now - (textAt ?? createdAt) <= 7 * DAY) return null
  const dateOf = (at: number) => `${dayName(dayAt(zone, at))} 2026`
  const last =
    textAt === null
      ? `not begun, created ${dateOf(createdAt)}`
      : `${counted(words, 'word')}, last changed ${dateOf(textAt)}`
  return line('NO NEW WORDS FOR 7 DAYS', client.name, last)
}

function dueWords(dueOn: string, today: string): string {
  if (dueOn === today) return 'Due today'
  return dueOn === addDays(today, 1) ? 'Due tomorrow' : `Due ${weekday(dueOn)}, ${dayName(dueOn)}`
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
