import type { ArticleSettings, Keyword } from '../../domain/wire-articles.ts'
import { type AuditDetail, recordChange } from '../audit/audit-rows.ts'
import { isLiveClient } from '../clients/client-rows.ts'
import type { Database, Deps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { monotonicNow } from '../monotonic-now.ts'
import { updateSettings } from './admin-article-rows.ts'
import {
  type ChangeAnswer,
  type ChangeRequest,
  changeArticle,
  refuseStale,
} from './article-change.ts'
import { type ArticleWithText, findArticle } from './article-rows.ts'

/**
 * Settings that only the agency changes: counted in the version, not in the version of the text. After the checks of
 * every change: nothing to change (200), client exists (400), precondition on the version (412), change.
 */
export function changeSettings(
  deps: Deps,
  request: ChangeRequest<ArticleSettings>,
): Promise<ChangeAnswer> {
  return changeArticle(deps, request, async (db, article, settings, { now }) => {
    const changed = changedFields(article, settings)
    if (changed.length === 0) return article
    if (changed.includes('clientId')) await refuseUnknownClient(db, settings.clientId)
    await refuseStale(db, article, request)
    await keepSettings(deps, db, { article, settings, changed, by: request.viewer, now })
    return (await findArticle(db, request.viewer, article.id)) ?? article
  })
}

/** `changed` as of changedFields, at least one. */
type NewSettings = {
  article: ArticleWithText
  settings: ArticleSettings
  changed: string[]
  by: { id: string }
  now: number
}

/** Writes the settings and the entry in the log. Call it in a transaction, after the checks. */
export async function keepSettings(
  deps: Deps,
  db: Database,
  { article, settings, changed, by, now }: NewSettings,
): Promise<void> {
  const updated_at = monotonicNow(article.updated_at, now)
  await updateSettings(db, article.id, settings, { version: article.version + 1, updated_at })
  await recordChange(deps, db, {
    actorId: by.id,
    action: 'article.changed',
    subjectId: article.id,
    detail: { changed, ...changesOf(article, settings, changed) },
  })
}

/** An article may have no client (Q70), but never one that is unknown or deleted. */
export async function refuseUnknownClient(
  db: Database,
  clientId: string | null | undefined,
): Promise<void> {
  if (clientId === null || clientId === undefined || (await isLiveClient(db, clientId))) return
  throw new ApiError(400, '"clientId" must be the id of a client')
}

function changesOf(
  article: ArticleWithText,
  { clientId, wordMinimum, keywordList }: ArticleSettings,
  changed: readonly string[],
): AuditDetail {
  return {
    ...(clientId !== undefined && { clientId, formerClientId: article.client_id }),
    ...(changed.includes('name') && { formerName: article.name }),
    ...(wordMinimum !== undefined &&
      changed.includes('wordMinimum') && {
        wordMinimum: { now: wordMinimum, before: article.word_minimum },
      }),
    ...(keywordList !== undefined &&
      changed.includes('keywordList') && {
        entities: entitiesChange(keywordList, JSON.parse(article.keyword_list)),
      }),
  }
}

/** An entity that only moved to another group is neither added nor removed. */
export function entitiesChange(now: readonly Keyword[], before: readonly Keyword[]) {
  return {
    now: now.length,
    before: before.length,
    added: countMissing(now, before),
    removed: countMissing(before, now),
  }
}

/** How many of `keywords` are not in `others`. */
function countMissing(keywords: readonly Keyword[], others: readonly Keyword[]): number {
  const known = new Set(others.map(({ keyword }) => keyword))
  return keywords.filter(({ keyword }) => !known.has(keyword)).length
}

/** Names of the settings that differ from those of the article. */
export function changedFields(article: ArticleWithText, settings: ArticleSettings): string[] {
  const present: Required<ArticleSettings> = {
    name: article.name,
    clientId: article.client_id,
    wordMinimum: article.word_minimum,
    keywordList: JSON.parse(article.keyword_list),
  }
  const keys = Object.keys(settings) as (keyof ArticleSettings)[]
  return keys.filter((key) => JSON.stringify(settings[key]) !== JSON.stringify(present[key]))
}
