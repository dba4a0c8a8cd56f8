import { relativeDay } from '../../../../domain/calendar/moments.ts'
import { actorName, articlePhrases } from '../../../../domain/log-words.ts'
import type { LogEntry } from '../../../../domain/wire/log.ts'
import { useNow } from '../../../app/app-context.tsx'
import { useDates } from '../../../app/use-dates.ts'
import { TextButton } from '../../../ui/buttons/text-button.tsx'
import classes from './article-log.module.css'
import { byDay } from './by-day.ts'
import { type ArticleLog as Log, useArticleLog } from './use-article-log.ts'

const A_MINUTE_MS = 60_000

/** What happened to the article. It needs the connection. */
export function ArticleLog({ articleId }: { articleId: string }) {
  const log = useArticleLog(articleId)
  const now = useNow(A_MINUTE_MS)
  const dates = useDates()
  const days = byDay(log.entries ?? [], ({ at }) => relativeDay(at, now, dates))
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached with the keyboard */}
      <section className={classes.log} tabIndex={0} aria-label="What happened to this article">
        {log.entries?.length === 0 && <p className={classes.none}>Nothing has happened yet.</p>}
        {days.map(([day, ofDay]) => (
          <div key={day}>
            <h3 className={classes.day}>{day}</h3>
            <ol className={classes.list}>
              {ofDay.map((entry) => (
                <Entry key={entry.id} entry={entry} now={now} />
              ))}
            </ol>
          </div>
        ))}
        {log.hasMore && (
          <p className={classes.more}>
            <TextButton onClick={log.showMore}>Show earlier entries</TextButton>
          </p>
        )}
      </section>
      <p className={classes.state} role="status">
        {stateOf(log)}
      </p>
    </>
  )
}

function Entry({ entry, now }: { entry: LogEntry; now: number }) {
  const { time, timeOf, dayName } = useDates()
  const phrases = articlePhrases(entry, { timeOf: (at) => timeOf(at, now), dayName })
  return (
    <li className={classes.entry}>
      {phrases.map((phrase) => (
        <div key={phrase} className={classes.what} dir="auto">
          {phrase}
        </div>
      ))}
      <div dir="auto">
        {actorName(entry)}, {time(entry.at)}
        {entry.handIn !== undefined && ` · hand-in ${entry.handIn}`}
      </div>
    </li>
  )
}

function stateOf({ entries, isLoading, isOffline, refusal }: Log): string {
  if (isOffline) return 'The log is loaded when you are back online.'
  if (refusal !== null) return refusal
  return entries === null && isLoading ? 'Loading…' : ''
}
