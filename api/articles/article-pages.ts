import { type RawBuilder, sql } from 'kysely'
import type { ArticleSortField, Listing, SortKey } from '../../domain/list-query.ts'
import { type NameSearch, nameSearch } from '../database/name-search.ts'
import { prepared } from '../database/prepared.ts'
import type { Database } from '../deps.ts'
import { offsetOf } from '../listing-rows.ts'
import { idsInRanges, type RangedOrder, rangedOrder } from './article-ranges.ts'
import { type StoredArticle, withClient } from './article-rows.ts'
import { rememberedTotals } from './remembered-totals.ts'

export type ArticleListing = Listing<ArticleSortField> & {
  /** Empty: of every client and of none. */
  clientId: string[]
}
type ArticlePage = { articles: StoredArticle[]; total: number }

const SORT_COLUMNS = {
  id: 'articles.id',
  name: 'articles.name_folded',
  completed: 'articles.completed',
  client: 'articles.client_name_folded',
  updatedAt: 'articles.updated_at',
  createdAt: 'articles.created_at',
  wordMinimum: 'articles.word_minimum',
} as const

/** From here on it is worth asking in which range the page begins, or which end of the list is nearer. */
const FAR = 100

/**
 * One page of all articles, with the number of all that match. Both are of the same moment, as one statement reads
 * them. The page is found in an index alone, inside the range that it begins in or, where there are filters, from the
 * nearer end; only the rows that it shows are read then.
 */
export async function listArticles(db: Database, listing: ArticleListing): Promise<ArticlePage> {
  const read = () => (listing.name === '' ? plainPage(db, listing) : searchedPage(db, listing))
  const page = await read()
  // Where the page is empty its total is read after it, and articles may have come between the two.
  return page.articles.length > 0 || page.total <= offsetOf(listing) ? page : read()
}

async function plainPage(db: Database, asked: ArticleListing): Promise<ArticlePage> {
  const { clientId, sortBy, limit } = asked
  const count = () => numberOf(db, keptTotal(clientId))
  const offset = offsetOf(asked)
  const ranged = offset >= FAR && clientId.length === 0 ? rangedOrder(sortBy) : null
  const isBackwards = ranged === null && offset >= FAR && (await count()) < offset * 2 + limit
  const isCommon = clientId.length === 0 && sortBy.length <= 2
  const rows = await (isCommon
    ? commonPage({ ...asked, isBackwards, ranged })(db, { limit, offset })
    : pageOf(db, {
        ...asked,
        offset,
        isBackwards,
        ranged,
        search: null,
        total: keptTotal(clientId),
      }).execute())
  return pageFrom(rows, count)
}

/** How many there are is remembered until articles come, go or get other names: counting is what a search costs. */
async function searchedPage(db: Database, asked: ArticleListing): Promise<ArticlePage> {
  const totals = rememberedTotals(db)
  const remembered = totals.find(asked)
  const isOfAll = asked.clientId.length === 0
  const search = await nameSearch(db, asked.name, isOfAll ? remembered?.total : undefined)
  const counted = (isOfAll ? search.total : null) ?? countOf(db, asked, search)
  const offset = offsetOf(asked)
  const page = (total: RawBuilder<number>) =>
    pageOf(db, { ...asked, offset, isBackwards: false, ranged: null, search, total })
      .select(namesSeq.as('seq'))
      .execute()
  if (remembered !== undefined) {
    const rows = await page(sql<number>`${remembered.total}`)
    if (rows[0]?.seq === remembered.seq) return { articles: rows, total: remembered.total }
  }
  const rows = await page(counted)
  const [first] = rows
  if (first !== undefined) totals.keep(asked, { seq: first.seq, total: Number(first.total) })
  return pageFrom(rows, () => numberOf(db, counted))
}

type PageRow = StoredArticle & { total: number | string }

async function pageFrom(rows: PageRow[], count: () => Promise<number>): Promise<ArticlePage> {
  const [first] = rows
  return { articles: rows, total: first === undefined ? await count() : Number(first.total) }
}

type Page = Pick<ArticleListing, 'sortBy' | 'clientId' | 'limit'> & {
  offset: number
  isBackwards: boolean
  /** Null where the page is looked for along the whole order. */
  ranged: RangedOrder | null
  search: NameSearch | null
  total: RawBuilder<number>
}

function pageOf(db: Database, page: Page) {
  const { sortBy, total, ranged } = page
  const rows = withClient(db)
    .select(total.as('total'))
    .where('articles.id', 'in', ranged ? idsInRanges(ranged, page) : idsOf(db, page))
  // By values and not by columns: for so few rows no index is to be walked.
  return sortBy.reduce(
    (query, { field, direction }) =>
      query.orderBy(({ fn }) => fn.coalesce(SORT_COLUMNS[field], SORT_COLUMNS[field]), direction),
    rows,
  )
}

/** Backwards it is counted from the last row, and the last page may be shorter. */
function idsOf(db: Database, { sortBy, isBackwards, limit, offset, total, ...filter }: Page) {
  const rest = sql<number>`${total} - ${offset}`
  const length = sql<number>`case when ${rest} < 0 then 0 when ${rest} < ${limit} then ${rest} else ${limit} end`
  const after = sql<number>`case when ${rest} < ${limit} then 0 else ${rest} - ${limit} end`
  const ordered = (isBackwards ? sortBy.map(reversed) : sortBy).reduce(
    (query, { field, direction }) => query.orderBy(SORT_COLUMNS[field], direction),
    matching(db, filter).select('articles.id'),
  )
  return isBackwards ? ordered.limit(length).offset(after) : ordered.limit(limit).offset(offset)
}

const reversed = <Field extends string>({ field, direction }: SortKey<Field>): SortKey<Field> => ({
  field,
  direction: direction === 'asc' ? 'desc' : 'asc',
})

function matching(db: Database, { clientId, search }: Pick<Page, 'clientId' | 'search'>) {
  const all = db.selectFrom('articles')
  const named = search === null ? all : all.where(search.holds)
  return clientId.length === 0 ? named : named.where('articles.client_id', 'in', clientId)
}

const keptTotal = (clientIds: string[]): RawBuilder<number> => sql<number>`(
  select coalesce(sum(articles), 0) from article_counts where client_id in (${sql.join(clientIds.length === 0 ? [''] : clientIds)}))`

const countOf = (
  db: Database,
  { clientId }: ArticleListing,
  search: NameSearch,
): RawBuilder<number> =>
  sql<number>`(${matching(db, { clientId, search }).select(({ fn }) => fn.countAll().as('total'))})`

const namesSeq = sql<string>`(select value from meta where key = 'names_seq')`

async function numberOf(db: Database, value: RawBuilder<number>): Promise<number> {
  const { total } = await db.selectNoFrom(value.as('total')).executeTakeFirstOrThrow()
  return Number(total)
}

type Given = { limit: number; offset: number }
type Shape = Pick<Page, 'sortBy' | 'isBackwards' | 'ranged'>
const commonPages = new Map<string, ReturnType<typeof preparedPage>>()

/** The pages of all articles in the order of one column are asked for most. */
function commonPage({ sortBy, isBackwards, ranged }: Shape) {
  const order = sortBy.map(({ field, direction }) => `${field} ${direction}`)
  const key = `${order} ${isBackwards} ${ranged !== null}`
  const known = commonPages.get(key) ?? preparedPage({ sortBy, isBackwards, ranged })
  commonPages.set(key, known)
  return known
}

const preparedPage = (shape: Shape) =>
  prepared((db, { limit, offset }: Given) =>
    pageOf(db, { ...shape, limit, offset, clientId: [], search: null, total: keptTotal([]) }),
  )
