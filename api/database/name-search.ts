import { type RawBuilder, sql } from 'kysely'
import { foldName } from '../../domain/names/folded-name.ts'
import type { Database } from '../deps.ts'
import { isPostgres } from './engine.ts'
import { prepared } from './prepared.ts'

/** A table with a trigram index of a column. `articles`: the index is that of the articles which its rows name. */
type NameIndex = { table: string; column: string; trigrams: string; articles?: string }
const ARTICLES: NameIndex = {
  table: 'articles',
  column: 'name_folded',
  trigrams: 'article_names',
}
/** The names of subjects in the log. */
export const AUDIT_NAMES: NameIndex = {
  table: 'audit',
  column: 'subject_name_folded',
  trigrams: 'audit_names',
}
/** The names that articles had when they were counted. The number of hits is that of the articles. */
export const STANDING_NAMES: NameIndex = {
  table: 'article_standing',
  column: 'name_folded',
  trigrams: 'article_names',
  articles: 'article_id',
}

/** Selects the rows whose folded name contains a text. */
export type NameSearch = {
  /** Condition on a row of the table. */
  holds: RawBuilder<boolean>
  /** Number of hits among all rows; null where they have to be counted. */
  total: RawBuilder<number> | null
}

/** Shorter texts have no trigram: every name is read from an index. */
const LETTERS_MIN = 3
/** Up to this many hits, reading and sorting them is faster than scanning the index of the order. */
const FEW = 3_000
/** Beyond this many hits the trigram index is no faster than reading all names. */
const MANY = 20_000

/**
 * The search for a part of a name. Every strategy finds the same rows, so the number of hits only selects one; `known`
 * is the cached number.
 */
export async function nameSearch(
  db: Database,
  text: string,
  known?: number,
  { table, column, trigrams, articles } = ARTICLES,
): Promise<NameSearch> {
  const folded = foldName(text)
  const reading = holdsText(`${table}.${column}`, text)
  // PostgreSQL's planner decides whether to use its own trigram index.
  if ([...folded].length < LETTERS_MIN || isPostgres(db)) return { holds: reading, total: null }
  const phrase = `"${folded.replaceAll('"', '""')}"`
  const index = sql.table(trigrams)
  const hits = known ?? Number((await countSome(trigrams)(db, { phrase }))[0]?.hits)
  if (hits > MANY) return { holds: reading, total: null }
  const total = sql<number>`(select count(*) from ${index} where ${index} match ${phrase})`
  if (hits > FEW) return { holds: reading, total }
  const found = sql`(select rowid from ${index} where ${index} match ${phrase})`
  const holds = articles
    ? sql<boolean>`${sql.ref(`${table}.${articles}`)} in (select id from articles where rowid in ${found})`
    : sql<boolean>`${sql.table(table)}.rowid in ${found}`
  return { holds, total }
}

/** Counts no further than the choice of a strategy needs. */
const countIn = (trigrams: string) =>
  prepared((db, given: { phrase: string }) => {
    const index = sql.table(trigrams)
    return {
      compile: () =>
        sql<{ hits: number }>`select count(*) as hits from (
          select 1 from ${index} where ${index} match ${given.phrase} limit ${sql.lit(MANY + 1)}
        )`.compile(db),
    }
  })
const counting = new Map<string, ReturnType<typeof countIn>>()
function countSome(trigrams: string) {
  const known = counting.get(trigrams) ?? countIn(trigrams)
  counting.set(trigrams, known)
  return known
}

/** Rows whose folded name contains the folded text. % and _ are not wildcards (Q88). */
export function holdsText(column: string, text: string): RawBuilder<boolean> {
  const literal = foldName(text).replace(/[\\%_]/g, '\\$&')
  return sql<boolean>`${sql.ref(column)} like ${`%${literal}%`} escape '\\'`
}
