import type { ArticleFilter } from '../../domain/wire/list-query.ts'
import type { Database } from '../deps.ts'

const TOTALS_MAX = 500

type Search = { name: string } & ArticleFilter
/** Valid as long as `names_seq` is `seq`. */
type CachedTotal = { seq: string; total: number }
type CountCache = ReturnType<typeof createCountCache>

const caches = new WeakMap<Database, CountCache>()

/** The totals of the latest searches in this database. When it is full, the oldest entry is evicted. */
export function countCacheOf(db: Database): CountCache {
  const cache = caches.get(db) ?? createCountCache()
  caches.set(db, cache)
  return cache
}

function createCountCache() {
  const totals = new Map<string, CachedTotal>()
  const keyOf = ({ name, clientId, completed, hasEntities, hasClient }: Search) =>
    JSON.stringify([name, [completed, hasEntities, hasClient], ...clientId])
  return {
    get: (search: Search) => totals.get(keyOf(search)),
    set(search: Search, total: CachedTotal) {
      const key = keyOf(search)
      const [oldest] = totals.keys()
      if (totals.size >= TOTALS_MAX && oldest !== undefined) totals.delete(oldest)
      totals.delete(key)
      totals.set(key, total)
    },
  }
}
