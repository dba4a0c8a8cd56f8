import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { dueWords } from '../../../../domain/calendar/due-date.ts'
import { moment } from '../../../../domain/calendar/moments.ts'
import { minimumVerdict, moonPhase } from '../../../../domain/minimum.ts'
import type { Home } from '../../../../domain/wire/home.ts'
import { useClock } from '../../../app/app-context.tsx'
import { articlePath, paths } from '../../../app/paths.ts'
import { useDates } from '../../../app/use-dates.ts'
import { Moon } from '../../../ui/moon/moon.tsx'
import { figure, wordsOf } from '../../../ui/words/figure.ts'
import classes from './admin-home.module.css'

type CardProps = {
  /** Unique on the page. */
  id: string
  title: string
  total: number
  /** Said when there is nothing. */
  none: string
  foot: ReactNode
  children: ReactNode
}

/** A few articles, and below them the way to all of them. */
function Card({ id, title, total, none, foot, children }: CardProps) {
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.cardHead}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {total > 0 && <span className={classes.count}>{figure(total)}</span>}
      </div>
      {total === 0 ? (
        <p className={classes.none}>{none}</p>
      ) : (
        <ul className={classes.items}>{children}</ul>
      )}
      {foot && <div className={classes.cardFoot}>{foot}</div>}
    </section>
  )
}

type ItemProps = {
  article: { id: string; name: string }
  moon: ReactNode
  /** Below the name; what is null is left out. */
  about: readonly (string | null)[]
  end: ReactNode
}

function Item({ article: { id, name }, moon, about, end }: ItemProps) {
  return (
    <li>
      <a className={classes.item} href={articlePath(id)} target="_blank" rel="noopener">
        {moon}
        <span className={classes.what}>
          <span className={classes.name} dir="auto" title={name}>
            {name}
          </span>
          <span className={classes.who}>{about.filter((part) => part !== null).join(' · ')}</span>
        </span>
        <span className={classes.when}>{end}</span>
        <span className="visually-hidden"> (opens in a new tab)</span>
      </a>
    </li>
  )
}

export function Completed({ home: { lastVisit, completed } }: { home: Home }) {
  const { total, articles } = completed
  return (
    <Card
      id="completed-articles"
      title={lastVisit === null ? 'Completed' : 'Completed since your last visit'}
      total={total}
      none="Nothing completed since then"
      foot={
        total > 0 && (
          <Link to={`${paths.adminArticles}?sort=completed:desc`}>All completed articles</Link>
        )
      }
    >
      {articles.map((article) => (
        <CompletedArticle key={article.id} article={article} />
      ))}
    </Card>
  )
}

function CompletedArticle({ article }: { article: Home['completed']['articles'][number] }) {
  const { clientName, completedBy, completedAt, words } = article
  const clock = useClock()
  const dates = useDates()
  return (
    <Item
      article={article}
      moon={<Moon size={20} k={1} tone="full" checked />}
      about={[clientName, completedBy]}
      end={
        <>
          <time dateTime={completedAt}>{moment(completedAt, clock.now(), dates)}</time>
          <span className={classes.words}>{wordsOf(words)}</span>
        </>
      }
    />
  )
}

export function Late({ home: { late, dueThisWeek, agencyToday } }: { home: Home }) {
  return (
    <Card
      id="late-articles"
      title="Late"
      total={late.total}
      none="Nothing is late"
      foot={
        <>
          <Link to={paths.adminProgress}>Progress of all articles</Link>
          {dueThisWeek > 0 && (
            <span className={classes.week}>{dueText(dueThisWeek, late.total > 0)}</span>
          )}
        </>
      }
    >
      {late.articles.map((article) => (
        <LateArticle key={article.id} article={article} today={agencyToday} />
      ))}
    </Card>
  )
}

const dueText = (count: number, isMore: boolean): string =>
  `${figure(count)}${isMore ? ' more' : ''} ${count === 1 ? 'is' : 'are'} due this week`

type LateArticleProps = {
  article: Home['late']['articles'][number]
  /** The agency's day. */
  today: string
}

function LateArticle({ article, today }: LateArticleProps) {
  const { clientName, words, wordMinimum, dueOn } = article
  const isShort = minimumVerdict(words, wordMinimum) === 'warning'
  return (
    <Item
      article={article}
      moon={<Moon size={20} k={moonPhase(words, wordMinimum)} tone={isShort ? 'warn' : 'full'} />}
      about={[clientName, lengthText(words, wordMinimum)]}
      end={
        <time className={classes.late} dateTime={dueOn}>
          {dueWords(dueOn, today)}
        </time>
      }
    />
  )
}

function lengthText(words: number, wordMinimum: number): string {
  if (words === 0) return 'not begun'
  return wordMinimum === 0 ? wordsOf(words) : `${figure(words)} of at least ${wordsOf(wordMinimum)}`
}
