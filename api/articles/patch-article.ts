import type * as z from 'zod'
import { canReopenArticle } from '../../domain/access/permissions.ts'
import type { articlePatchBody } from '../../domain/wire/changes.ts'
import { recordChange } from '../audit/audit-rows.ts'
import { monotonicNow } from '../database/monotonic-now.ts'
import type { RevisionReason } from '../database/tables.ts'
import type { Database, Deps } from '../deps.ts'
import { addHandIn, noteReopening } from '../hand-ins/hand-in-rows.ts'
import type { Viewer } from '../http/authenticate.ts'
import { ApiError, forbidden } from '../http/errors.ts'
import {
  type ChangeAnswer,
  type Changed,
  type ChangeRequest,
  changeArticle,
  refuseStale,
  refuseStaleText,
} from './article-change.ts'
import { type ArticleWithText, updateArticle } from './article-rows.ts'
import { type NewText, recordMerge, recordRestored } from './log-text-origin.ts'
import { readTags } from './precondition.ts'
import { findRevision, insertRevision, revisionName, revisionNotFound } from './revision-rows.ts'
import { hasStoredLinks, isSameText, type StoredText, storedText } from './stored-text.ts'
import type { Superseded } from './superseded.ts'

export type ArticlePatch = { text: StoredText | undefined; completed: boolean | undefined }

/** Origin of a text, where it is not plain typing: the outcome of a merge, or an earlier text. */
type TextOrigin = 'merge' | 'restore' | undefined

/**
 * `Contun-Reason` next to If-Match states the origin of the text; it is stored with the revision. Unknown values are
 * ignored.
 */
export const originOf = (reason: string | undefined): TextOrigin =>
  reason === 'merge' || reason === 'restore' ? reason : undefined

/** Whether the client of a change reads and keeps links, by what it says in Contun-Knows. */
export const knowsLinks = (known = ''): boolean => known.split(/\s*,\s*/).includes('links')

/** The changes of a checked body, and the fingerprint that a retry under the same key must match. */
export function readPatch({ articleText, completed }: z.output<typeof articlePatchBody>) {
  const text = articleText && storedText(articleText)
  return { changes: { text, completed }, fingerprint: [text?.json ?? null, completed ?? null] }
}

export type PatchRequest = ChangeRequest<ArticlePatch> & {
  origin: TextOrigin
  /** Whether the client would keep links. */
  knowsLinks: boolean
}

/**
 * Changes allowed to every user with access. After the checks of every change: right (403), state (409), nothing to
 * change (200), links that would go unseen (426), precondition (412), change.
 */
export function patchArticle(deps: Deps, request: PatchRequest): Promise<ChangeAnswer> {
  return changeArticle(deps, request, (db, article, patch, about) =>
    carryOut(deps, db, { article, patch, request, ...about }),
  )
}

/** Restores an earlier text of the article, by a change like any other; 404 when the article never had that version. */
export function restoreRevision(
  deps: Deps,
  request: ChangeRequest<{ textVersion: number | null }>,
): Promise<ChangeAnswer> {
  return changeArticle(deps, request, async (db, article, { textVersion }, about) => {
    const revision = textVersion && (await findRevision(db, article.id, textVersion))
    if (!revision) throw revisionNotFound()
    const patch = { text: storedText(JSON.parse(revision.article_text)), completed: undefined }
    // The text is the server's own: its links were seen, or it had none.
    const restoring = {
      ...request,
      origin: undefined,
      knowsLinks: true,
      reason: 'restore',
    } as const
    return carryOut(deps, db, { article, patch, request: restoring, ...about })
  })
}

type Patching = {
  article: ArticleWithText
  patch: ArticlePatch
  request: Pick<
    PatchRequest,
    'viewer' | 'ifMatch' | 'idempotencyKey' | 'origin' | 'knowsLinks' | 'room'
  > & {
    /** Set where the request itself determines it. */
    reason?: RevisionReason
  }
  now: number
  superseded: Superseded | null
}

async function carryOut(
  deps: Deps,
  db: Database,
  { article, patch, request, now, superseded }: Patching,
): Promise<Changed> {
  const { viewer } = request
  refuseForbidden(viewer, patch)
  refuseCompleted(article, patch)
  const isNew = patch.text !== undefined && !isSameText(patch.text.json, article.article_text)
  const text = isNew ? patch.text : undefined
  const completed = patch.completed ?? article.completed === 1
  const isMoved = completed !== (article.completed === 1)
  if (text === undefined && !isMoved) return { article }
  if (text !== undefined) refuseWithoutLinks(article, text, request)
  // A concurrent change of metadata is no conflict for a text, and neither is a text that is stored already.
  if (text !== undefined) await refuseStaleText(db, article, request, superseded)
  else if (patch.text === undefined) await refuseStale(db, article, request)
  const { idempotencyKey: key = null } = request
  const changed = changedArticle(article, { text, key, completed }, viewer, now)
  await updateArticle(db, article, changed)
  if (text !== undefined) await keepRevision(deps, db, { before: article, after: changed, request })
  if (!isMoved) return { article: changed }
  const handIn = await recordCompletion(deps, db, { by: viewer, completed, article, changed })
  return { article: changed, handIn }
}

type Completion = {
  by: Viewer
  completed: boolean
  article: ArticleWithText
  changed: ArticleWithText
}

/** Returns the number of the hand-in. A reopening, which has none, names the text that was handed in, not its own. */
async function recordCompletion(
  deps: Deps,
  db: Database,
  { by, completed, article, changed }: Completion,
): Promise<number | undefined> {
  const textVersion = completed ? changed.text_version : article.text_version
  const action = completed ? 'article.completed' : 'article.reopened'
  const handIn = completed ? await addHandIn(deps, db, changed, by) : undefined
  if (!completed) await noteReopening(db, changed, by)
  const detail = { textVersion, ...(handIn !== undefined && { handIn }) }
  await recordChange(deps, db, { actorId: by.id, action, subjectId: article.id, detail })
  return handIn
}

/** Only an admin can reopen a completed article (spec section 6), also in a request with a text. */
function refuseForbidden(viewer: Viewer, patch: ArticlePatch): void {
  if (patch.completed === false && !canReopenArticle(viewer)) throw forbidden()
}

/** A complete article is read-only for every user; the request that reopens it may contain a text. */
function refuseCompleted(article: ArticleWithText, patch: ArticlePatch): void {
  if (patch.text === undefined || article.completed === 0 || patch.completed === false) return
  throw new ApiError(409, 'This article is complete. Its text can no longer be changed.', {
    reason: 'article_completed',
  })
}

/**
 * A page of an earlier release drops the links of what it opens, without showing or knowing it. It is asked to load again,
 * before it merges: its text stays on its computer, and the page of this release sends it with the links
 * (docs/decisions/035-links.md).
 */
function refuseWithoutLinks(
  article: ArticleWithText,
  text: StoredText,
  { knowsLinks: isKnown }: Pick<PatchRequest, 'knowsLinks'>,
): void {
  if (isKnown || hasStoredLinks(text.json) || !hasStoredLinks(article.article_text)) return
  throw new ApiError(426, 'This text has links, which this page would remove. Reload the page.', {
    reason: 'update_needed',
  })
}

function changedArticle(
  article: ArticleWithText,
  {
    text,
    key,
    completed,
  }: { text: StoredText | undefined; key: string | null; completed: boolean },
  viewer: Viewer,
  now: number,
): ArticleWithText {
  const updated_at = monotonicNow(article.updated_at, now)
  return {
    ...article,
    completed: completed ? 1 : 0,
    version: article.version + 1,
    updated_at,
    ...(completed !== (article.completed === 1) && {
      completed_at: completed ? updated_at : null,
      completed_by: completed ? viewer.id : null,
      completer_name: completed ? viewer.name : null,
    }),
    ...(text !== undefined && {
      text_version: article.text_version + 1,
      text_updated_by: viewer.id,
      text_author_name: viewer.name,
      words: text.words,
      article_text: text.json,
      revision: revisionName({ idem_key: key, created_at: updated_at, article_text: text.json }),
      revision_at: updated_at,
    }),
  }
}

/**
 * Only our own client names the version that a text was based on; without If-Match, or with one that matches any
 * version, the last write wins (Q90).
 */
async function keepRevision(
  deps: Deps,
  db: Database,
  { before, after, request }: NewText & { request: Patching['request'] },
): Promise<void> {
  const { viewer, ifMatch, origin, idempotencyKey } = request
  const tags = readTags(ifMatch)
  const isBased = tags !== null && tags !== 'any'
  const reason = request.reason ?? (isBased ? (origin ?? 'autosave') : 'plain')
  if (reason === 'merge') await recordMerge(deps, db, viewer.id, { before, after })
  if (reason === 'restore') await recordRestored(deps, db, viewer.id, { before, after })
  await insertRevision(db, {
    article_id: after.id,
    text_version: after.text_version,
    base_text_version: isBased ? before.text_version : null,
    words: after.words,
    author_id: after.text_updated_by,
    idem_key: idempotencyKey ?? null,
    reason,
    created_at: after.updated_at,
    article_text: after.article_text,
  })
}
