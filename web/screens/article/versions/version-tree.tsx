import { UnstyledButton } from '@mantine/core'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, memo, useCallback, useMemo, useRef, useState } from 'react'
import { relativeDay } from '../../../../domain/calendar/moments.ts'
import type { Version } from '../../../../sync/history/versions.ts'
import { useNow } from '../../../app/app-context.tsx'
import { useDates } from '../../../app/use-dates.ts'
import { useSteadyList } from '../../../ui/lists/use-steady-list.ts'
import { counted, wordsOf } from '../../../ui/words/figure.ts'
import { byDay } from './by-day.ts'
import { MarkLine } from './mark-line.tsx'
import { authorWords, handInMark, marksOf, shownMarks, spanWords } from './sitting-words.ts'
import { useChangedWords } from './use-changed-words.ts'
import { useShownRows } from './use-shown-rows.ts'
import type { VersionsPage } from './use-versions.ts'
import { keyOf, type Row, rowsOf, type Sitting, startOf } from './version-rows.ts'
import classes from './version-tree.module.css'
import { keptBy, kindOf, timeIn } from './version-words.ts'

const A_MINUTE_MS = 60_000

/** The versions by sittings. One tab stop for the whole tree; the arrow keys move in it, fold and unfold. */
export function VersionTree({ page }: { page: VersionsPage }) {
  const { selected, select } = page
  const tree = useRef<HTMLDivElement>(null)
  const now = useNow(A_MINUTE_MS)
  const dates = useDates()
  const { list, handlers } = useSteadyList(page.list)
  const { rows, unfold } = useRows(list, selected?.key)
  const { shown, showMore, goToEnd } = useShownRows(rows, () =>
    itemsIn(tree.current).at(-1)?.focus(),
  )
  const changes = useChangedWords(shown)
  if (list?.length === 0) return <p className={classes.none}>No earlier versions yet.</p>
  const days = byDay(
    shown,
    ({ sitting }) => startOf(sitting).at,
    (at) => relativeDay(at, now, dates),
  )
  const tabStop = (shown.find(({ key }) => key === selected?.key) ?? shown[0])?.key

  function handleKeyDown(event: KeyboardEvent) {
    const items = itemsIn(tree.current)
    const index = items.indexOf(event.target as HTMLElement)
    const row = shown[index]
    if (!row || !MOVES.has(event.key) || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    if (event.key === 'End') goToEnd()
    else if (event.key === 'ArrowRight' && row.kind === 'sitting' && !row.isOpen)
      unfold(row.sitting, true)
    else if (event.key === 'ArrowLeft' && row.kind === 'sitting') unfold(row.sitting, false)
    else items[nextPlace(event.key, index, shown)]?.focus()
  }

  return (
    <div
      ref={tree}
      className={classes.list}
      role="tree"
      aria-label="Earlier versions"
      onKeyDown={handleKeyDown}
      onScroll={({ currentTarget }) => isNearEnd(currentTarget) && showMore()}
      {...handlers}
    >
      {days.map(([day, ofDay]) => (
        // biome-ignore lint/a11y/useSemanticElements: a tree has groups and no field sets
        <div key={day} role="group" aria-label={day}>
          <div className={classes.day} aria-hidden="true">
            {day}
          </div>
          {ofDay.map((row) => {
            const change = changes.get(row.key)
            const common = {
              changed: change?.shown,
              changedRead: change?.read,
              tabIndex: row.key === tabStop ? 0 : -1,
            }
            return row.kind === 'sitting' ? (
              <SittingRow key={row.key} {...{ row, day, unfold, ...common }} />
            ) : (
              <VersionRow
                key={row.key}
                {...{ row, select, ...common }}
                isSelected={row.key === selected?.key}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}

/** The newest sitting is unfolded until it is folded; that of the selected version always is. */
function useRows(list: readonly Version[] | null, selectedKey: string | undefined) {
  const [unfolded, setUnfolded] = useState<ReadonlyMap<string, boolean>>(new Map())
  const isSelected = useCallback(
    (sitting: Sitting) => sitting.some(({ key }) => key === selectedKey),
    [selectedKey],
  )
  const rows = useMemo(
    () =>
      rowsOf(
        list ?? [],
        (sitting, isNewest) => isSelected(sitting) || (unfolded.get(keyOf(sitting)) ?? isNewest),
      ),
    [list, isSelected, unfolded],
  )
  const unfold = useCallback(
    (sitting: Sitting, isOpen: boolean) => {
      if (isSelected(sitting)) return
      setUnfolded((others) => new Map(others).set(keyOf(sitting), isOpen))
    },
    [isSelected],
  )
  return { rows, unfold }
}

const itemsIn = (tree: HTMLElement | null): HTMLElement[] => [
  ...(tree?.querySelectorAll<HTMLElement>('[role=treeitem]') ?? []),
]

const isNearEnd = ({ scrollTop, clientHeight, scrollHeight }: HTMLElement): boolean =>
  scrollHeight - scrollTop - clientHeight < clientHeight

const MOVES = new Set(['ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowLeft', 'Home', 'End'])

/** The place of the row to which a key leads. */
function nextPlace(key: string, index: number, rows: readonly Row[]): number {
  const row = rows[index]
  if (key === 'Home') return 0
  if (key === 'ArrowDown') return index + 1
  if (key === 'ArrowUp') return index - 1
  if (key === 'ArrowRight') return row?.kind === 'sitting' ? index + 1 : index
  return rows.findIndex(({ sitting }) => sitting === row?.sitting)
}

/** They are compared by value: of thousands of rows only those that differ are rendered again. */
type RowProps = {
  changed: string | undefined
  changedRead: string | undefined
  tabIndex: number
}

type SittingRowProps = RowProps & {
  row: Row & { kind: 'sitting' }
  day: string
  unfold: (sitting: Sitting, isOpen: boolean) => void
}

/** A sitting of several versions. A click folds or unfolds it, and shows no version. */
const SittingRow = memo(function SittingRow(props: SittingRowProps) {
  const { row, day, changed, changedRead, tabIndex, unfold } = props
  const { sitting, version, isOpen } = row
  const dates = useDates()
  const span = spanWords({ from: startOf(sitting).at, to: version.at }, dates)
  const authors = authorWords(sitting.map(({ server }) => server?.author ?? null))
  const by = authors.shown === '' ? ON_THIS_COMPUTER : authors
  const versions = counted(sitting.length, 'version')
  const isCurrent = !isOpen && sitting.some(({ isPresent }) => isPresent)
  const marks = isOpen ? [] : marksOf(sitting)
  const Chevron = isOpen ? ChevronDown : ChevronRight
  const name = [
    day,
    span.read,
    ...(isCurrent ? ['current'] : []),
    by.read,
    versions,
    wordsOf(version.words),
    ...(changedRead ? [changedRead] : []),
    ...marks.map(({ words }) => words.charAt(0).toLowerCase() + words.slice(1)),
  ]
  return (
    <UnstyledButton
      className={classes.row}
      role="treeitem"
      aria-label={name.join(', ')}
      aria-level={1}
      aria-expanded={isOpen}
      tabIndex={tabIndex}
      onClick={() => unfold(sitting, !isOpen)}
    >
      <Chevron className={classes.chevron} size={15} strokeWidth={1.7} aria-hidden />
      <span>
        <span className={classes.time}>{span.shown}</span>{' '}
        {isCurrent && <span className={classes.kind}>Current</span>}
      </span>
      <span className={classes.words}>{wordsOf(version.words)}</span>
      <span>
        <bdi>{by.shown}</bdi> · {versions}
      </span>
      {changed && <span className={classes.words}>{changed}</span>}
      {shownMarks(marks).map((mark) => (
        <MarkLine key={mark.words} {...mark} />
      ))}
    </UnstyledButton>
  )
})

const ON_THIS_COMPUTER = { shown: 'This computer', read: 'This computer' }

type VersionRowProps = RowProps & {
  row: Row & { kind: 'version' }
  isSelected: boolean
  select: (version: Version) => void
}

const VersionRow = memo(function VersionRow(props: VersionRowProps) {
  const { row, changed, changedRead, isSelected, tabIndex, select } = props
  const { version, sitting, level } = row
  const dates = useDates()
  const handIn = version.server?.handIn ?? null
  return (
    <UnstyledButton
      className={classes.row}
      role="treeitem"
      aria-level={level}
      aria-selected={isSelected}
      tabIndex={tabIndex}
      onClick={() => select(version)}
    >
      <span>
        <span className={classes.time}>{timeIn(sitting, version, dates)}</span>{' '}
        <span className={classes.kind}>{kindOf(version)}</span>
      </span>
      <span className={classes.words}>{wordsOf(version.words)}</span>
      <span dir="auto">{keptBy(version)}</span>
      {changed && (
        <span className={classes.words}>
          <span aria-hidden="true">{changed}</span>
          <span className="visually-hidden">, {changedRead}</span>
        </span>
      )}
      {handIn !== null && <MarkLine {...handInMark(handIn)} />}
    </UnstyledButton>
  )
})
