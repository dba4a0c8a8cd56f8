import type { Database } from '../deps.ts'

/** Records that the article's current text was handed in. Call it in the transaction of the completion. */
export async function addHandIn(
  db: Database,
  articleId: string,
  { textVersion, at, userId }: { textVersion: number; at: string; userId: string },
): Promise<void> {
  const { last } = await db
    .selectFrom('hand_ins')
    .select(({ fn }) => fn.max('number').as('last'))
    .where('article_id', '=', articleId)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('hand_ins')
    .values({
      article_id: articleId,
      number: (last ?? 0) + 1,
      text_version: textVersion,
      at,
      user_id: userId,
    })
    .execute()
}

/** The versions of the article that were ever handed in. */
export async function handedInVersions(db: Database, articleId: string): Promise<Set<number>> {
  const rows = await db
    .selectFrom('hand_ins')
    .select('text_version')
    .where('article_id', '=', articleId)
    .execute()
  return new Set(rows.map((row) => row.text_version))
}
