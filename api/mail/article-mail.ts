import { openNotes } from '../../domain/notes/open-notes.ts'
import type { ArticleNote } from '../../domain/wire/notes.ts'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { type AgencyDates, agencyDates } from './agency-dates.ts'
import { type ArticleFacts, type NewsOfReader, newsFor } from './article-news.ts'
import { readArticleFacts, readersOf } from './article-news-rows.ts'
import { type MailPart, mailPage, messageIdOf, openOnComputer } from './mail-page.ts'
import type { Mail } from './mailer.ts'
import { type ArticleMail, newsOf } from './queue-article-mails.ts'
import { stopLinks } from './stop-links.ts'
import { withoutLinks } from './without-links.ts'

const NOTES_SHOWN = 5

/**
 * The mail about the news of an article, as they are now. Null when nothing of them is still so or concerns the reader,
 * when the reader chose no such mails or has the article open.
 */
export async function composeArticleMail(deps: Deps, row: ArticleMail): Promise<Mail | null> {
  const { db, config, clock, presence } = deps
  const facts = await readArticleFacts(db, row.article_id)
  if (facts === undefined || presence.hasOpen(row.user_id, row.article_id)) return null
  const [reader] = await readersOf(db, facts, row.user_id)
  if (reader?.choice !== 'at-once') return null
  const news = newsFor(facts, newsOf(row), reader)
  if (news === null) return null
  const { article } = facts
  const links = stopLinks(deps, reader.id)
  const name = withoutLinks(article.name)
  const now = clock.now()
  const dates = agencyDates(config.timeZone, now)
  const parts = newsParts(facts, news, dates)
  const [first] = parts
  return {
    to: reader.email,
    messageId: messageIdOf(config, row.id),
    thread: messageIdOf(config, article.id),
    stopUrl: links.stopUrl,
    ...mailPage(config, {
      subject: `${subjectOf(news)}: ${name}`,
      title: name,
      preview: first?.kind === 'text' ? first.text : null,
      parts: [text('Hello,'), ...parts, ...endParts(config, article.id, dates.dateTime(now))],
      stop: { ...links, why: whyOf(facts, news, reader.isMember) },
    }),
  }
}

function subjectOf({ reopened, handedIn, notes }: NewsOfReader): string {
  if (reopened) return 'Reopened'
  if (handedIn) return 'Handed in'
  if (notes.length > 1) return `${notes.length} new notes`
  return notes[0]?.kind === 'answer' ? 'Answer' : 'New note'
}

function whyOf({ article }: ArticleFacts, { handedIn }: NewsOfReader, isMember: boolean): string {
  const client = withoutLinks(article.client?.name ?? '')
  if (handedIn) return `You get this mail because you follow ${client}.`
  if (isMember) return `You get this mail because you write for ${client}.`
  return 'You get this mail because you took part in this article.'
}

const newsParts = (facts: ArticleFacts, news: NewsOfReader, dates: AgencyDates): MailPart[] => [
  ...reopenedParts(facts, news, dates),
  ...handedInParts(facts, news, dates),
  ...noteParts(news, dates),
]

function endParts(config: Config, articleId: string, at: string): MailPart[] {
  const url = `${config.publicUrl}/client/article/${articleId}`
  return [
    { kind: 'button', text: 'Open the article', url, hasAddress: false },
    small(`As of ${at}. Open the article to see how it is now.`),
    small(openOnComputer(config, 'Open it')),
  ]
}

function reopenedParts(
  facts: ArticleFacts,
  { reopened }: NewsOfReader,
  dates: AgencyDates,
): MailPart[] {
  if (reopened === null) return []
  const { by, at, reason } = reopened
  const sentence = `${nameOf(by)} reopened this article ${dates.moment(at)}`
  const open = openNotes(facts.notes).length
  return [
    ...(reason ? [text(`${sentence}:`), quote(reason)] : [text(`${sentence}.`)]),
    ...(open === 0
      ? []
      : [text(open === 1 ? '1 note in the text is open.' : `${open} notes in the text are open.`)]),
  ]
}

function handedInParts(
  { article, handIn }: ArticleFacts,
  { handedIn }: NewsOfReader,
  dates: AgencyDates,
): MailPart[] {
  if (handedIn === null) return []
  const { by, at, number } = handedIn
  const client = withoutLinks(article.client?.name ?? '')
  return [
    text(`${nameOf(by)} of ${client} handed in this article ${dates.moment(at)}.`),
    text(`${wordsOf(article)} · hand-in ${number} of ${handIn?.number ?? number}`),
  ]
}

/** A mail about a reopening has the number of open notes already. */
function noteParts({ reopened, notes }: NewsOfReader, dates: AgencyDates): MailPart[] {
  const listed = notes.filter(({ kind }) => reopened === null || kind === 'answer')
  const shown = listed.slice(0, NOTES_SHOWN).flatMap((note) => notePart(note, dates))
  const rest = listed.length - NOTES_SHOWN
  return rest > 0 ? [...shown, text(`And ${rest} more.`)] : shown
}

function notePart({ kind, author, anchor, createdAt, ...note }: ArticleNote, dates: AgencyDates) {
  const about = anchor ? ` about ‘${withoutLinks(shortened(anchor.quote))}’` : ''
  const what = kind === 'answer' ? 'answered' : `wrote a note${about}`
  const { body, suggestion } = note
  return [
    text(`${nameOf(author.name)} ${what} ${dates.moment(createdAt)}:`),
    ...(body === '' ? [] : [quote(body)]),
    ...(suggestion === undefined ? [] : [text('Suggested words:'), quote(suggestion)]),
  ]
}

const QUOTE_SHOWN = 100
const shortened = (words: string): string => {
  const line = words.replace(/\s+/g, ' ')
  return line.length > QUOTE_SHOWN ? `${line.slice(0, QUOTE_SHOWN).trimEnd()}…` : line
}

/** '742 of at least 700 words', '742 words' without a minimum. */
export function wordsOf({ words, wordMinimum }: { words: number; wordMinimum: number }): string {
  const count = (number: number) => new Intl.NumberFormat('en').format(number)
  if (wordMinimum > 0) return `${count(words)} of at least ${count(wordMinimum)} words`
  return words === 1 ? '1 word' : `${count(words)} words`
}

const nameOf = (name: string | null): string =>
  name === null ? 'A former user' : withoutLinks(name)
const text = (words: string): MailPart => ({ kind: 'text', text: words })
const small = (words: string): MailPart => ({ kind: 'small', text: words })
const quote = (words: string): MailPart => ({ kind: 'quote', text: withoutLinks(words) })
