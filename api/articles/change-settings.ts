import type { ArticleSettings, Keyword } from '../../domain/wire/articles.ts'
import { type AuditDetail, recordChanges } from '../audit/audit-rows.ts'
import { isLiveClient } from '../clients/client-rows.ts'
import { monotonicNow } from '../database/monotonic-now.ts'
import type { ArticleRow } from '../database/tables.ts'
import type { Database, Deps } from '../deps.ts'
import { countChange, countChanges } from '../events/change-rows.ts'
import { ApiError } from '../http/errors.ts'
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
    if (changed.length === 0) return { article }
    if (changed.includes('clientId')) await refuseUnknownClient(db, settings.clientId)
    await refuseStale(db, article, request)
    const change = { actorId: request.viewer.id, settings, now }
    await applySettings(deps, db, { ...change, articles: [article] })
    return { article: (await findArticle(db, request.viewer, article.id)) ?? article }
  })
}

/** What a change of settings reads of an article: the list of entities only where the settings have one. */
type SettledArticle = Pick<
  ArticleRow,
  'id' | 'name' | 'client_id' | 'word_minimum' | 'updated_at'
> &
  Partial<Pick<ArticleRow, 'keyword_list'>>

export type SettingsChange = {
  actorId: string
  /** At least one; each of them differs from the settings. */
  articles: readonly SettledArticle[]
  settings: ArticleSettings
  now: number
}

/** Writes, records and counts the same change of several articles. Call it in the transaction that read them. */
export async function applySettings(
  deps: Deps,
  db: Database,
  { actorId, articles, settings, now }: SettingsChange,
): Promise<void> {
  for (const [updatedAt, ids] of idsByTime(articles, now)) {
    await updateSettings(db, ids, settings, updatedAt)
  }
  const changes = articles.map((article) => {
    const changed = changedFields(article, settings)
    return { subjectId: article.id, detail: { ...changesOf(article, settings, changed), changed } }
  })
  await recordChanges(deps, db, { actorId, action: 'article.changed', changes })
  await countChanges(
    db,
    articles.map(({ id }) => id),
  )
  // The previous readers get no hint of the article any more, so all readers compare their lists.
  const isMove = changes.some(({ detail }) => detail.changed.includes('clientId'))
  if (isMove) await countChange(db, null)
}

/** One time for all, but for articles that were changed later than it is now: the clock was set back. */
function idsByTime(articles: readonly SettledArticle[], now: number): Map<string, string[]> {
  const byTime = new Map<string, string[]>()
  for (const { id, updated_at } of articles) {
    const time = monotonicNow(updated_at, now)
    const ids = byTime.get(time)
    if (ids) ids.push(id)
    else byTime.set(time, [id])
  }
  return byTime
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
