import type { ArticleSettings, Keyword } from '../../domain/wire-articles.ts'
import { type AuditDetail, recordChange } from '../audit/audit-rows.ts'
import { isLiveClient } from '../clients/client-rows.ts'
import type { ArticleRow } from '../database/tables.ts'
import type { Database, Deps } from '../deps.ts'
import { countChange } from '../events/change-rows.ts'
import { ApiError } from '../http/errors.ts'
import { monotonicNow } from '../monotonic-now.ts'
import { updateSettings } from './admin-article-rows.ts'
import {
  type ChangeAnswer,
  type ChangeRequest,
  changeArticle,
  refuseStale,
} from './article-change.ts'
import { findArticle } from './article-rows.ts'

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
    await applySettings(deps, db, { actorId: request.viewer.id, article, settings, changed, now })
    if (changed.includes('clientId')) await notifyPreviousReaders(db)
    return (await findArticle(db, request.viewer, article.id)) ?? article
  })
}

/** What a change of settings reads of an article: the list of entities only where the settings have one. */
type SettledArticle = Pick<
  ArticleRow,
  'id' | 'name' | 'client_id' | 'word_minimum' | 'version' | 'updated_at'
> &
  Partial<Pick<ArticleRow, 'keyword_list'>>

export type SettingsChange = {
  actorId: string
  article: SettledArticle
  settings: ArticleSettings
  /** Names of the settings that differ, as `changedFields` returns them; at least one. */
  changed: readonly string[]
  now: number
}

/**
 * Writes, records and counts a change of settings. Call it in the transaction that read the article, and
 * `notifyPreviousReaders` once in it where clients changed.
 */
export async function applySettings(
  deps: Deps,
  db: Database,
  { actorId, article, settings, changed, now }: SettingsChange,
): Promise<void> {
  const updated_at = monotonicNow(article.updated_at, now)
  await updateSettings(db, article.id, settings, { version: article.version + 1, updated_at })
  await recordChange(deps, db, {
    actorId,
    action: 'article.changed',
    subjectId: article.id,
    detail: { changed: [...changed], ...changesOf(article, settings, changed) },
  })
}

/** Who loses an article gets no hint of it, so all readers compare their lists. */
export const notifyPreviousReaders = (db: Database): Promise<void> => countChange(db, null)

/** An article may have no client (Q70), but never one that is unknown or deleted. */
export async function refuseUnknownClient(
  db: Database,
  clientId: string | null | undefined,
): Promise<void> {
  if (clientId === null || clientId === undefined || (await isLiveClient(db, clientId))) return
  throw new ApiError(400, '"clientId" must be the id of a client')
}

function changesOf(
  article: SettledArticle,
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
        entities: entitiesChange(keywordList, keywordsOf(article)),
      }),
  }
}

/** An entity that only moved to another group is neither added nor removed. */
function entitiesChange(now: readonly Keyword[], before: readonly Keyword[]) {
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

/** Names of the settings that are other ones than those of the article. */
export function changedFields(article: SettledArticle, settings: ArticleSettings): string[] {
  const keys = Object.keys(settings) as (keyof ArticleSettings)[]
  return keys.filter(
    (key) => JSON.stringify(settings[key]) !== JSON.stringify(PRESENT[key](article)),
  )
}

const PRESENT: { [Key in keyof ArticleSettings]-?: (article: SettledArticle) => unknown } = {
  name: ({ name }) => name,
  clientId: ({ client_id }) => client_id,
  wordMinimum: ({ word_minimum }) => word_minimum,
  keywordList: (article) => keywordsOf(article),
}

function keywordsOf({ keyword_list }: SettledArticle): Keyword[] {
  if (keyword_list === undefined) throw new Error('The list of entities was not read')
  return JSON.parse(keyword_list)
}
