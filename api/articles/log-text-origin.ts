import { recordChange } from '../audit/audit-rows.ts'
import { lastChange } from '../audit/log-rows.ts'
import type { Database, Deps } from '../deps.ts'
import type { ArticleWithText } from './article-rows.ts'

export type NewText = { before: ArticleWithText; after: ArticleWithText }

/** Two users who write at once merge with every save. So often at most are they in the log. */
const MERGES_APART_MS = 30 * 60_000

export async function recordMerge(
  deps: Deps,
  db: Database,
  actorId: string,
  { before }: NewText,
): Promise<void> {
  const { id, text_updated_by: authorId, text_author_name: name } = before
  const mergedWith =
    authorId === null || name === null || name === undefined ? null : { id: authorId, name }
  const last = await lastChange(db, id, 'article.merged', actorId)
  const isRecorded =
    last !== undefined &&
    last.detail.mergedWith?.id === mergedWith?.id &&
    deps.clock.now() - Date.parse(last.at) < MERGES_APART_MS
  if (isRecorded) return
  const detail = { mergedWith }
  await recordChange(deps, db, { actorId, action: 'article.merged', subjectId: id, detail })
}

/** The restored version is the latest one with the same text; unknown where no version has it. */
export async function recordRestored(
  deps: Deps,
  db: Database,
  actorId: string,
  { after }: NewText,
): Promise<void> {
  const version = await db
    .selectFrom('article_revisions')
    .select(['text_version', 'created_at'])
    .where('article_id', '=', after.id)
    .where('words', '=', after.words)
    .where('article_text', '=', after.article_text)
    .orderBy('text_version', 'desc')
    .limit(1)
    .executeTakeFirst()
  const detail =
    version === undefined
      ? {}
      : { restored: { textVersion: version.text_version, at: version.created_at } }
  const entry = { actorId, action: 'article.text-restored', subjectId: after.id } as const
  await recordChange(deps, db, { ...entry, detail })
}
