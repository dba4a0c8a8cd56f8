import type { Pool } from 'pg'
import type { CountStore } from '../../throttle/count-store.ts'

/** One statement for all nodes. It uses the clock of PostgreSQL, as those of the nodes may differ. */
const ADD = `insert into throttle_counts as known (key, count, until)
  values ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
  on conflict (key) do update set
    count = case when known.until > clock_timestamp() then known.count else 0 end + $2,
    until = case when known.until > clock_timestamp() then known.until else excluded.until end
  returning count, extract(epoch from until - clock_timestamp())::float8 * 1000 as "msLeft"`

const TAKE_BACK = `update throttle_counts set count = greatest(0, count + $2)
  where key = $1 and until > clock_timestamp()
  returning count, extract(epoch from until - clock_timestamp())::float8 * 1000 as "msLeft"`

const FORGET = 'delete from throttle_counts where until < clock_timestamp()'
/** Expired counts are deleted once in this many additions. */
const ADDED_TO_FORGET = 1_000

/**
 * Counts that all nodes share, in an unlogged table: a crash of PostgreSQL loses them. While PostgreSQL is unreachable
 * each node counts for itself.
 */
export function sharedCounts(pool: Pool, own: CountStore): CountStore {
  let added = 0
  const forgetSome = () => {
    added += 1
    if (added % ADDED_TO_FORGET === 0) void pool.query(FORGET).catch(() => {})
  }

  return {
    async add(key, amount, windowMs) {
      try {
        forgetSome()
        const { rows } = await (amount < 0
          ? pool.query(TAKE_BACK, [key, amount])
          : pool.query(ADD, [key, amount, windowMs]))
        return rows[0] ?? { count: 0, msLeft: 0 }
      } catch {
        return own.add(key, amount, windowMs)
      }
    },
    async remove(key) {
      await own.remove(key)
      await pool.query('delete from throttle_counts where key = $1', [key]).catch(() => {})
    },
  }
}
