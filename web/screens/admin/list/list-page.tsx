import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Navigate } from 'react-router-dom'
import { usePageTitle } from '../../../app/app-context.tsx'
import type { Column } from '../../../ui/lists/data-table.tsx'
import {
  ListCard,
  type ListState,
  type Loaded,
  type RowWords,
  type TableExtras,
} from '../../../ui/lists/list-card.tsx'
import { SearchBox } from '../../../ui/lists/search-box.tsx'
import type { ListAddress } from './list-address.ts'
import classes from './list-page.module.css'
import { useListLoaded } from './use-list.ts'
import type { ListPlace } from './use-list-address.ts'

type ListPageProps<Row, Field extends string> = {
  title: string
  /** Above the table, when it is another one than the page's. */
  cardTitle?: string
  /** A few sentences below the title. */
  lead?: string
  /** Without it the list is not searched. */
  searchPlaceholder?: string
  /** Pixels. */
  searchWidth?: number
  /** Placed next to the search, or in its place. */
  filter?: ReactNode
  create?: { label: string; onClick: () => void }
  /** Before `create`, or in its place. */
  action?: ReactNode
  place: Omit<ListPlace<ListAddress<Field>>, 'show'>
  list: ListState<Row>
  columns: readonly Column<Row, Field>[]
  /** Rows of one group follow each other, below a row with its name. */
  groupOf?: (row: Row) => string
  /** Rows created on this screen. Shown above the page of the list unless they are on it. */
  made?: readonly Row[]
  /** What the rows are called. */
  rowWords: RowWords
  /** How the list is ordered by each field, up and down; by none it is `unsorted`. */
  orders?: Record<Field, readonly [up: string, down: string]>
  unsorted?: string
  /** Said when there is nothing at all. */
  empty: string
  /** Said when nothing is left by search and filters. */
  nothingMatches?: string
  /** What only some tables have. */
  table?: TableExtras<Row>
  /** The dialogs of the page. */
  children?: ReactNode
}

/** The shape of every list of the agency: title, search, table. */
export function ListPage<Row, Field extends string>(props: ListPageProps<Row, Field>) {
  const { title, lead, searchPlaceholder, place, list, create } = props
  usePageTitle(title)
  useListLoaded(list)
  const { isFiltered } = place
  const { nothingMatches = NOTHING_MATCHES[isFiltered ? 'filters' : 'search'] } = props
  const isNarrowed = searchPlaceholder !== undefined && (isFiltered || place.search !== '')
  return (
    <div className={classes.page}>
      {isBeyond(list) && <Navigate replace to={place.pageAddress(lastPage(list))} />}
      <Title order={1}>{title}</Title>
      {lead !== undefined && <p className={classes.lead}>{lead}</p>}
      {(searchPlaceholder !== undefined || props.filter) && (
        <div className={classes.filters}>
          {searchPlaceholder !== undefined && (
            <SearchBox
              label="Search"
              placeholder={searchPlaceholder}
              width={props.searchWidth}
              value={place.search}
              onSearch={place.onSearch}
            />
          )}
          {props.filter}
        </div>
      )}
      <ListCard
        title={props.cardTitle ?? title}
        {...(create && { create })}
        action={props.action}
        {...(props.groupOf && { groupOf: props.groupOf })}
        list={list}
        columns={props.columns}
        sort={place.sort}
        onSort={place.onSort}
        onPage={place.onPage}
        {...(props.made && { made: props.made })}
        rowWords={props.rowWords}
        order={orderWords(place.sort, props)}
        empty={isNarrowed ? nothingMatches : props.empty}
        {...(isFiltered && { onShowAll: place.onShowAll })}
        {...props.table}
      />
      {props.children}
    </div>
  )
}

const NOTHING_MATCHES = {
  search: 'Nothing matches this search',
  filters: 'Nothing matches these filters',
}

function orderWords<Field extends string>(
  sort: ListAddress<Field>['sort'],
  { orders, unsorted = 'oldest first' }: Pick<ListPageProps<never, Field>, 'orders' | 'unsorted'>,
): string {
  if (sort === null || orders === undefined) return unsorted
  const [up, down] = orders[sort.field]
  return sort.direction === 'asc' ? up : down
}

/** The last row of the last page was deleted, or the address names a page that never was. */
function isBeyond({ rows, rowsPage, refreshing }: Loaded): boolean {
  return !refreshing && rows?.length === 0 && rowsPage > 1
}

const lastPage = ({ total, pageSize }: Loaded): number => Math.max(1, Math.ceil(total / pageSize))
