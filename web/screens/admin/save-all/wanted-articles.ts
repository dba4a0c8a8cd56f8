import { NoAnswer, type Send } from '../../../../sync/ports.ts'
import type { LocalDatabase } from '../../../../sync/store/database.ts'
import { allPages } from '../../../remote/all-pages.ts'
import { createArticles } from '../../../remote/articles.ts'
import { abandonedBy } from '../../../remote/lists.ts'
import type { WantedArticle } from './save-all.ts'

/** Articles that were chosen one by one, or all of some clients. */
export type WantedArticles =
  | { kind: 'articles'; articles: readonly WantedArticle[] }
  | { kind: 'clients'; clientIds: readonly string[] }

type Sources = { send: Send; local: () => Promise<LocalDatabase> }

const AT_ONCE = 500

export type FoundArticles = {
  articles: readonly WantedArticle[]
  /** There may be others, which this computer does not know of. */
  isPart: boolean
}

/** Without a connection those of the clients that this computer knows. */
export async function findWanted(
  { send, local }: Sources,
  wanted: WantedArticles,
  signal: AbortSignal,
): Promise<FoundArticles> {
  if (wanted.kind === 'articles') return { articles: wanted.articles, isPart: false }
  try {
    return { articles: await listOfClients(send, wanted.clientIds, signal), isPart: false }
  } catch (error) {
    if (!(error instanceof NoAnswer) || signal.aborted) throw error
    const database = await local()
    const known = await database.articles
      .where('clientId')
      .anyOf([...wanted.clientIds])
      .toArray()
    if (known.length === 0) throw error
    return { articles: known.map(({ id, name }) => ({ id, name })), isPart: true }
  }
}

async function listOfClients(
  send: Send,
  clientIds: readonly string[],
  signal: AbortSignal,
): Promise<WantedArticle[]> {
  const articles = createArticles(send)
  const sort = { field: 'id', direction: 'asc' } as const
  const abandoned = abandonedBy(signal)
  const { rows } = await allPages(
    (page) =>
      articles.list({ name: '', sort, page, limit: AT_ONCE, clientIds, lacks: [] }, abandoned),
    ({ id }) => id,
  )
  return rows.map(({ id, name }) => ({ id, name }))
}
