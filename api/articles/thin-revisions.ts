import { thinnedVersions } from '../../domain/revision-thinning.ts'
import type { Database, Deps } from '../deps.ts'

/** Longer than any pause between two rounds, so that none misses an article. */
const LOOK_BACK_MS = 48 * 60 * 60 * 1_000
/** Each batch gives way to the requests that wait. */
const ARTICLES_AT_ONCE = 50

/** Takes earlier texts that nobody will miss out of the articles that changed lately. */
export async function thinRevisions({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const since = new Date(clock.now() - LOOK_BACK_MS).toISOString()
  let after = ''
  for (;;) {
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
