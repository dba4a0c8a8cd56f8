import { type RawBuilder, sql } from 'kysely'
import { foldName } from '../../domain/folded-name.ts'
import type { Database } from '../deps.ts'
import { isPostgres } from './engine.ts'
import { prepared } from './prepared.ts'

/** Selects the articles whose folded name contains a text. */
export type NameSearch = {
  /** Condition on a row of articles. */
  holds: RawBuilder<boolean>
  /** Number of hits among all articles; null where they have to be counted. */
  total: RawBuilder<number> | null
}

/** Shorter texts have no trigram: every name is read from an index. */
const LETTERS_MIN = 3
/** Up to this many hits, reading and sorting them is faster than scanning the index of the order. */
const FEW = 3_000
/** Beyond this many hits the trigram index is no faster than reading all names. */
const MANY = 20_000

/**
 * The search for a part of an article's name. Every strategy finds the same rows, so the number of hits only selects
 * one; `known` is the cached number.
 */
export async function nameSearch(db: Database, text: string, known?: number): Promise<NameSearch> {
  const folded = foldName(text)
  const reading = holdsText('articles.name_folded', text)
  // PostgreSQL's planner decides whether to use its own trigram index.
  if ([...folded].length < LETTERS_MIN || isPostgres(db)) return { holds: reading, total: null }
  const phrase = `"${folded.replaceAll('"', '""')}"`
  const hits = known ?? Number((await countSome(db, { phrase }))[0]?.hits)
  if (hits > MANY) return { holds: reading, total: null }
  const total = sql<number>`(select count(*) from article_names where article_names match ${phrase})`
  if (hits > FEW) return { holds: reading, total }
  const holds = sql<boolean>`articles.rowid in
    (select rowid from article_names where article_names match ${phrase})`
  return { holds, total }
}

/** Counts no further than the choice of a strategy needs. */
const countSome = prepared((db, given: { phrase: string }) => ({
  compile: () =>
    sql<{ hits: number }>`select count(*) as hits from (
      select 1 from article_names where article_names match ${given.phrase} limit ${sql.lit(MANY + 1)}
    )`.compile(db),
}))

/** Rows whose folded name contains the folded text. % and _ are not wildcards (Q88). */
export function holdsText(column: string, text: string): RawBuilder<boolean> {
  const literal = foldName(text).replace(/[\\%_]/g, '\\$&')
  return sql<boolean>`${sql.ref(column)} like ${`%${literal}%`} escape '\\'`
}
