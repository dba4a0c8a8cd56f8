import type { LocalDatabase, PlanRow } from '../store/database.ts'
import { isPlanStale } from '../store/stale-plan.ts'
import { transact } from '../store/transaction.ts'

/** The plan of an article, as far as this computer knows it, for screens. */
export type ArticlePlan = {
  /** Null where there is none, or where it is not here yet. */
  plan: PlanRow | null
  /** Also known before the plan is here. */
  dueOn: string | null
  /** True if the article has a brief or a due date, or may have one that is not on this device yet. */
  isPlanned: boolean
  /** It was read on this computer, and is another one since. */
  hasChanged: boolean
  /** The server has another one. */
  isStale: boolean
}

/** For a live query. */
export function readArticlePlan(database: LocalDatabase, articleId: string): Promise<ArticlePlan> {
  return transact(database, 'r', ['plans', 'articles'], async (tables) => {
    const [row = null, article] = await Promise.all([
      tables.plans.get(articleId),
      tables.articles.get(articleId),
    ])
    const isStale = article !== undefined && (await isPlanStale(tables, article))
    const dueOn = article?.plan ? article.plan.dueOn : (row?.dueOn ?? null)
    const isPlanned = dueOn !== null || (row ? row.brief !== '' : isStale)
    return { plan: row, dueOn, isPlanned, hasChanged: row?.read === 'earlier', isStale }
  })
}
