import type { ArticleFilter } from '../../domain/list-query.ts'
import type { Database } from '../deps.ts'

const TOTALS_KEPT = 500

type Search = { name: string } & ArticleFilter
/** `seq` says of which articles, names and states it is the total. */
type Total = { seq: string; total: number }
export type RememberedTotals = {
  find(search: Search): Total | undefined
  keep(search: Search, total: Total): void
}

const memories = new WeakMap<Database, RememberedTotals>()

/** What the last searches in this database found. When there are too many, the one that was kept first goes. */
export function rememberedTotals(db: Database): RememberedTotals {
  const memory = memories.get(db) ?? totalMemory()
  memories.set(db, memory)
  return memory
}

function totalMemory(): RememberedTotals {
  const kept = new Map<string, Total>()
  const keyOf = ({ name, clientId, completed, hasEntities, hasClient }: Search) =>
    JSON.stringify([name, [completed, hasEntities, hasClient], ...clientId])
  return {
    find: (search) => kept.get(keyOf(search)),
    keep(search, total) {
      const key = keyOf(search)
      const [oldest] = kept.keys()
      if (kept.size >= TOTALS_KEPT && oldest !== undefined) kept.delete(oldest)
      kept.delete(key)
      kept.set(key, total)
    },
  }
}
