import { Hono } from 'hono'
import { ARTICLE_BODY_BYTES } from '../../domain/limits.ts'
import { articleCreateBody, articleSettingsBody } from '../../domain/wire/articles.ts'
import { articleCountsQuery, articleListQuery } from '../../domain/wire/list-query.ts'
import { listOf } from '../../domain/wire/listing.ts'
import { bulkBody } from '../../domain/wire/progress.ts'
import { recordChange } from '../audit/audit-rows.ts'
import type { Deps } from '../deps.ts'
import {
  type AppEnv,
  ensureSignedIn,
  requireAdmin,
  requireUser,
  type Viewer,
} from '../http/authenticate.ts'
import { articleNotFound } from '../http/errors.ts'
import { jsonResponse } from '../http/json-response.ts'
import { readListQuery, readQuery } from '../http/listing-query.ts'
import { readJson } from '../http/read-body.ts'
import { pathId } from '../http/read-query.ts'
import { limitKeywordLists } from '../throttle/request-limits.ts'
import { addArticle } from './add-article.ts'
import {
  aboutChange,
  answerArticle,
  answerChange,
  answerOnce,
  expectTexts,
  listJson,
  readWhole,
  withWords,
} from './article-http.ts'
import { countArticles, listArticles } from './article-pages.ts'
import { type ArticleWithText, findArticle, withTexts } from './article-rows.ts'
import { changeArticles } from './bulk-change.ts'
import { changeSettings } from './change-settings.ts'
import { deleteArticle, restoreArticle } from './deleted-article-rows.ts'

/** Routes for admins, over the articles of all clients. */
export function adminArticleRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  const user = requireUser(deps)

  routes.get('/', user, requireAdmin, async (c) => {
    const { fields, ...listing } = readListQuery(c, articleListQuery)
    if (fields === 'text') expectTexts(c, listing)
    const { rows, total } = await deps.reads.read(async (db) => {
      const { articles, total } = await listArticles(db, listing)
      return { rows: fields === 'text' ? await withTexts(db, articles) : articles, total }
    })
    return jsonResponse(c, listJson(listOf(rows, listing.page, listing.limit, total), withWords))
  })

  routes.get('/admin/counts', user, requireAdmin, async (c) => {
    const query = readQuery(c, articleCountsQuery)
    return c.json(await deps.reads.read((db) => countArticles(db, query)))
  })

  routes.post('/', user, requireAdmin, async (c) => {
    const body = await readJson(c, articleCreateBody, ARTICLE_BODY_BYTES)
    return answerArticle(c, await addArticle(deps, c.get('viewer'), body), 201)
  })

  routes.patch('/admin/:id', user, requireAdmin, async (c) => {
    const articleId = pathId(c, 'id', articleNotFound)
    const body = await readWhole(c, articleSettingsBody, ARTICLE_BODY_BYTES, 'maybe-packed')
    if (body.ok && body.changes.keywordList !== undefined) await limitKeywordLists(deps, c)
    const answer = await changeSettings(deps, {
      viewer: c.get('viewer'),
      articleId,
      body,
      ...aboutChange(c),
    })
    return answerChange(c, answer)
  })

  routes.post('/bulk', user, requireAdmin, async (c) => {
    const body = await readWhole(c, bulkBody)
    if (body.ok) await limitKeywordLists(deps, c)
    const { idempotencyKey } = aboutChange(c)
    const request = { viewer: c.get('viewer'), body, idempotencyKey, status: 200 } as const
    return answerOnce(c, await changeArticles(deps, request))
  })

  routes.delete('/:id', user, requireAdmin, async (c) => {
    await removeArticle(deps, c.get('viewer'), pathId(c, 'id', articleNotFound))
    return c.body(null, 204)
  })

  routes.post('/admin/:id/restore', user, requireAdmin, async (c) => {
    const id = pathId(c, 'id', articleNotFound)
    return answerArticle(c, await bringBack(deps, c.get('viewer'), id))
  })

  return routes
}

/** It can be restored for a limited time (Q91); until then requests for it get 404. */
function removeArticle(deps: Deps, viewer: Viewer, id: string): Promise<void> {
  const now = deps.clock.now()
  return deps.db.transaction().execute(async (db) => {
    await ensureSignedIn(db, viewer, now)
    if (!(await deleteArticle(db, id, { now, deletedBy: viewer.id }))) throw articleNotFound()
    await recordChange(deps, db, { actorId: viewer.id, action: 'article.deleted', subjectId: id })
  })
}

/** Restores a deleted article. Idempotent: an article that is not deleted is returned unchanged. */
function bringBack(deps: Deps, viewer: Viewer, id: string): Promise<ArticleWithText> {
  const now = deps.clock.now()
  return deps.db.transaction().execute(async (db) => {
    await ensureSignedIn(db, viewer, now)
    if ((await restoreArticle(db, id, now)) !== undefined) {
      await recordChange(deps, db, {
        actorId: viewer.id,
        action: 'article.restored',
        subjectId: id,
      })
    }
    const article = await findArticle(db, viewer, id)
    if (article === undefined) throw articleNotFound()
    return article
  })
}
