import type { RefObject } from 'react'
import type { Dates } from '../../../../domain/calendar/dates.ts'
import { minimumVerdict, moonPhase } from '../../../../domain/minimum.ts'
import type { ProgressRow } from '../../../../domain/wire/progress.ts'
import type { ProgressSortField } from '../../../remote/progress.ts'
import { ArticleLink } from '../../../ui/article-link.tsx'
import type { Column } from '../../../ui/lists/data-table.tsx'
import { Moon } from '../../../ui/moon/moon.tsx'
import { counted } from '../../../ui/words/figure.ts'
import { STATE_NAMES } from './progress-names.ts'
import classes from './progress-screen.module.css'
import { dueText, lastWordsText, wordsText, wordsTitle } from './progress-words.ts'
import { RowBox } from './row-box.tsx'
import type { Selecting } from './use-selection.ts'

type ColumnsOf = {
  selecting: Selecting
  headBox: RefObject<HTMLInputElement | null>
  /** Milliseconds since 1970. */
  now: number
  /** The agency's day. */
  today: string
  dates: Dates
}

export function columns(of: ColumnsOf): Column<ProgressRow, ProgressSortField>[] {
  return [
    boxes(of),
    {
      head: 'Article',
      namesRow: true,
      sortField: 'name',
      cell: (row) => <Article row={row} />,
    },
    { head: 'Words', width: '166px', sortField: 'words', cell: (row) => <Words row={row} /> },
    {
      head: 'Must Use',
      width: '92px',
      cell: ({ mustUse }) => <MustUse counts={mustUse} />,
    },
    {
      head: 'Last words',
      width: '160px',
      sortField: 'lastWords',
      cell: (row) => <LastWords row={row} now={of.now} dates={of.dates} />,
    },
    {
      head: 'Due',
      width: '122px',
      sortField: 'due',
      cell: (row) => <Due row={row} today={of.today} dates={of.dates} />,
    },
    { head: 'State', width: '126px', cell: ({ state }) => STATE_NAMES[state] },
  ]
}

function boxes({ selecting, headBox }: ColumnsOf): Column<ProgressRow, ProgressSortField> {
  return {
    head: 'Select',
    headCell: (
      <RowBox
        ref={headBox}
        label="All on this page"
        checked={selecting.head === 'all'}
        isMixed={selecting.head === 'some'}
        onTick={selecting.togglePage}
      />
    ),
    width: '52px',
    cell: (row) => (
      <RowBox
        label={`Select ${row.name}`}
        checked={selecting.has(row.id)}
        onTick={(isRange) => selecting.toggle(row, isRange)}
      />
    ),
  }
}

function Article({ row: { id, name, client, openNotes } }: { row: ProgressRow }) {
  const clientName = client?.name ?? 'No client'
  return (
    <>
      <span className={classes.first}>
        <ArticleLink id={id} name={name} />
      </span>
      {openNotes === undefined ? (
        <Second text={clientName} />
      ) : (
        <span className={classes.both}>
          <Second text={clientName} />
          <span className={classes.second}>
            &nbsp;· <span className={classes.notes}>{counted(openNotes, 'open note')}</span>
          </span>
        </span>
      )}
    </>
  )
}

/** Nothing while it was not counted yet. */
function MustUse({ counts }: { counts: ProgressRow['mustUse'] }) {
  if (counts === null) return null
  return counts.total === 0 ? <None /> : `${counts.used}/${counts.total}`
}

function Words({ row }: { row: ProgressRow }) {
  const { words, wordMinimum, completed } = row
  const isShort = minimumVerdict(words, wordMinimum) === 'warning'
  return (
    <span className={classes.words} title={wordsTitle(row)}>
      <Moon
        size={20}
        k={moonPhase(words, wordMinimum)}
        tone={isShort ? 'warn' : 'full'}
        checked={completed && !isShort}
      />
      {wordsText(row)}
    </span>
  )
}

type LastWordsProps = { row: ProgressRow } & Pick<ColumnsOf, 'now' | 'dates'>

function LastWords({ row: { lastWords }, now, dates }: LastWordsProps) {
  if (lastWords === null) return <None />
  return (
    <>
      <time className={classes.first} dateTime={lastWords.at} title={dates.inFull(lastWords.at)}>
        {lastWordsText(lastWords.at, now, dates)}
      </time>
      {lastWords.by !== null && <Second text={lastWords.by} />}
    </>
  )
}

type DueProps = { row: ProgressRow } & Pick<ColumnsOf, 'today' | 'dates'>

function Due({ row, today, dates }: DueProps) {
  const due = dueText(row, today, dates)
  if (due === null || row.dueOn === null) return <None />
  return (
    <>
      <time className={classes.first} dateTime={row.dueOn} data-late={due.isLate}>
        {due.words}
      </time>
      {due.day !== null && <Second text={due.day} />}
    </>
  )
}

const None = () => <span className={classes.none}>None</span>

const Second = ({ text }: { text: string }) => (
  <span className={classes.second} dir="auto" title={text}>
    {text}
  </span>
)
