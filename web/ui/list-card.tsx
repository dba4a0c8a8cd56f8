import { Button, Title } from '@mantine/core'
import { Plus } from 'lucide-react'
import { type RefObject, useId, useRef } from 'react'
import { type Column, DataTable, type TableSort } from './data-table.tsx'
import { EmptyPlace } from './empty-place.tsx'
import { useFocusHeir } from './focus-heir.ts'
import classes from './list-card.module.css'
import { Pager } from './pager.tsx'
import { SteadyButton } from './steady-button.tsx'

/** One page of a list that the server pages. */
export type ListState<Row> = {
  /** Undefined until the first rows came. */
  rows: readonly Row[] | undefined
  total: number
  /** The one that was asked for, counted from 1. */
  page: number
  /** The one that the rows are of: while another one is on its way, the one before. */
  rowsPage: number
  pageSize: number
  refreshing: boolean
  /** Nothing could be loaded and there is nothing to show. */
  failed: boolean
  onRetry: () => void
}

type ListCardProps<Row, Field extends string> = {
  title: string
  /** The button for a new row. */
  create?: { label: string; onClick: () => void }
  list: ListState<Row>
  columns: readonly Column<Row, Field>[]
  rowKey: (row: Row) => string
  sort: TableSort<Field>
  onSort: (field: Field) => void
  onPage: (page: number) => void
  /** Said when there are no rows. */
  empty: string
}

/** A table on its card: title and button above, the count and the pages below. */
export function ListCard<Row, Field extends string>(props: ListCardProps<Row, Field>) {
  const { title, create, list } = props
  const heading = useRef<HTMLHeadingElement>(null)
  const headingId = useId()
  return (
    <section className={classes.card} aria-labelledby={headingId}>
      <div className={classes.head}>
        <Title order={2} id={headingId} ref={heading} tabIndex={-1} className={classes.title}>
          {title}
        </Title>
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
      <DataTable
        labelledBy={headingId}
        columns={props.columns}
        rows={list.rows}
        rowKey={props.rowKey}
        pageSize={list.pageSize}
        sort={props.sort}
        onSort={props.onSort}
        refreshing={list.refreshing && list.rows !== undefined}
        instead={insteadOfRows(list, props.empty, heading)}
        focusHeir={heading}
      />
      <Foot title={title} list={list} onPage={props.onPage} />
    </section>
  )
}

function insteadOfRows<Row>(
  list: ListState<Row>,
  empty: string,
  heading: RefObject<HTMLElement | null>,
) {
  if (list.failed) return <Failed list={list} heading={heading} />
  if (list.rows?.length !== 0) return null
  return <EmptyPlace line={empty} />
}

type FailedProps = { list: ListState<unknown>; heading: RefObject<HTMLElement | null> }

/** The button keeps the focus while the list is asked for again, and hands it on when the rows come. */
function Failed({ list, heading }: FailedProps) {
  return (
    <EmptyPlace line="The list could not be loaded." failed>
      <SteadyButton
        variant="default"
        ref={useFocusHeir(heading)}
        loading={list.refreshing}
        onClick={list.onRetry}
      >
        Try again
      </SteadyButton>
    </EmptyPlace>
  )
}

type FootProps = { title: string; list: ListState<unknown>; onPage: (page: number) => void }

function Foot({ title, list, onPage }: FootProps) {
  const { rows, total, page, pageSize } = list
  const pages = Math.max(1, Math.ceil(total / pageSize))
  return (
    <div className={classes.foot}>
      <span role="status">{rows ? shownRange(list) : list.failed ? '' : 'Loading…'}</span>
      <div inert={rows === undefined} className={classes.pages}>
        <Pager label={title} page={page} pages={Math.max(page, pages)} onChange={onPage} />
      </div>
    </div>
  )
}

function shownRange({ rows = [], total, rowsPage, pageSize }: ListState<unknown>): string {
  if (rows.length === 0) return '0 of 0'
  const first = (rowsPage - 1) * pageSize + 1
  return `${first}–${first + rows.length - 1} of ${total}`
}
