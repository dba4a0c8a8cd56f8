import { type RawBuilder, sql } from 'kysely'
import type { ArticleSortField, SortKey } from '../../domain/list-query.ts'
import type { Database } from '../deps.ts'

/**
 * The orders of the list that are kept as ranges with a count each. The rows themselves keep the counts, whatever
 * changes them; how long a range is decides only how far is to be walked inside it.
 */
const KEYS = {
  id: 'articles.id',
  name: 'articles.name_folded',
  client: 'articles.client_name_folded',
  updatedAt: 'articles.updated_at',
  createdAt: 'articles.created_at',
} as const
type RangedField = keyof typeof KEYS
const FIELDS = Object.keys(KEYS) as RangedField[]

/** In articles. A range that has twice as many is cut, and neighbours that have no more together become one. */
const LENGTH = 4_000
/** In one transaction, so that nobody waits for long. */
const CUTS_AT_ONCE = 20

export type RangedOrder = { field: RangedField; direction: 'asc' | 'desc' }

/** Null where the order is not kept as ranges. */
export function rangedOrder(sortBy: SortKey<ArticleSortField>[]): RangedOrder | null {
  const [first, second, ...more] = sortBy
  const field = FIELDS.find((known) => known === first?.field)
  if (first === undefined || field === undefined || more.length > 0) return null
  const { direction } = first
  const isOne = second === undefined ? field === 'id' : second.field === 'id'
  return isOne && (second?.direction ?? direction) === direction ? { field, direction } : null
}

type Cut = { limit: number; offset: number; total: RawBuilder<number> }

/** The ids of one page of all articles, found in the range that it begins in. */
export function idsInRanges(
  { field, direction }: RangedOrder,
  { limit, offset, total }: Cut,
): RawBuilder<string> {
  const key = sql.ref(KEYS[field])
  // Down the order it is the page that ends so far from the end.
  const left = sql<number>`${total} - ${offset}`
  const isWhole = sql<boolean>`${left} > ${limit}`
  const page =
    direction === 'asc'
      ? { first: sql<number>`${offset}`, length: sql<number>`${limit}` }
      : {
          first: sql<number>`case when ${isWhole} then ${left} - ${limit} else 0 end`,
          length: sql<number>`case when ${isWhole} then ${limit} when ${left} > 0 then ${left} else 0 end`,
        }
  return sql`(
    with ranges as materialized (
      select first_key, first_id, sum(articles) over (order by first_key, first_id) - articles as before
      from article_ranges where field = ${field}
    ), start as materialized (
      select * from ranges where before <= ${page.first} order by before desc limit 1
    )
    select articles.id from articles
    where (${key}, articles.id) >= (select first_key, first_id from start)
    order by ${field === 'id' ? key : sql`${key}, articles.id`}
    limit ${page.length} offset ${page.first} - (select before from start)
  )`
}

/** Cuts ranges that became long and joins those that became short. Their counts are right without it. */
export async function balanceRanges(db: Database, length = LENGTH): Promise<void> {
  for (const field of FIELDS) {
    await joinShort(db, field, length)
    while (await cutLong(db, field, length)) await new Promise((others) => setImmediate(others))
  }
}

type Range = { first_key: string; first_id: string; articles: number }

function joinShort(db: Database, field: RangedField, length: number): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    let [last, ...others] = await rangesOf(transaction, field)
    for (const range of others) {
      const articles = (last?.articles ?? 0) + range.articles
      if (last === undefined || articles > length) {
        last = range
        continue
      }
      await writeCount(transaction, field, { ...last, articles })
      await transaction
        .deleteFrom('article_ranges')
        .where('field', '=', field)
        .where('first_key', '=', range.first_key)
        .where('first_id', '=', range.first_id)
        .execute()
      last = { ...last, articles }
    }
  })
}

/** False when there was nothing to cut. */
function cutLong(db: Database, field: RangedField, length: number): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const ranges = await rangesOf(transaction, field)
    let rest = ranges.find(({ articles }) => articles > length * 2)
    if (rest === undefined) return false
    for (let cuts = 0; cuts < CUTS_AT_ONCE && rest.articles > length * 2; cuts += 1) {
      const first = await rowAfter(transaction, field, rest, length)
      await writeCount(transaction, field, { ...rest, articles: length })
      rest = { ...first, articles: rest.articles - length }
      await transaction
        .insertInto('article_ranges')
        .values({ field, ...rest })
        .execute()
    }
    return true
  })
}

const rangesOf = (db: Database, field: RangedField): Promise<Range[]> =>
  db
    .selectFrom('article_ranges')
    .select(['first_key', 'first_id', 'articles'])
    .where('field', '=', field)
    .orderBy('first_key')
    .orderBy('first_id')
    .execute()

async function writeCount(db: Database, field: RangedField, range: Range): Promise<void> {
  await db
    .updateTable('article_ranges')
    .set({ articles: range.articles })
    .where('field', '=', field)
    .where('first_key', '=', range.first_key)
    .where('first_id', '=', range.first_id)
    .execute()
}

/** Where a range begins that leaves so many articles before it in this one. */
async function rowAfter(
  db: Database,
  field: RangedField,
  { first_key, first_id }: Range,
  length: number,
) {
  const key = sql.ref(KEYS[field])
  const { rows } = await sql<Pick<Range, 'first_key' | 'first_id'>>`
    select ${key} as first_key, articles.id as first_id from articles
    where (${key}, articles.id) >= (${first_key}, ${first_id})
    order by ${field === 'id' ? key : sql`${key}, articles.id`}
    limit 1 offset ${length}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error(`There are fewer articles than were counted by ${field}`)
  return row
}
