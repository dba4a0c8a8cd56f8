import type { ArticleSortField, Listing } from '../../domain/list-query.ts'
import type { ArticleSettings } from '../../domain/wire.ts'
import { type NameSearch, nameSearch } from '../database/name-search.ts'
import type { Database } from '../deps.ts'
import { countChange } from '../events/change-rows.ts'
import { offsetOf } from '../listing-rows.ts'
import { listedClientName, type StoredArticle, withClient } from './article-rows.ts'

export type ArticleListing = Listing<ArticleSortField> & {
  /** Empty: of every client and of none. */
  clientId: string[]
}

const SORT_COLUMNS = {
  id: 'articles.id',
  name: 'articles.name_folded',
  completed: 'articles.completed',
  client: 'articles.client_name_folded',
  updatedAt: 'articles.updated_at',
  createdAt: 'articles.created_at',
  wordMinimum: 'articles.word_minimum',
} as const

/**
 * One page of all articles, with the number of all that match. The page is found in an index alone; only
 * the rows that it shows are read then.
 */
export async function listArticles(
  db: Database,
  listing: ArticleListing,
  withText: boolean,
): Promise<{ articles: StoredArticle[]; total: number }> {
  const search = listing.name === '' ? null : await nameSearch(db, listing.name)
  const total = await countArticles(db, listing, search)
  const ids = await pageOfIds(db, listing, search)
  const rows = ids.length === 0 ? [] : await readRows(db, ids, withText)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return { articles: ids.flatMap((id) => byId.get(id) ?? []), total }
}

async function pageOfIds(
  db: Database,
  listing: ArticleListing,
  search: NameSearch | null,
): Promise<string[]> {
  const page = matching(db, listing, search)
    .select('articles.id')
    .limit(listing.limit)
    .offset(offsetOf(listing))
  const ordered = listing.sortBy.reduce(
    (query, { field, direction }) => query.orderBy(SORT_COLUMNS[field], direction),
    page,
  )
  return (await ordered.execute()).map(({ id }) => id)
}

async function countArticles(
  db: Database,
  listing: ArticleListing,
  search: NameSearch | null,
): Promise<number> {
  const { total } = await matching(db, listing, search)
    .select(({ fn }) => fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

function matching(db: Database, { clientId }: ArticleListing, search: NameSearch | null) {
  return db
    .selectFrom('articles')
    .$if(search !== null, (query) => (search === null ? query : query.where(search.holds)))
    .$if(clientId.length > 0, (query) => query.where('articles.client_id', 'in', clientId))
}

function readRows(db: Database, ids: string[], withText: boolean): Promise<StoredArticle[]> {
  return withClient(db)
    .$if(withText, (query) => query.select('articles.article_text'))
    .where('articles.id', 'in', ids)
    .execute()
}

/** Writes what only the agency changes; the text and its version stay. */
export async function updateSettings(
  db: Database,
  id: string,
  { name, clientId, wordMinimum, keywordList }: ArticleSettings,
  state: { version: number; updated_at: string },
): Promise<void> {
  await db
    .updateTable('articles')
    .set({
      ...state,
      ...(name !== undefined && { name, name_folded: name.toLowerCase() }),
      ...(clientId !== undefined && {
        client_id: clientId,
        client_name_folded: listedClientName(clientId),
      }),
      ...(wordMinimum !== undefined && { word_minimum: wordMinimum }),
      ...(keywordList !== undefined && { keyword_list: JSON.stringify(keywordList) }),
    })
    .where('id', '=', id)
    .execute()
  await countChange(db, id)
  // Those who saw it until now are told that their lists changed.
  if (clientId !== undefined) await countChange(db, null)
}
