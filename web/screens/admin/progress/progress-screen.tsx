import { NativeSelect } from '@mantine/core'
import { useRef } from 'react'
import type { Dates } from '../../../../domain/calendar/dates.ts'
import { dayIn } from '../../../../domain/calendar/due-date.ts'
import { useNames, useNow } from '../../../app/app-context.tsx'
import { useDates } from '../../../app/use-dates.ts'
import { useOffline } from '../../../layout/use-offline.ts'
import { FilterByClient } from '../list/filter-by-client.tsx'
import { ListPage } from '../list/list-page.tsx'
import { useList } from '../list/use-list.ts'
import { useAddress } from '../list/use-list-address.ts'
import { useProgress } from '../use-remote.ts'
import { gatherArticles } from './gather-articles.ts'
import { filterKey, PROGRESS_ADDRESS, type ProgressPlace, readKey } from './progress-address.ts'
import { columns } from './progress-columns.tsx'
import { DUE_NAMES, STATE_NAMES } from './progress-names.ts'
import classes from './progress-screen.module.css'
import { SelectionBar } from './selection-bar.tsx'
import { useSelection } from './use-selection.ts'

const A_MINUTE_MS = 60_000

const ORDERS = {
  name: ['by name', 'by name, from Z'],
  words: ['shortest first', 'longest first'],
  lastWords: ['idle longest first', 'last written first'],
  due: ['due first', 'due last first'],
} as const

/** /admin/progress: how far each article is, and changes of several at once. */
export function ProgressScreen() {
  const { timeZone } = useNames()
  const progress = useProgress()
  const place = useAddress(PROGRESS_ADDRESS)
  const { search: name, clientIds, state, due, sort } = place
  const list = useList({
    key: ['articles', 'progress', state, due],
    address: place,
    failure: 'Error retrieving articles',
    load: ({ page, limit }, abandoned) =>
      progress.list({ name, clientIds, state, due, sort, page, limit }, abandoned),
    rowKey: ({ id }) => id,
  })
  const { answer } = list
  const selecting = useSelection(filterKey(place), list.rows ?? [])
  const headBox = useRef<HTMLInputElement>(null)
  const now = useNow(A_MINUTE_MS)
  const dates = useDates()
  const today = answer?.today ?? dayIn(timeZone, now)
  return (
    <ListPage
      title="Progress"
      cardTitle="Articles"
      lead={useLead(answer?.asOf, dates)}
      searchPlaceholder="Article name"
      searchWidth={260}
      filter={<Filters place={place} />}
      place={place}
      list={list}
      columns={columns({ selecting, headBox, now, today, dates })}
      rowWords={['article', 'articles']}
      orders={ORDERS}
      unsorted="most at risk first"
      empty="No articles yet"
      nothingMatches="Nothing matches this search"
      isBare
      tall
      isPicked={({ id }) => selecting.has(id)}
      footWords={(words) => withCount(words, answer?.countedAt, dates)}
      afterRows={
        selecting.articles.length > 0 && (
          <SelectionBar
            selecting={selecting}
            total={list.total}
            gather={() => gatherArticles(progress.list, { name, clientIds, state, due })}
            after={headBox}
          />
        )
      }
    >
      {selecting.articles.length > 0 && <div className={classes.room} />}
    </ListPage>
  )
}

function useLead(asOf: string | undefined, dates: Dates): string {
  const isOffline = useOffline()
  if (asOf === undefined) return 'Words still on somebody’s computer are not in it.'
  const at = dates.time(asOf)
  return isOffline
    ? `You’re offline. This is from ${at}.`
    : `As the agency has it at ${at}. Words still on somebody’s computer are not in it.`
}

const withCount = (words: string, countedAt: string | null | undefined, dates: Dates): string =>
  countedAt ? `${words}. Counted at ${dates.time(countedAt)}.` : words

function Filters({ place }: { place: ProgressPlace }) {
  return (
    <>
      <FilterByClient {...place} width={300} />
      <NativeSelect
        w={170}
        label="State"
        value={place.state ?? ''}
        data={[{ value: '', label: 'All states' }, ...optionsOf(STATE_NAMES)]}
        onChange={({ currentTarget: { value } }) =>
          place.show({ state: readKey(value, STATE_NAMES) })
        }
      />
      <NativeSelect
        w={170}
        label="Due"
        value={place.due ?? ''}
        data={[{ value: '', label: 'Any time' }, ...optionsOf(DUE_NAMES)]}
        onChange={({ currentTarget: { value } }) => place.show({ due: readKey(value, DUE_NAMES) })}
      />
    </>
  )
}

const optionsOf = (names: Record<string, string>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }))
