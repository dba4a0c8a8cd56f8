import { thinnedVersions } from '../../domain/revision-thinning.ts'
import type { Database, Deps } from '../deps.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
/** The first round after a start looks at what changed while the server was off, and before. */
const FIRST_LOOK_BACK_MS = 14 * DAY_MS
/** Longer than any pause between two rounds of one process, so that none misses an article. */
const LOOK_BACK_MS = 2 * DAY_MS
/** Each batch gives way to the requests that wait. */
const ARTICLES_AT_ONCE = 50

type ThinDeps = Pick<Deps, 'db' | 'clock' | 'isDraining'>

/** Rounds that take earlier texts which nobody will miss out of the articles that changed lately. */
export function createThinning(deps: ThinDeps): () => Promise<void> {
  let lookBackMs = FIRST_LOOK_BACK_MS
  return async () => {
    await thinRevisions(deps, lookBackMs)
    lookBackMs = LOOK_BACK_MS
  }
}

async function thinRevisions({ db, clock, isDraining }: ThinDeps, ms: number): Promise<void> {
  const since = new Date(clock.now() - ms).toISOString()
  let after = ''
  while (!isDraining()) {
    const ids = await changedArticles(db, since, after)
    for (const id of ids) await thinArticle(db, id)
    const last = ids.at(-1)
    if (last === undefined) return
    after = last
    await new Promise((others) => setImmediate(others))
  }
}

async function changedArticles(db: Database, since: string, after: string): Promise<string[]> {
  const rows = await db
    .selectFrom('articles')
    .select('id')
    .where('updated_at', '>=', since)
    .where('id', '>', after)
    .orderBy('id')
    .limit(ARTICLES_AT_ONCE)
    .execute()
  return rows.map(({ id }) => id)
}

async function thinArticle(db: Database, articleId: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const revisions = await transaction
      .selectFrom('article_revisions')
      .select(['text_version as textVersion', 'base_text_version as baseTextVersion'])
      .select(['author_id as authorId', 'reason', 'created_at as createdAt'])
      .where('article_id', '=', articleId)
      .execute()
    const thinned = [...thinnedVersions(revisions)]
    if (thinned.length === 0) return
    await transaction
      .deleteFrom('article_revisions')
      .where('article_id', '=', articleId)
      .where('text_version', 'in', thinned)
      .execute()
  })
}
