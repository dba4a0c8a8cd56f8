import { NativeSelect } from '@mantine/core'
import type { Dates } from '../../../../domain/calendar/dates.ts'
import { dayIn } from '../../../../domain/calendar/due-date.ts'
import { monthName } from '../../../../domain/calendar/month.ts'
import { moonPhase } from '../../../../domain/minimum.ts'
import type { MonthRow, MonthSheet } from '../../../../domain/wire/progress.ts'
import { useClock, useNames } from '../../../app/app-context.tsx'
import { useDates } from '../../../app/use-dates.ts'
import { ArticleLink } from '../../../ui/article-link.tsx'
import type { Column } from '../../../ui/lists/data-table.tsx'
import { Moon } from '../../../ui/moon/moon.tsx'
import { figure } from '../../../ui/words/figure.ts'
import { ListPage } from '../list/list-page.tsx'
import { useList } from '../list/use-list.ts'
import { useAddress } from '../list/use-list-address.ts'
import { useAllClients } from '../use-all-clients.ts'
import { useProgress } from '../use-remote.ts'
import { CopyFingerprint } from './copy-fingerprint.tsx'
import { type MonthPlace, monthAddress } from './month-address.ts'
import classes from './month-sheet-screen.module.css'
import {
  belowText,
  handedInAt,
  isBelow,
  numberText,
  shortFingerprint,
  totalText,
} from './month-words.ts'
import { offeredMonths } from './months.ts'
import { chosenName, OneClient } from './one-client.tsx'
import { SaveMonth } from './save-month.tsx'

/** /admin/month-sheet: what was handed in during a month of the agency, from the receipts. */
export function MonthSheetScreen() {
  const { timeZone } = useNames()
  const clock = useClock()
  const dates = useDates()
  const agencyDates = useDates(timeZone)
  const current = dayIn(timeZone, clock.now()).slice(0, 7)
  const place = useAddress(monthAddress(current))
  const { month, clientIds } = place
  const [clientId] = clientIds
  const progress = useProgress()
  const clients = useAllClients()
  const list = useList({
    key: ['hand-ins', month],
    address: place,
    failure: 'Error retrieving the month sheet',
    load: ({ page, limit }, abandoned) =>
      progress.month({ month, clientId, page, limit }, abandoned),
    rowKey: ({ articleId, number }) => `${articleId} ${number}`,
  })
  const { answer } = list
  const client = clientId === undefined ? 'All clients' : chosenName(clients.clients, clientId)
  const title = `${client}, ${monthName(month)}`
  const all = columns(agencyDates, clientId === undefined)
  return (
    <ListPage
      title="Month sheet"
      cardTitle={title}
      lead="Articles handed in, taken from their receipts, so that invoice and proof agree."
      filter={
        <>
          <MonthField current={current} place={place} />
          <OneClient
            {...clients}
            chosen={clientId}
            onChoose={(id) => place.show({ clientIds: id === undefined ? [] : [id] })}
          />
        </>
      }
      action={
        <SaveMonth
          read={progress.month}
          {...{ month, clientId, title }}
          disabled={list.total === 0}
        />
      }
      place={place}
      list={list}
      columns={all}
      rowWords={['hand-in', 'hand-ins']}
      unsorted="oldest first"
      empty={`No articles handed in for ${monthName(month)}`}
      total={answer && answer.totalResults > 0 && <Total sheet={answer} columns={all} />}
      footWords={(words) => footOf(words, list.total > list.pageSize, answer)}
      footEnd={answer && <span>As of {dates.time(list.answeredAt)}</span>}
    />
  )
}

/** The total row has the count; that of the rows is said where there are several pages. */
function footOf(words: string, isPaged: boolean, sheet: MonthSheet | undefined): string {
  const below = sheet ? belowText(sheet) : null
  if (isPaged) return below ? `${words}. ${below}` : words
  return below ?? words
}

function MonthField({ current, place }: { current: string; place: MonthPlace }) {
  const months = offeredMonths(current, place.month)
  return (
    <NativeSelect
      w={220}
      label="Month"
      value={place.month}
      data={months.map((month) => ({ value: month, label: monthName(month) }))}
      onChange={({ currentTarget: { value } }) => place.show({ month: value })}
    />
  )
}

function columns(agencyDates: Dates, isOfAll: boolean): Column<MonthRow, never>[] {
  const client: Column<MonthRow, never> = {
    head: 'Client',
    width: '14%',
    cell: ({ client: name }) => name !== null && <span title={name}>{name}</span>,
  }
  return [
    {
      head: 'Article',
      cell: ({ articleId, article }) => <ArticleLink id={articleId} name={article} />,
    },
    ...(isOfAll ? [client] : []),
    {
      head: 'Handed in by',
      // At 1280 all columns have to leave room for the name of the article.
      width: isOfAll ? '13%' : '186px',
      cell: ({ writer }) => writer !== null && <span title={writer}>{writer}</span>,
    },
    {
      head: 'Handed in',
      width: '180px',
      cell: ({ at }) => <time dateTime={at}>{handedInAt(at, agencyDates)}</time>,
    },
    { head: 'Words', width: '146px', cell: (row) => <Words row={row} /> },
    { head: 'Hand-in', width: '82px', cell: numberText },
    {
      head: 'Fingerprint',
      width: '138px',
      cell: ({ article, fingerprint }) => (
        <span className={classes.fingerprint}>
          <code>{shortFingerprint(fingerprint)}</code>
          <CopyFingerprint article={article} hash={fingerprint} />
        </span>
      ),
    },
  ]
}

function Words({ row }: { row: MonthRow }) {
  const { words, wordMinimum } = row
  const isShort = isBelow(row)
  return (
    <span className={classes.words} data-short={isShort}>
      <Moon
        size={15}
        k={isShort ? moonPhase(words, wordMinimum) : 1}
        tone={isShort ? 'warn' : 'full'}
        checked={!isShort}
      />
      <span>
        <span className={classes.count}>{figure(words)}</span>
        {wordMinimum > 0 && ` of ${figure(wordMinimum)}`}
      </span>
    </span>
  )
}

type TotalProps = { sheet: MonthSheet; columns: readonly Column<MonthRow, never>[] }

function Total({ sheet, columns: all }: TotalProps) {
  return (
    <tr>
      {all.map(({ head }, index) => (
        <td key={head}>
          {index === 0 && totalText(sheet)}
          {head === 'Words' && <span className={classes.sum}>{figure(sheet.words)}</span>}
        </td>
      ))}
    </tr>
  )
}
