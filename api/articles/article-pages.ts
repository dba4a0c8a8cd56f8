import { type RawBuilder, sql } from 'kysely'
import type { ArticleCounts } from '../../domain/wire/articles.ts'
import type {
  ArticleFilter,
  ArticleSortField,
  Listing,
  SortKey,
} from '../../domain/wire/list-query.ts'
import { isPostgres } from '../database/engine.ts'
import { offsetOf } from '../database/listing-rows.ts'
import { readMeta } from '../database/meta-rows.ts'
import { type NameSearch, nameSearch } from '../database/name-search.ts'
import { prepared, preparedByKey } from '../database/prepared.ts'
import type { Database } from '../deps.ts'
import { type StoredArticle, withClient } from './article-rows.ts'
import { countCacheOf } from './count-cache.ts'

export type ArticleListing = Listing<ArticleSortField> & ArticleFilter
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

/** From this offset on the total is read first, to find the end of the list that is nearer to the page. */
const FAR = 100
/**
 * Up to this many matches, reading them by the index of their state and sorting is faster than scanning the index of
 * the order.
 */
const FEW = 3_000

/**
 * One page of all articles, with the number of all that match. One statement reads both, so they are of one snapshot.
 * The ids of the page are read from a covering index, by OFFSET from the nearer end; rows are read for those ids only.
 */
export async function listArticles(db: Database, listing: ArticleListing): Promise<ArticlePage> {
  const read = () => (listing.name === '' ? plainPage(db, listing) : searchedPage(db, listing))
  const page = await read()
  // Where the page is empty its total is read after it, and articles may have come between the two.
  return page.articles.length > 0 || page.total <= offsetOf(listing) ? page : read()
}

async function plainPage(db: Database, asked: ArticleListing): Promise<ArticlePage> {
  const { sortBy, limit } = asked
  const total = maintainedTotal(asked)
  const count = () => numberOf(db, total)
  const offset = offsetOf(asked)
  const isByState = hasStates(asked)
  const isOfAll = asked.clientId.length === 0 && !isByState
  const found = isByState ? await count() : null
  const isRare = found !== null && found <= FEW
  const isBackwards = offset >= FAR && (found ?? (await count())) < offset * 2 + limit
  const isCommon = isOfAll && sortBy.length <= 2
  const rows = await (isCommon
    ? commonPage(db, { sortBy, isBackwards }, { limit, offset })
    : pageOf(db, { ...asked, offset, isBackwards, isRare, search: null, total }).execute())
  return pageFrom(rows, count)
}

/**
 * Counting dominates the cost of a search, so the total is cached until an article is added, removed, renamed or
 * changes state.
 */
async function searchedPage(db: Database, asked: ArticleListing): Promise<ArticlePage> {
  const cache = countCacheOf(db)
  const cached = cache.get(asked)
  const isOfAll = asked.clientId.length === 0 && !hasStates(asked)
  const search = await nameSearch(db, asked.name, isOfAll ? cached?.total : undefined)
  const counted = (isOfAll ? search.total : null) ?? countOf(db, asked, search)
  const offset = offsetOf(asked)
  const ways = { isBackwards: false, isRare: false }
  const page = (total: RawBuilder<number>) =>
    pageOf(db, { ...asked, ...ways, offset, search, total })
      .select(namesSeq(db).as('seq'))
      .execute()
  if (cached !== undefined) {
    const rows = await page(sql<number>`${cached.total}`)
    if (rows[0]?.seq === cached.seq) return { articles: rows, total: cached.total }
  }
  const rows = await page(counted)
  const [first] = rows
  if (first !== undefined) cache.set(asked, { seq: first.seq, total: Number(first.total) })
  return pageFrom(rows, () => numberOf(db, counted))
}

/** Number of articles of a search and of clients, cached like the totals of the list. */
export async function countSearched(
  db: Database,
  asked: { name: string; clientId: string[] },
): Promise<number> {
  const cache = countCacheOf(db)
  const seq = (await readMeta(db, 'names_seq')) ?? ''
  const cached = cache.get(asked)
  if (cached?.seq === seq) return cached.total
  const search = await nameSearch(db, asked.name)
  const isOfAll = asked.clientId.length === 0
  const total = await numberOf(db, (isOfAll ? search.total : null) ?? countOf(db, asked, search))
  cache.set(asked, { seq, total })
  return total
}

/**
 * Number of articles in each state, for a search and a filter by client. Without a search it reads the maintained
 * counts only.
 */
export async function countArticles(
  db: Database,
  { name, clientId }: { name: string; clientId: string[] },
): Promise<ArticleCounts> {
  if (name === '') {
    const total = (filter: Omit<ArticleFilter, 'clientId'>) =>
      maintainedTotal({ clientId, ...filter })
    const { notComplete, withoutEntities, withoutClient } = await db
      .selectNoFrom([
        total({ completed: false }).as('notComplete'),
        total({ hasEntities: false }).as('withoutEntities'),
        total({ hasClient: false }).as('withoutClient'),
      ])
      .executeTakeFirstOrThrow()
    return asNumbers({ notComplete, withoutEntities, withoutClient })
  }
  const search = await nameSearch(db, name)
  const one = (holds: RawBuilder<boolean>) =>
    sql<number>`coalesce(sum(case when ${holds} then 1 else 0 end), 0)`
  const counted = await matching(db, { clientId, search })
    .select([
      one(sql`articles.completed = 0`).as('notComplete'),
      one(sql`articles.has_entities = 0`).as('withoutEntities'),
      one(sql`articles.client_id is null`).as('withoutClient'),
    ])
    .executeTakeFirstOrThrow()
  return asNumbers(counted)
}

const asNumbers = (counts: ArticleCounts): ArticleCounts => ({
  notComplete: Number(counts.notComplete),
  withoutEntities: Number(counts.withoutEntities),
  withoutClient: Number(counts.withoutClient),
})

const hasStates = ({ completed, hasEntities, hasClient }: ArticleFilter): boolean =>
  completed !== undefined || hasEntities !== undefined || hasClient !== undefined

type PageRow = StoredArticle & { total: number | string }

async function pageFrom(rows: PageRow[], count: () => Promise<number>): Promise<ArticlePage> {
  const [first] = rows
  return { articles: rows, total: first === undefined ? await count() : Number(first.total) }
}

type Page = Pick<ArticleListing, 'sortBy' | 'limit'> &
  ArticleFilter & {
    offset: number
    isBackwards: boolean
    /** True: matches are read by the index of their state, then sorted. */
    isRare: boolean
    search: NameSearch | null
    total: RawBuilder<number>
  }

function pageOf(db: Database, page: Page) {
  const rows = withClient(db)
    .select(page.total.as('total'))
    .where('articles.id', 'in', idsOf(db, page))
  // By expressions and not by columns: sorting so few rows is faster than scanning an index.
  return page.sortBy.reduce(
    (query, { field, direction }) => query.orderBy(sortValue(SORT_COLUMNS[field]), direction),
    rows,
  )
}

/** An expression over the column, so that the planner sorts instead of scanning an index. */
const sortValue = (column: string) => sql`coalesce(${sql.ref(column)}, ${sql.ref(column)})`

/** Backwards, the offset counts from the last row, and the last page may be shorter. */
function idsOf(
  db: Database,
  { sortBy, isBackwards, isRare, limit, offset, total, ...filter }: Page,
) {
  const rest = sql<number>`${total} - ${offset}`
  const length = sql<number>`case when ${rest} < 0 then 0 when ${rest} < ${limit} then ${rest} else ${limit} end`
  const after = sql<number>`case when ${rest} < ${limit} then 0 else ${rest} - ${limit} end`
  const ordered = (isBackwards ? sortBy.map(reversed) : sortBy).reduce(
    (query, { field, direction }) => {
      const column = SORT_COLUMNS[field]
      return isRare ? query.orderBy(sortValue(column), direction) : query.orderBy(column, direction)
    },
    matching(db, filter, isRare).select('articles.id'),
  )
  return isBackwards
    ? ordered.limit(length).offset(after)
    : ordered.limit(countOfRows(db, limit)).offset(countOfRows(db, offset))
}

/**
 * SQLite plans a statement again whenever a value is bound that is a whole limit or offset; it does not for a sum.
 * PostgreSQL plans for a number that is part of the statement, where it is known when the statement is made.
 */
const countOfRows = (db: Database, value: number) =>
  isPostgres(db) && typeof value === 'number' ? sql.lit(value) : sql<number>`${value} + 0`

const reversed = <Field extends string>({ field, direction }: SortKey<Field>): SortKey<Field> => ({
  field,
  direction: direction === 'asc' ? 'desc' : 'asc',
})

/** `isRare`: filters by an index of the states. Otherwise states are compared while another index is scanned. */
function matching(
  db: Database,
  { search, ...filter }: ArticleFilter & { search: NameSearch | null },
  isRare = false,
) {
  const all = db.selectFrom('articles')
  const named = search === null ? all : all.where(search.holds)
  const { clientId } = filter
  const ofClients =
    clientId.length === 0 ? named : named.where('articles.client_id', 'in', clientId)
  return statesOf(filter, isRare || isPostgres(db)).reduce(
    (query, state) => query.where(state),
    ofClients,
  )
}

/**
 * Literals instead of parameters, so that the partial index on articles without entities applies. A unary plus keeps
 * SQLite from using an index on the column; PostgreSQL's planner needs no such hint.
 */
function statesOf(
  { completed, hasEntities, hasClient }: ArticleFilter,
  isIndexed: boolean,
): RawBuilder<boolean>[] {
  const sign = sql.raw(isIndexed ? '' : '+')
  const flag = (value: boolean) => sql.lit(value ? 1 : 0)
  return [
    ...(completed === undefined
      ? []
      : [sql<boolean>`${sign}articles.completed = ${flag(completed)}`]),
    ...(hasEntities === undefined
      ? []
      : [sql<boolean>`${sign}articles.has_entities = ${flag(hasEntities)}`]),
    ...(hasClient === undefined
      ? []
      : [sql<boolean>`${sign}articles.client_id is ${sql.raw(hasClient ? 'not null' : 'null')}`]),
  ]
}

/** The total from `article_counts`, which triggers maintain. */
function maintainedTotal({
  clientId,
  completed,
  hasEntities,
  hasClient,
}: ArticleFilter): RawBuilder<number> {
  const states = [
    clientsOf(clientId, hasClient),
    ...(completed === undefined ? [] : [sql`completed = ${completed ? 1 : 0}`]),
    ...(hasEntities === undefined ? [] : [sql`has_entities = ${hasEntities ? 1 : 0}`]),
  ]
  return sql<number>`(
  select coalesce(sum(articles), 0) from article_counts where ${sql.join(states, sql` and `)})`
}

/** Selects the rows of `article_counts` for a filter by client. */
function clientsOf(clientIds: string[], hasClient: boolean | undefined): RawBuilder<unknown> {
  if (clientIds.length > 0) {
    return hasClient === false ? sql`1 = 0` : sql`client_id in (${sql.join(clientIds)})`
  }
  if (hasClient === true) return sql`client_id not in ('', '-')`
  return sql`client_id = ${hasClient === false ? '-' : ''}`
}

const countOf = (db: Database, filter: ArticleFilter, search: NameSearch): RawBuilder<number> =>
  sql<number>`(${matching(db, { ...filter, search }).select(({ fn }) => fn.countAll().as('total'))})`

/** Grows with each change of which articles match. PostgreSQL adds the changes that are not added up yet. */
const namesSeq = (db: Database): RawBuilder<string> =>
  isPostgres(db)
    ? sql`(select cast(value as bigint) + (select count(*) from name_changes) from meta where key = 'names_seq')`
    : sql`(select value from meta where key = 'names_seq')`

async function numberOf(db: Database, value: RawBuilder<number>): Promise<number> {
  const { total } = await db.selectNoFrom(value.as('total')).executeTakeFirstOrThrow()
  return Number(total)
}

type Given = { limit: number; offset: number }
type Shape = Pick<Page, 'sortBy' | 'isBackwards'>
type ReadPage = (db: Database, given: Given) => Promise<PageRow[]>
const commonPages = new Map<string, ReadPage>()
/** PostgreSQL keeps a plan of each for each connection. */
const FIRST_PAGES_MAX = 50
const firstPages = new Map<string, ReadPage>()

/**
 * Pages of all articles in the order of one column, which are requested most. Compiled once for each order. Over
 * PostgreSQL the first pages are also planned once, each with its own limit and offset: no plan is good for all of them,
 * and planning costs more than reading.
 */
function commonPage(db: Database, shape: Shape, given: Given): Promise<PageRow[]> {
  const order = shape.sortBy.map(({ field, direction }) => `${field} ${direction}`)
  const key = `${order} ${shape.isBackwards}`
  if (isPostgres(db) && given.offset < FAR) {
    const first = firstPage(`${key} ${given.limit} ${given.offset}`, shape, given)
    if (first !== undefined) return first(db, given)
  }
  const read = commonPages.get(key) ?? prepared((db, given: Given) => allPage(db, shape, given))
  commonPages.set(key, read)
  return read(db, given)
}

/** Undefined where as many others are planned already. */
function firstPage(key: string, shape: Shape, given: Given): ReadPage | undefined {
  const known = firstPages.get(key)
  if (known !== undefined || firstPages.size >= FIRST_PAGES_MAX) return known
  const read: ReadPage = preparedByKey((db) => allPage(db, shape, given))
  firstPages.set(key, read)
  return read
}

const allPage = (db: Database, shape: Shape, { limit, offset }: Given) =>
  pageOf(db, {
    ...shape,
    limit,
    offset,
    clientId: [],
    isRare: false,
    search: null,
    total: maintainedTotal({ clientId: [] }),
  })
