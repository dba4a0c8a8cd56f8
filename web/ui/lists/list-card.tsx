import { Button, Title } from '@mantine/core'
import { Plus } from 'lucide-react'
import { type ReactNode, type RefObject, useId, useRef } from 'react'
import { SteadyButton } from '../buttons/steady-button.tsx'
import { useFocusFallback } from '../focus-fallback.ts'
import { figure } from '../words/figure.ts'
import { type Column, DataTable, type RowHandlers, type TableSort } from './data-table.tsx'
import { EmptyPlace } from './empty-place.tsx'
import classes from './list-card.module.css'
import { Pager } from './pager.tsx'

/** One page of a list that the server pages. */
export type ListState<Row> = {
  /** Undefined until the first rows came. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  /** For the element around the rows. */
  rowHandlers?: RowHandlers
  total: number
  /** The one that was asked for, counted from 1. */
  page: number
  /** The one that the rows are of: while another one is on its way, the one before. */
  rowsPage: number
  /** Whether the rows are in the order that was requested. While those are loading they are in the previous one. */
  isInOrder: boolean
  pageSize: number
  refreshing: boolean
  /** Nothing could be loaded and there is nothing to show. */
  failed: boolean
  onRetry: () => void
}

/** What of the state does not depend on what its rows are. */
export type Loaded = Omit<ListState<unknown>, 'rowKey'>

export type ListCardProps<Row, Field extends string> = {
  title: string
  /** The button for a new row. */
  create?: { label: string; onClick: () => void }
  /** Before `create`, or in its place. */
  action?: ReactNode
  list: ListState<Row>
  columns: readonly Column<Row, Field>[]
  /** Rows of one group follow each other, below a row with its name. */
  groupOf?: (row: Row) => string
  sort: TableSort<Field>
  onSort: (field: Field) => void
  onPage: (page: number) => void
  /** Rows created on this screen. Those not on this page are shown above it and not counted in its foot. */
  made?: readonly Row[]
  rowWords: RowWords
  /** In words, as the foot says it: 'by name'; empty where it is not said. */
  order: string
  /** Said when there are no rows. */
  empty: string
  /** Takes the filters away that leave no rows. */
  onShowAll?: () => void
  /** Without title and buttons: the title only names the table. */
  isBare?: boolean
  tall?: boolean
  isPicked?: (row: Row) => boolean
  /** A last row, with a cell for each column. */
  total?: ReactNode
  /** In the order of Tab between the rows and the pages. */
  afterRows?: ReactNode
  /** The words of the foot, from those that every list has; both are empty while nothing is known. */
  footWords?: (words: string) => string
  /** At the right end of the foot. */
  footEnd?: ReactNode
}

/** What the rows are called, one and several of them. */
type RowWords = readonly [one: string, several: string]

/** A table on its card: title and button above, the count and the pages below. */
export function ListCard<Row, Field extends string>(props: ListCardProps<Row, Field>) {
  const { title, create, list, made = [] } = props
  const { rowKey } = list
  const [buttons, heading] = [useRef<HTMLDivElement>(null), useRef<HTMLHeadingElement>(null)]
  const head = create && !props.isBare ? buttons : heading
  const headingId = useId()
  const isMade = new Set(made.map(rowKey))
  const isOnPage = new Set(list.rows?.map(rowKey))
  const above = made.filter((row) => !isOnPage.has(rowKey(row)))
  return (
    <section className={classes.card} aria-labelledby={headingId}>
      <div className={props.isBare ? 'visually-hidden' : classes.head} ref={buttons}>
        <Title order={2} id={headingId} ref={heading} tabIndex={-1} className={classes.title}>
          {title}
        </Title>
        <div className={classes.buttons}>
          {props.action}
          {create && (
            <Button
              leftSection={<Plus size={16} strokeWidth={1.8} aria-hidden="true" />}
              className={classes.create ?? ''}
              onClick={create.onClick}
            >
              {create.label}
            </Button>
          )}
        </div>
      </div>
      <DataTable
        labelledBy={headingId}
        columns={props.columns}
        rows={list.rows && [...above, ...list.rows]}
        rowKey={rowKey}
        rowHandlers={list.rowHandlers}
        {...(props.groupOf && { groupOf: props.groupOf })}
        isNew={(row) => isMade.has(rowKey(row))}
        isPicked={props.isPicked}
        tall={props.tall ?? false}
        isTopmost={props.isBare ?? false}
        total={props.total}
        pageSize={list.pageSize}
        sort={props.sort}
        onSort={props.onSort}
        refreshing={list.refreshing && list.rows !== undefined}
        instead={above.length > 0 ? null : insteadOfRows(props, head)}
        focusFallback={head}
      />
      {props.afterRows}
      <Foot {...props} />
    </section>
  )
}

function insteadOfRows<Row, Field extends string>(
  { list, rowWords, empty, onShowAll }: ListCardProps<Row, Field>,
  head: RefObject<HTMLElement | null>,
) {
  if (list.failed) return <Failed list={list} rowWords={rowWords} head={head} />
  if (list.rows?.length !== 0) return null
  return (
    <EmptyPlace line={empty}>
      {onShowAll && (
        <Button variant="default" onClick={onShowAll}>
          Show all
        </Button>
      )}
    </EmptyPlace>
  )
}

type FailedProps = {
  list: Loaded
  rowWords: RowWords
  head: RefObject<HTMLElement | null>
}

/** The button keeps the focus while the list is asked for again, and hands it on when the rows come. */
function Failed({ list, rowWords: [, several], head }: FailedProps) {
  return (
    <EmptyPlace line={`Couldn’t load ${several}.`} failed>
      <SteadyButton
        variant="default"
        ref={useFocusFallback(head)}
        loading={list.refreshing}
        onClick={list.onRetry}
      >
        Try again
      </SteadyButton>
    </EmptyPlace>
  )
}

type FootProps = {
  title: string
  list: Loaded
  rowWords: RowWords
  order: string
  onPage: (page: number) => void
} & Pick<ListCardProps<never, never>, 'footWords' | 'footEnd'>

const asTheyAre = (words: string) => words

function Foot({ title, list, rowWords, order, onPage, ...props }: FootProps) {
  const { footWords = asTheyAre, footEnd } = props
  const { rows, total, page, pageSize } = list
  const pages = Math.max(page, Math.ceil(total / pageSize))
  const unknown = list.failed ? '' : 'Loading…'
  return (
    <div className={classes.foot}>
      <span role="status">
        {rows
          ? footWords(
              `${shownRows(list, rowWords)}${list.total > 1 && list.isInOrder && order !== '' ? `, ${order}` : ''}`,
            )
          : unknown}
      </span>
      {footEnd}
      {pages > 1 && <Pager label={title} page={page} pages={pages} onChange={onPage} />}
    </div>
  )
}

function shownRows(
  { rows = [], total, rowsPage, pageSize }: Loaded,
  [one, several]: RowWords,
): string {
  if (total <= pageSize) return `${total} ${total === 1 ? one : several}`
  const first = (rowsPage - 1) * pageSize + 1
  return `${figure(first)}–${figure(first + rows.length - 1)} of ${figure(total)}`
}
