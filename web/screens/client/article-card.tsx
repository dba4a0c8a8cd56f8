import { Title } from '@mantine/core'
import {
  CalendarClock,
  CloudOff,
  ExternalLink,
  HardDrive,
  type LucideIcon,
  RotateCcw,
} from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { dueLine, isLate } from '../../../domain/calendar/due-date.ts'
import { minimumVerdict, moonPhase } from '../../../domain/minimum.ts'
import type { HomeArticle } from '../../../sync/status/article-view.ts'
import { once } from '../../app/once.ts'
import { articlePath } from '../../app/paths.ts'
import { useDates } from '../../app/use-dates.ts'
import { useToday } from '../../app/use-today.ts'
import { EmptyPlace } from '../../ui/lists/empty-place.tsx'
import { Pager } from '../../ui/lists/pager.tsx'
import { useSteadyRows } from '../../ui/lists/use-steady-list.ts'
import { Moon } from '../../ui/moon/moon.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { LastModified } from '../../ui/words/last-modified.tsx'
import { handedInText } from '../../ui/words/minimum-text.ts'
import { useCompletionNotSent } from '../../unsent/not-sent.ts'
import classes from './article-card.module.css'
import { homePage, progressWords } from './home-list.ts'

const fetchOpenNotes = once(async () => (await import('./open-notes.tsx')).OpenNotes)
const fetchTips = once(async () => (await import('../../ui/tips.tsx')).Tips)

type ArticleCardProps = {
  title: string
  empty: string
  articles: HomeArticle[]
  blocked: ReadonlySet<string>
  offline: boolean
  /** Something that waits was not taken at its last try. */
  failing: boolean
  /** Trimmed; empty when nothing is searched for. */
  search: string
  onClearSearch: () => void
}

const idOf = ({ id }: HomeArticle) => id

export function ArticleCard({ title, empty, articles, ...props }: ArticleCardProps) {
  const [wantedPage, setWantedPage] = useState(1)
  const heading = useId()
  const list = useRef<HTMLUListElement>(null)
  const today = useToday()
  const { rows, handlers } = useSteadyRows(articles, { keyOf: idOf, source: wantedPage })
  const shown = homePage(rows ?? [], wantedPage)
  return (
    <section className={classes.card} aria-labelledby={heading}>
      <div className={classes.head}>
        <Title order={2} id={heading}>
          {title}
        </Title>
        <span className={classes.count}>{articles.length}</span>
      </div>
      {shown.total === 0 && props.search !== '' ? (
        <NoMatch {...props} />
      ) : shown.total === 0 ? (
        <EmptyPlace line={empty} className={classes.empty} />
      ) : (
        <>
          <ul className={classes.list} ref={list} {...handlers}>
            {shown.articles.map((article) => (
              <Item
                key={article.id}
                article={article}
                today={today}
                blocked={props.blocked.has(article.id)}
                offline={props.offline}
                failing={props.failing}
              />
            ))}
          </ul>
          <OnDemand fetch={fetchTips} props={{ within: list, delayMs: 400 }} />
          <div className={classes.foot}>
            <span>
              {shown.first}–{shown.last} of {shown.total}
            </span>
            <Pager label={title} page={shown.page} pages={shown.pages} onChange={setWantedPage} />
          </div>
        </>
      )}
    </section>
  )
}

type SearchProps = Pick<ArticleCardProps, 'search' | 'onClearSearch'>

/** Shown in place of both cards if the search has no match in either. */
export const NoMatchCard = (props: SearchProps) => (
  <div className={classes.card}>
    <NoMatch {...props} />
  </div>
)

const NoMatch = ({ search, onClearSearch }: SearchProps) => (
  <EmptyPlace line={`No article name contains ‘${search}’.`} className={classes.empty}>
    <button type="button" className={classes.clear} onClick={onClearSearch}>
      Clear the search
    </button>
  </EmptyPlace>
)

type ItemProps = {
  article: HomeArticle
  today: string
  blocked: boolean
  offline: boolean
  failing: boolean
}

function Item({ article, today, blocked, offline, failing }: ItemProps) {
  const { id, name, words, wordMinimum, completed, updatedAt, hasText } = article
  const isNotSent = useCompletionNotSent(article, failing) && completed
  const isComplete = completed && !isNotSent
  const progress = progressWords(article, isComplete)
  const warns = minimumVerdict(words, wordMinimum) === 'warning'
  return (
    <li>
      <a className={classes.item} href={articlePath(id)} target="_blank" rel="noopener">
        <span className={classes.moon} data-tip={progress ?? undefined}>
          {hasText && (
            <Moon
              size={20}
              k={moonPhase(words, wordMinimum)}
              tone={warns ? 'warn' : 'full'}
              checked={isComplete && !warns}
            />
          )}
        </span>
        <span className={classes.words}>
          <span className={classes.name} dir="auto">
            {name}
            {progress !== null && <span className="visually-hidden"> ({progress})</span>}
          </span>
          <span className={classes.facts}>
            <LastModified at={updatedAt} />
            {article.dueOn !== null && <Due day={article.dueOn} today={today} />}
            {isComplete && warns && hasText && (
              <span className={classes.short}>{handedInText(words, wordMinimum)}</span>
            )}
            {article.isReopened && (
              <span className={classes.reopened}>
                <RotateCcw size={13} strokeWidth={1.7} aria-hidden="true" />
                Reopened
              </span>
            )}
            <Whereabouts
              {...{ blocked, offline, isNotSent }}
              isFailing={article.waiting && failing}
            />
            {offline && !article.hasText && <span>Not on this computer yet</span>}
            {article.mayHaveNotes && <OpenNotesOf articleId={id} />}
          </span>
        </span>
        <ExternalLink size={16} strokeWidth={1.5} className={classes.newTab} aria-hidden="true" />
        <span className="visually-hidden">(opens in a new tab)</span>
      </a>
    </li>
  )
}

/** Most articles have none. */
function OpenNotesOf(props: { articleId: string }) {
  return <OnDemand fetch={fetchOpenNotes} wanted="quietly" props={props} />
}

function Due({ day, today }: { day: string; today: string }) {
  const dates = useDates()
  const line = dueLine(day, today, dates)
  if (!isLate(day, false, today)) return <span>{line}</span>
  return (
    <Sign icon={CalendarClock} size={13}>
      {line}
    </Sign>
  )
}

type WhereaboutsProps = {
  blocked: boolean
  offline: boolean
  isNotSent: boolean
  isFailing: boolean
}

/** Where the latest of an article is, unless the agency has it or is about to. */
function Whereabouts({ blocked, offline, isNotSent, isFailing }: WhereaboutsProps) {
  if (blocked) return <Sign icon={HardDrive}>Saved on this computer</Sign>
  if (isNotSent || (isFailing && !offline)) return <Sign icon={HardDrive}>Not sent yet</Sign>
  return isFailing && <Sign icon={CloudOff}>Waiting for the connection</Sign>
}

type SignProps = { icon: LucideIcon; size?: number; children: string }

function Sign({ icon: Icon, size = 14, children }: SignProps) {
  return (
    <span className={classes.sign}>
      <Icon size={size} strokeWidth={1.7} aria-hidden="true" />
      {children}
    </span>
  )
}
