import { type RawBuilder, sql } from 'kysely'
import { articleState, riskKey } from '../../domain/article-state.ts'
import { standingOf } from '../../domain/standing.ts'
import { isOutlineAlone } from '../../domain/text/outline.ts'
import { preparedByKey } from '../database/prepared.ts'
import type { ArticleStandingRow, RevisionReason } from '../database/tables.ts'
import type { Database } from '../deps.ts'

/** The value of `due_last` without a date. */
const NO_DATE = '9999-12-31'

/** Whether the row `standing` is not of the version of `articles`, or not of the counter of `plan`. */
export const isStale: RawBuilder<boolean> = sql<boolean>`(coalesce(standing.version, 0) <> articles.version
  or coalesce(standing.plan_counter, 0) <> coalesce(plan.counter, 0))`

/** Articles with what was counted of them, and what it is compared with. */
export const withStanding = (db: Database) =>
  db
    .selectFrom('articles')
    .leftJoin('article_standing as standing', 'standing.article_id', 'articles.id')
    .leftJoin('article_plans as plan', 'plan.article_id', 'articles.id')

/** Those of these articles that changed since they were counted. */
export async function staleArticles(db: Database, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await withStanding(db)
    .select('articles.id')
    .where('articles.id', 'in', ids)
    .where(isStale)
    .execute()
  return rows.map(({ id }) => id)
}

/** The next articles in the order of their ids. */
export async function articlesAfter(db: Database, id: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('articles')
    .select('id')
    .where('id', '>', id)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/**
 * Counts the article as it is now, by the rules of the scorecard; undefined when it is gone. Reads without a
 * transaction: what changes at the same time, `writeStandings` refuses.
 */
export async function countArticle(
  db: Database,
  id: string,
  now: string,
): Promise<ArticleStandingRow | undefined> {
  const [facts] = await readFacts(db, { id })
  if (facts === undefined) return undefined
  const text = JSON.parse(facts.article_text)
  const { words, groups } = standingOf(text, JSON.parse(facts.keyword_list))
  const mustUse = groups.find(({ category }) => category === 'Must Use')
  const completed = facts.completed === 1
  // The headings that an article was created with are the agency's: nothing is begun by them.
  const isBegun = !(facts.reason === 'created' && isOutlineAlone(text))
  const [dueOn, lastWordsAt] = [facts.due_on, isBegun && wasWritten(facts) ? facts.text_at : null]
  const length = { words: isBegun ? words : 0, wordMinimum: facts.word_minimum }
  const { handed_in_at: handedInAt } = facts
  return {
    article_id: id,
    version: facts.version,
    plan_counter: facts.plan_counter ?? 0,
    must_used: mustUse?.used ?? 0,
    must_total: mustUse?.total ?? 0,
    words,
    name_folded: facts.name_folded,
    client_id: facts.client_id,
    state: articleState({ ...length, completed, wasHandedIn: handedInAt !== null }),
    due_on: dueOn ?? '',
    due_last: dueOn ?? NO_DATE,
    last_words_at: lastWordsAt ?? '',
    risk: riskKey({ ...length, completed, dueOn, lastWordsAt, handedInAt }),
    counted_at: now,
  }
}

/** Whether the current text has words, or had some: an article is created without any, unless its text comes with it. */
export const wasWritten = ({
  reason,
  words,
}: {
  reason: RevisionReason | null
  words: number
}): boolean => reason !== null && (reason !== 'created' || words > 0)

const readFacts = preparedByKey((db, given: { id: string }) =>
  db
    .selectFrom('articles')
    .leftJoin('article_marks as marks', 'marks.article_id', 'articles.id')
    .leftJoin('article_revisions as text', (join) =>
      join
        .onRef('text.article_id', '=', 'articles.id')
        .onRef('text.text_version', '=', 'articles.text_version'),
    )
    .select(['articles.version', 'articles.name_folded', 'articles.client_id'])
    .select(['articles.word_minimum', 'articles.completed', 'articles.words'])
    .select(['articles.keyword_list', 'articles.article_text'])
    .select(['marks.plan_counter', 'marks.due_on', 'marks.handed_in_at'])
    .select(['text.reason', 'text.created_at as text_at'])
    .where('articles.id', '=', given.id),
)

/** Corrects a number of words that an earlier release counted by another rule. The version of the article stays. */
const correctWords = (
  db: Database,
  id: string,
  { version, words }: { version: number; words: number },
) =>
  db
    .updateTable('articles')
    .set({ words })
    .where('id', '=', id)
    .where('version', '=', version)
    .execute()

const COLUMNS = [
  'version',
  'plan_counter',
  'must_used',
  'must_total',
  'words',
  'name_folded',
  'client_id',
  'state',
  'due_on',
  'due_last',
  'last_words_at',
  'risk',
  'counted_at',
] as const satisfies (keyof ArticleStandingRow)[]

/**
 * Writes those that are of the current version of their article and plan. The others changed after they were counted, or
 * are gone. Call it inside a transaction.
 */
export async function writeStandings(
  db: Database,
  counted: readonly ArticleStandingRow[],
): Promise<void> {
  const ids = counted.map((row) => row.article_id)
  const rows = await db
    .selectFrom('articles')
    .leftJoin('article_plans as plan', 'plan.article_id', 'articles.id')
    .select(['articles.id', 'articles.version', 'articles.words', 'plan.counter'])
    .where('articles.id', 'in', ids)
    .execute()
  const current = new Map(rows.map((row) => [row.id, row]))
  const valid = counted.filter(({ article_id, version, plan_counter }) => {
    const article = current.get(article_id)
    return article?.version === version && (article.counter ?? 0) === plan_counter
  })
  if (valid.length === 0) return
  for (const { article_id, version, words } of valid) {
    if (current.get(article_id)?.words !== words)
      await correctWords(db, article_id, { version, words })
  }
  await db
    .insertInto('article_standing')
    .values(valid)
    .onConflict((conflict) =>
      conflict
        .column('article_id')
        .doUpdateSet((eb) =>
          Object.fromEntries(COLUMNS.map((column) => [column, eb.ref(`excluded.${column}`)])),
        ),
    )
    .execute()
}
