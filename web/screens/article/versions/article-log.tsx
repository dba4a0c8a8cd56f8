import { useMemo } from 'react'
import { relativeDay } from '../../../../domain/calendar/moments.ts'
import { actorName, articlePhrases } from '../../../../domain/log-words.ts'
import type { LogEntry } from '../../../../domain/wire/log.ts'
import { useDatabase, useNow } from '../../../app/app-context.tsx'
import { useDates } from '../../../app/use-dates.ts'
import { TextButton } from '../../../ui/buttons/text-button.tsx'
import { useLocalQuery } from '../../../use-local-query.ts'
import classes from './article-log.module.css'
import { byDay } from './by-day.ts'
import { type NoteEvent, noteEvents } from './note-events.ts'
import { type ArticleLog as Log, useArticleLog } from './use-article-log.ts'

const A_MINUTE_MS = 60_000

/** What happened to the article. It needs the connection. */
export function ArticleLog({ articleId }: { articleId: string }) {
  const log = useArticleLog(articleId)
  const now = useNow(A_MINUTE_MS)
  const dates = useDates()
  const notes = useNoteEvents(articleId, log)
  const shown = [...(log.entries ?? []), ...notes].sort(byTime)
  const days = byDay(
    shown,
    ({ at }) => at,
    (at) => relativeDay(at, now, dates),
  )
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached with the keyboard */}
      <section className={classes.log} tabIndex={0} aria-label="What happened to this article">
        {log.entries && shown.length === 0 && (
          <p className={classes.none}>Nothing has happened yet.</p>
        )}
        {days.map(([day, ofDay]) => (
          <div key={day}>
            <h3 className={classes.day}>{day}</h3>
            <ol className={classes.list}>
              {ofDay.map((entry) => (
                <li key={entry.id} className={classes.entry}>
                  {'what' in entry ? <Note event={entry} /> : <Entry entry={entry} now={now} />}
                </li>
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
    <>
      {phrases.map((phrase) => (
        <div key={phrase} className={classes.what} dir="auto">
          {phrase}
        </div>
      ))}
      <div dir="auto">
        {actorName(entry)}, {time(entry.at)}
        {entry.handIn !== undefined && ` · hand-in ${entry.handIn}`}
      </div>
    </>
  )
}

function Note({ event: { what, by, at } }: { event: NoteEvent }) {
  const { time } = useDates()
  return (
    <>
      <div className={classes.what} dir="auto">
        {what}
      </div>
      <div dir="auto">
        {by}, {time(at)}
      </div>
    </>
  )
}

/** What happened to notes since the oldest entry that is shown. */
function useNoteEvents(articleId: string, { entries, hasMore }: Log): NoteEvent[] {
  const database = useDatabase()
  const record = useLocalQuery(() => database.records.get(articleId), [database, articleId])
  const events = useMemo(() => noteEvents(record?.notes ?? []), [record])
  if (entries === null) return []
  const since = hasMore ? (entries.at(-1)?.at ?? '') : ''
  return events.filter(({ at }) => at >= since)
}

/** The newest first; what happened at one time stays in its order. */
const byTime = (a: { at: string }, b: { at: string }): number =>
  a.at === b.at ? 0 : a.at < b.at ? 1 : -1

function stateOf({ entries, isLoading, isOffline, refusal }: Log): string {
  if (isOffline) return 'The log is loaded when you are back online.'
  if (refusal !== null) return refusal
  return entries === null && isLoading ? 'Loading…' : ''
}
