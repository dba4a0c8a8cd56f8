import { UnstyledButton } from '@mantine/core'
import {
  ChevronDown,
  ChevronRight,
  CircleAlert,
  CirclePlus,
  type LucideIcon,
  PenLine,
  TriangleAlert,
} from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { useDates } from '../../../app/use-dates.ts'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { EmptyPlace } from '../../../ui/lists/empty-place.tsx'
import { figure } from '../../../ui/words/figure.ts'
import { type Counts, type Entry, GROUPS, type Group, groupOf } from './check-entries.ts'
import classes from './check-step.module.css'
import {
  detailLines,
  dueDay,
  dueRemark,
  faultLine,
  GROUP_NAMES,
  happeningOf,
  type Tone,
} from './check-words.ts'

type CheckTableProps = {
  labelledBy: string
  entries: readonly Entry[]
  counts: Counts
  /** Null: all of them. */
  shown: Group | null
  /** The agency's day. */
  today: string
  refreshing: boolean
}

/** The articles by what happens to them, those that cannot be done first. Rows unfold. */
export function CheckTable(props: CheckTableProps) {
  const { entries, counts, shown, today } = props
  const id = useId()
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(
    () =>
      GROUPS.filter((group) => shown === null || group === shown).flatMap((group) =>
        entries.filter((entry) => groupOf(entry) === group),
      ),
    [entries, shown],
  )

  function toggle(key: string) {
    const next = new Set(unfolded)
    if (!next.delete(key)) next.add(key)
    setUnfolded(next)
  }

  return (
    <DataTable
      labelledBy={props.labelledBy}
      columns={columns({
        today,
        hasYears: entries.some(isOfAnotherYear(today)),
        hasRemarks: entries.some((entry) => dueRemark(entry, today) !== null),
        isUnfolded: (key) => unfolded.has(key),
        onToggle: toggle,
        idOf: (key) => id + key,
      })}
      rows={rows}
      rowKey={keyOf}
      groupOf={groupOf}
      groupHead={(group) => <GroupHead group={group as Group} counts={counts} />}
      detailsOf={(entry) =>
        unfolded.has(keyOf(entry))
          ? { id: id + keyOf(entry), content: <Details entry={entry} today={today} /> }
          : null
      }
      pageSize={0}
      sort={null}
      onSort={() => {}}
      refreshing={props.refreshing}
      instead={rows.length === 0 && <EmptyPlace line="No articles here" />}
    />
  )
}

const isOfAnotherYear = (today: string) => (entry: Entry) => {
  const day = dueDay(entry)
  return day !== null && day.slice(0, 4) !== today.slice(0, 4)
}

/** An article is its first row, which is of no other one. */
const keyOf = ({ read }: Entry): string => String(read.rows[0])

const GroupHead = ({ group, counts }: { group: Group; counts: Counts }) => (
  <>
    {GROUP_NAMES[group]}
    <span className={classes.groupCount}>{figure(counts[group])}</span>
  </>
)

type ColumnsOf = {
  today: string
  /** A date is of another year, which is written then. */
  hasYears: boolean
  /** Something is said beside a date. */
  hasRemarks: boolean
  isUnfolded: (key: string) => boolean
  onToggle: (key: string) => void
  idOf: (key: string) => string
}

const columns = ({
  today,
  hasYears,
  hasRemarks,
  isUnfolded,
  onToggle,
  idOf,
}: ColumnsOf): Column<Entry, never>[] => [
  {
    head: 'Article',
    cell: (entry) => {
      const key = keyOf(entry)
      const { name } = entry.read
      const isOpen = isUnfolded(key)
      const Chevron = isOpen ? ChevronDown : ChevronRight
      return (
        <span className={classes.name}>
          <UnstyledButton
            className={classes.fold}
            aria-label={`Details of ${name || 'an article without a name'}`}
            aria-expanded={isOpen}
            aria-controls={isOpen ? idOf(key) : undefined}
            onClick={() => onToggle(key)}
          >
            <Chevron size={15} strokeWidth={1.8} aria-hidden="true" />
          </UnstyledButton>
          <span className={classes.text} title={name}>
            {name}
          </span>
        </span>
      )
    },
  },
  {
    head: 'Client',
    width: '18.5%',
    cell: ({ read, outcome }) => {
      const name = (outcome ? outcome.clientName : read.client) ?? ''
      return <span title={name}>{name}</span>
    },
  },
  {
    head: 'Minimum',
    width: '90px',
    end: true,
    cell: ({ outcome }) => outcome && figure(outcome.wordMinimum),
  },
  {
    head: 'Due',
    width: `${(hasYears ? 112 : 84) + (hasRemarks ? 84 : 0)}px`,
    cell: (entry) => <Due entry={entry} today={today} />,
  },
  {
    head: 'Entities',
    width: '82px',
    end: true,
    cell: ({ read, outcome }) => figure(outcome?.entities ?? read.entities),
  },
  { head: 'What happens', width: '280px', cell: (entry) => <What entry={entry} today={today} /> },
]

/** The format of days in the cells of the table. */
function useNameDay(today: string) {
  const { shortDay } = useDates()
  return (day: string) => shortDay(day, today)
}

function Due({ entry, today }: { entry: Entry; today: string }) {
  const nameDay = useNameDay(today)
  const day = dueDay(entry)
  if (day === null) return null
  const remark = dueRemark(entry, today)
  return (
    <>
      <time dateTime={day}>{nameDay(day)}</time>
      {remark && <span className={classes.remark}> {remark}</span>}
    </>
  )
}

const ICONS: Record<Tone, LucideIcon | null> = {
  cannot: CircleAlert,
  loses: TriangleAlert,
  changed: PenLine,
  new: CirclePlus,
  same: null,
}

function What({ entry, today }: { entry: Entry; today: string }) {
  const { text, tone } = happeningOf(entry, useNameDay(today))
  const Icon = ICONS[tone]
  return (
    <span className={classes.what} data-tone={tone} title={text}>
      {Icon && <Icon size={15} strokeWidth={1.7} aria-hidden="true" />}
      <span className={classes.text}>{text}</span>
    </span>
  )
}

function Details({ entry, today }: { entry: Entry; today: string }) {
  const nameDay = useNameDay(today)
  const { faults } = entry.read
  if (faults.length > 0) {
    return (
      <ul className={classes.faults} aria-label={`Cells to fix of ${entry.read.name}`}>
        {faults.map((fault) => {
          const { place, label, value, is } = faultLine(fault)
          return (
            <li key={`${place} ${label} ${is}`}>
              <span className={classes.place}>{place}</span>
              <span className={classes.place} dir="auto">
                {label}
              </span>
              <span dir="auto" title={fault.value}>
                {value}
              </span>
              <span>{is}</span>
            </li>
          )
        })}
      </ul>
    )
  }
  return (
    <ul className={classes.lines}>
      {detailLines(entry, nameDay).map((line) => (
        <li key={line} dir="auto">
          {line}
        </li>
      ))}
    </ul>
  )
}
