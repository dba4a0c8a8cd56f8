import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Navigate } from 'react-router-dom'
import { usePageTitle } from '../../../app/app-context.tsx'
import { ListCard, type ListCardProps, type Loaded } from '../../../ui/lists/list-card.tsx'
import { SearchBox } from '../../../ui/lists/search-box.tsx'
import type { ListAddress } from './list-address.ts'
import classes from './list-page.module.css'
import { useListLoaded } from './use-list.ts'
import type { ListPlace } from './use-list-address.ts'

type ListPageProps<Row, Field extends string> = Omit<
  ListCardProps<Row, Field>,
  'sort' | 'onSort' | 'onPage' | 'order' | 'onShowAll'
> & {
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
  place: Omit<ListPlace<ListAddress<Field>>, 'show'>
  /** How the list is ordered by each field, up and down; by none it is `unsorted`. */
  orders?: Record<Field, readonly [up: string, down: string]>
  unsorted?: string
  /** Said when nothing is left by search and filters. */
  nothingMatches?: string
  /** The dialogs of the page. */
  children?: ReactNode
}

/** The shape of every list of the agency: title, search, table. */
export function ListPage<Row, Field extends string>(props: ListPageProps<Row, Field>) {
  const { cardTitle, lead, searchPlaceholder, searchWidth, filter, place, ...rest } = props
  const { orders, unsorted, nothingMatches, children, ...card } = rest
  const { title, list } = card
  usePageTitle(title)
  useListLoaded(list)
  const { isFiltered } = place
  const isNarrowed = searchPlaceholder !== undefined && (isFiltered || place.search !== '')
  const nothing = nothingMatches ?? NOTHING_MATCHES[isFiltered ? 'filters' : 'search']
  return (
    <div className={classes.page}>
      {isBeyond(list) && <Navigate replace to={place.pageAddress(lastPage(list))} />}
      <Title order={1}>{title}</Title>
      {lead !== undefined && <p className={classes.lead}>{lead}</p>}
      {(searchPlaceholder !== undefined || filter) && (
        <div className={classes.filters}>
          {searchPlaceholder !== undefined && (
            <SearchBox
              label="Search"
              placeholder={searchPlaceholder}
              width={searchWidth}
              value={place.search}
              onSearch={place.onSearch}
            />
          )}
          {filter}
        </div>
      )}
      <ListCard
        {...card}
        title={cardTitle ?? title}
        sort={place.sort}
        onSort={place.onSort}
        onPage={place.onPage}
        order={orderWords(place.sort, orders, unsorted)}
        empty={isNarrowed ? nothing : card.empty}
        {...(isFiltered && { onShowAll: place.onShowAll })}
      />
      {children}
    </div>
  )
}

const NOTHING_MATCHES = {
  search: 'Nothing matches this search',
  filters: 'Nothing matches these filters',
}

function orderWords<Field extends string>(
  sort: ListAddress<Field>['sort'],
  orders: ListPageProps<never, Field>['orders'],
  unsorted = 'oldest first',
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
