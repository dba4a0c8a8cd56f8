import { sql } from 'kysely'
import { articleState, riskFrom } from '../../domain/article-state.ts'
import { addDays, endOfWeek } from '../../domain/calendar/due-date.ts'
import type { ProgressQuery, ProgressSortField, SortKey } from '../../domain/wire/list-query.ts'
import type { DueFilter, ProgressRow } from '../../domain/wire/progress.ts'
import { countSearched } from '../articles/article-pages.ts'
import { isPostgres } from '../database/engine.ts'
import { countRows, nearerSpan } from '../database/listing-rows.ts'
import { type NameSearch, nameSearch, STANDING_NAMES } from '../database/name-search.ts'
import { prepared } from '../database/prepared.ts'
import type { ArticleStandingRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'
import { tableOfChanges } from '../events/change-rows.ts'
import { isStale, wasWritten, withStanding } from './standing-rows.ts'
import { readCountingState } from './standing-turn.ts'

/** `today`: day of the agency. */
export type ProgressListing = ProgressQuery & { today: string }

/** Up to this many, reading standings by the index of a filter and sorting them is faster than reading all in order. */
const FEW = 3_000

/**
 * One page, with the number of all that match. Order, filters and Must Use are of the last count of each article; all
 * else is of now.
 */
export async function listProgress(
  db: Database,
  asked: ProgressListing,
): Promise<{ rows: ProgressRow[]; total: number }> {
  const search = asked.name === '' ? null : await searchOf(db, asked)
  const total = search === null ? await maintainedTotal(db, asked) : await search.total()
  const ids = await idsOf(db, asked, search, total)
  return { rows: await rowsOf(db, ids), total }
}

/** Since when the oldest change waits that is not counted yet (ISO); null when none does. */
export async function uncountedSince(db: Database): Promise<string | null> {
  const { changed, counted, sweep } = await readCountingState(db)
  const since = sweep?.since ?? null
  if (changed === counted) return since
  const row = await withStanding(db)
    .innerJoin(await tableOfChanges(db, counted), 'changes.article_id', 'articles.id')
    .where('changes.seq', '>', counted)
    .where(isStale)
    .select(
      sql<string | null>`min(case when coalesce(standing.version, 0) <> articles.version
        then articles.updated_at else plan.changed_at end)`.as('oldest'),
    )
    .executeTakeFirst()
  return [since, row?.oldest ?? null].filter((time) => time !== null).sort()[0] ?? null
}

type Search = Pick<NameSearch, 'holds'> & { total(): Promise<number> }

/** A total of names and clients alone is that of the list of articles, which is cached. */
async function searchOf(db: Database, asked: ProgressListing): Promise<Search> {
  const { name, clientId } = asked
  const isOfNames = !isFiltered(asked)
  const known =
    isOfNames && clientId.length === 0 ? await countSearched(db, { name, clientId }) : undefined
  const { holds } = await nameSearch(db, name, known, STANDING_NAMES)
  const total = async () => {
    if (isOfNames) return known ?? countSearched(db, { name, clientId })
    return countRows(matching(db, asked, { holds }, COUNTING))
  }
  return { holds, total }
}

type Filter = Pick<ProgressListing, 'clientId' | 'state' | 'due' | 'today'>

/** The total from `standing_counts`, which triggers maintain. */
export async function maintainedTotal(
  db: Database,
  { clientId, state, due, today }: Filter,
): Promise<number> {
  let counts = db
    .selectFrom('standing_counts')
    .where('client_id', 'in', clientId.length === 0 ? [''] : [...new Set(clientId)])
  if (state !== undefined) counts = counts.where('state', '=', state)
  if (due === 'none') counts = counts.where('due_on', '=', '')
  else if (due !== undefined) {
    const [from, until] = daysOf(due, today)
    counts = counts
      .where('state', '<>', 'complete')
      .where('due_on', '>', from)
      .where('due_on', '<', until)
  }
  const { total } = await counts
    .select(({ fn }) => fn.sum<number | string | null>('articles').as('total'))
    .executeTakeFirstOrThrow()
  return Number(total ?? 0)
}

/** The days between these two; '' is before every day. */
const daysOf = (due: Exclude<DueFilter, 'none'>, today: string): readonly [string, string] =>
  due === 'late' ? ['', today] : [addDays(today, -1), addDays(endOfWeek(today), 1)]

type Column = keyof ArticleStandingRow

/** `due` has a column for each direction, so that articles without a date are last in both. */
function columnOf({ field, direction }: SortKey<ProgressSortField | 'id'>): Column {
  if (field === 'due') return direction === 'asc' ? 'due_last' : 'due_on'
  const columns = {
    id: 'article_id',
    risk: 'risk',
    name: 'name_folded',
    words: 'words',
    lastWords: 'last_words_at',
  } as const
  return columns[field]
}

/** The ids of the page, from an index that has what is filtered by. */
async function idsOf(
  db: Database,
  asked: ProgressListing,
  search: Pick<NameSearch, 'holds'> | null,
  total: number,
): Promise<string[]> {
  const { offset, length, isBackwards } = nearerSpan(asked, total)
  if (length === 0) return []
  const { sortBy } = asked
  const isSorted = isFiltered(asked) && total <= FEW
  const way = { isSorted, isByRisk: sortBy[0]?.field === 'risk' }
  const ordered = sortBy.reduce(
    (query, key) => {
      const column = `article_standing.${columnOf(key)}` as const
      const isDescending = (key.direction === 'desc') !== isBackwards
      // An expression over the column makes the planner sort instead of scanning the index of the order.
      const value = isSorted
        ? sql`coalesce(${sql.ref(column)}, ${sql.ref(column)})`
        : sql.ref(column)
      return query.orderBy(value, isDescending ? 'desc' : 'asc')
    },
    matching(db, asked, search, way).select('article_standing.article_id'),
  )
  // As sums: SQLite plans a statement again for each value that is bound as a bare limit.
  const rows = await ordered
    .limit(sql<number>`${length} + 0`)
    .offset(sql<number>`${offset} + 0`)
    .execute()
  const ids = rows.map((row) => row.article_id)
  return isBackwards ? ids.reverse() : ids
}

const isFiltered = ({ state, due }: Filter): boolean => state !== undefined || due !== undefined

/** How a page is read: `isSorted`, by the index of a filter, and sorted; otherwise by the index of its order. */
type Way = { isSorted: boolean; isByRisk: boolean }
const COUNTING: Way = { isSorted: true, isByRisk: false }

/**
 * A unary plus keeps SQLite from the index of a filter while that of the order is read; PostgreSQL's planner decides for
 * itself. The order by risk has an index for each state, and dates are ranges of it.
 */
function matching(
  db: Database,
  { clientId, state, due, today }: Filter,
  search: Pick<NameSearch, 'holds'> | null,
  { isSorted, isByRisk }: Way,
) {
  const unless = (isIndexed: boolean) => sql.raw(isIndexed || isPostgres(db) ? '' : '+')
  const byRisk = unless(isSorted || isByRisk)
  let query = db.selectFrom('article_standing')
  if (search !== null) query = query.where(search.holds)
  if (clientId.length > 0) query = query.where('article_standing.client_id', 'in', clientId)
  if (state !== undefined)
    query = query.where(sql<boolean>`${byRisk}article_standing.state = ${state}`)
  if (due === undefined) return query
  const [from, until] = riskRange(due, today)
  const risk = sql`${byRisk}article_standing.risk`
  const dated = query.where(sql<boolean>`${risk} >= ${from} and ${risk} < ${until}`)
  if (due !== 'none') return dated
  return dated.where(sql<boolean>`${unless(isSorted)}article_standing.due_on = ''`)
}

/** Open articles with a date are in the range of their days, and all without one are behind the last day. */
function riskRange(due: DueFilter, today: string): [from: string, until: string] {
  if (due === 'late') return [riskFrom(''), riskFrom(today)]
  if (due === 'none') return [riskFrom('9999'), '~']
  return [riskFrom(today), riskFrom(addDays(endOfWeek(today), 1))]
}

/** These articles, in this order. One that was deleted after its id was read is left out. */
async function rowsOf(db: Database, ids: readonly string[]): Promise<ProgressRow[]> {
  if (ids.length === 0) return []
  const rows = await rowQuery(ids.length)(db, Object.fromEntries(ids.entries()))
  const found = new Map(rows.map((row) => [row.id, progressRow(row)]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** By the number of ids. Compiled once each: building the query takes longer than reading the rows. */
const rowQueries = new Map<number, ReturnType<typeof preparedRows>>()

function rowQuery(count: number) {
  const known = rowQueries.get(count) ?? preparedRows()
  rowQueries.set(count, known)
  return known
}

const preparedRows = () =>
  prepared((db, ids: Record<string, string>) => articleRows(db, Object.values(ids)))

const articleRows = (db: Database, ids: readonly string[]) =>
  withStanding(db)
    .leftJoin('clients', (join) =>
      join.onRef('clients.id', '=', 'articles.client_id').on('clients.deleted_at', 'is', null),
    )
    .leftJoin('article_revisions as text', (join) =>
      join
        .onRef('text.article_id', '=', 'articles.id')
        .onRef('text.text_version', '=', 'articles.text_version'),
    )
    .leftJoin('users as author', 'author.id', 'text.author_id')
    .leftJoin('article_marks as marks', 'marks.article_id', 'articles.id')
    .select(['articles.id', 'articles.name', 'articles.words', 'articles.word_minimum'])
    .select(['articles.completed', 'plan.due_on', 'clients.id as client_id'])
    .select(['clients.name as client_name', 'standing.must_used', 'standing.must_total'])
    .select(['standing.counted_at', 'standing.state', 'standing.last_words_at'])
    .select(isStale.as('is_stale'))
    .select(['text.created_at as text_at', 'text.reason', 'author.name as author_name'])
    .select('marks.open_notes')
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('hand_ins')
            .select('hand_ins.number')
            .whereRef('hand_ins.article_id', '=', 'articles.id'),
        )
        .as('was_handed_in'),
    )
    .where('articles.id', 'in', ids)

type ArticleFacts = Awaited<ReturnType<ReturnType<typeof articleRows>['execute']>>[number]

function progressRow(row: ArticleFacts): ProgressRow {
  const { id, name, words, word_minimum: wordMinimum, client_id, client_name } = row
  const { must_used: used, must_total: total, text_at: at } = row
  const completed = row.completed === 1
  const counted = row.is_stale ? null : row.state
  const isWritten = at !== null && wasWritten(row) && !(counted && row.last_words_at === '')
  return {
    id,
    name,
    client:
      client_id === null || client_name === null ? null : { id: client_id, name: client_name },
    words,
    wordMinimum,
    mustUse: used === null || total === null ? null : { used, total },
    lastWords: isWritten ? { at, by: row.author_name } : null,
    dueOn: row.due_on,
    state:
      counted ??
      articleState({ completed, wasHandedIn: Boolean(row.was_handed_in), words, wordMinimum }),
    completed,
    ...(row.open_notes && { openNotes: row.open_notes }),
    // 0 and 1 at SQLite.
    countedAt: row.is_stale ? row.counted_at : null,
  }
}
