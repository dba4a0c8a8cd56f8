import { Select } from '@mantine/core'
import { useMemo } from 'react'
import { initials } from '../../../../domain/access/session.ts'
import type { Dates } from '../../../../domain/calendar/dates.ts'
import { dayHead } from '../../../../domain/calendar/moments.ts'
import { actorName } from '../../../../domain/log-words.ts'
import type { LogKind } from '../../../../domain/wire/log.ts'
import { useNow, useSend } from '../../../app/app-context.tsx'
import { useDates } from '../../../app/use-dates.ts'
import { createReadLog } from '../../../remote/log.ts'
import { COMBOBOX_PROPS } from '../../../ui/lists/combobox.ts'
import type { Column } from '../../../ui/lists/data-table.tsx'
import { InitialsCircle } from '../../../ui/people/initials-circle.tsx'
import { ListPage } from '../list/list-page.tsx'
import { useList } from '../list/use-list.ts'
import { useAddress } from '../list/use-list-address.ts'
import { LOG_ADDRESS, type LogPlace } from './log-address.ts'
import { KIND_NAMES } from './log-kinds.ts'
import { type LogRow, rowsOf } from './log-rows.ts'
import classes from './log-screen.module.css'
import { PersonFilter } from './person-filter.tsx'
import { SaveLog } from './save-log.tsx'
import { ListSentence, Sentence } from './sentence.tsx'
import { useUnfolded } from './use-unfolded.ts'

const A_MINUTE_MS = 60_000

/** /admin/log: what happened in the agency, newest first. */
export function LogScreen() {
  const send = useSend()
  const readLog = useMemo(() => createReadLog(send), [send])
  const place = useAddress(LOG_ADDRESS)
  const { search: name, userId, kind } = place
  const list = useList({
    key: ['log', userId, kind],
    address: place,
    failure: 'Error retrieving the log',
    async load({ page, limit }, abandoned) {
      // With a filter by name or kind, the line of a list would count entries that the filter excludes.
      const folded = name === '' && kind === undefined
      const answer = await readLog({ name, userId, kind, folded, page, limit }, abandoned)
      return { ...answer, isFolded: folded }
    },
    rowKey: ({ id }) => id,
  })
  const now = useNow(A_MINUTE_MS)
  const dates = useDates()
  const { unfolded, toggle } = useUnfolded(readLog)
  const rows = useMemo(
    () =>
      list.answer &&
      rowsOf(list.rows ?? [], {
        isFolded: list.answer.isFolded,
        foldedInto: ({ id }) => unfolded.get(id) ?? null,
      }),
    [list.answer, list.rows, unfolded],
  )

  return (
    <ListPage
      title="Log"
      cardTitle="What happened"
      searchPlaceholder="Article name"
      filter={
        <>
          <PersonFilter place={place} rows={list.rows} />
          <KindFilter place={place} />
        </>
      }
      action={
        <SaveLog readLog={readLog} filter={{ name, userId, kind }} disabled={list.total === 0} />
      }
      place={place}
      list={{ ...list, rows, rowKey: ({ key }) => key }}
      columns={columns({ now, dates, toggle })}
      groupOf={({ entry: { at } }) => dayHead(at, now, dates)}
      rowWords={['entry', 'entries']}
      unsorted="newest first"
      empty="Nothing has happened yet"
    />
  )
}

function KindFilter({ place }: { place: LogPlace }) {
  return (
    <Select
      w={240}
      label="Kind"
      placeholder="Everything"
      data={Object.entries(KIND_NAMES).map(([value, label]) => ({ value, label }))}
      value={place.kind ?? null}
      onChange={(kind) => place.show({ kind: (kind as LogKind | null) ?? undefined })}
      clearable
      clearButtonProps={{ 'aria-label': 'Show every kind', 'aria-hidden': false, tabIndex: 0 }}
      checkIconPosition="right"
      maxDropdownHeight={380}
      comboboxProps={COMBOBOX_PROPS}
    />
  )
}

type ColumnsOf = { now: number; dates: Dates; toggle: (entryId: string) => void }

const columns = ({ now, dates, toggle }: ColumnsOf): Column<LogRow, never>[] => [
  {
    head: 'Time',
    width: '92px',
    cell: ({ entry: { at } }) => (
      <time className={classes.time} dateTime={at}>
        {dates.time(at)}
      </time>
    ),
  },
  {
    head: 'Who',
    width: '210px',
    cell: ({ entry }) => {
      const name = actorName(entry)
      return (
        <span className={classes.who} title={name}>
          <InitialsCircle initials={initials(name)} size={26} />
          <span className={classes.name}>{name}</span>
        </span>
      )
    },
  },
  {
    head: 'What',
    cell: ({ entry, fold }) =>
      fold !== null && entry.list ? (
        <ListSentence
          list={entry.list}
          isOpen={fold === 'open'}
          onToggle={() => toggle(entry.id)}
        />
      ) : (
        <Sentence entry={entry} now={now} />
      ),
  },
]
