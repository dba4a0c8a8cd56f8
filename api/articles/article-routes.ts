import { Hono } from 'hono'
import { articlePatchBody } from '../../domain/wire/changes.ts'
import { copiesQuery, myArticlesQuery } from '../../domain/wire/list-query.ts'
import { listOf, wholeList } from '../../domain/wire/listing.ts'
import type { Deps } from '../deps.ts'
import { type AppEnv, requireUser } from '../http/authenticate.ts'
import { articleNotFound } from '../http/errors.ts'
import { jsonResponse } from '../http/json-response.ts'
import { readListQuery, readQuery } from '../http/listing-query.ts'
import { pathId } from '../http/read-query.ts'
import { noteRoutes } from '../notes/note-routes.ts'
import { planRoutes } from '../plans/plan-routes.ts'
import { adminArticleRoutes } from './admin-article-routes.ts'
import {
  aboutChange,
  answerArticle,
  answerChange,
  expectTexts,
  listJson,
  readChange,
  singleArticleJson,
} from './article-http.ts'
import { withFields } from './article-json.ts'
import {
  findMarkedArticle,
  listMyArticles,
  pageOfMyArticles,
  type StoredArticle,
  stateOf,
} from './article-rows.ts'
import { batchRoutes } from './batch-routes.ts'
import { findCopies } from './copy-rows.ts'
import { patchArticle, readPatch } from './patch-article.ts'
import { etagOf, isUnchanged, readTags } from './precondition.ts'
import { revisionRoutes } from './revision-routes.ts'
import { taggedJson, unchanged } from './tagged-json.ts'

/** Routes that `app.ts` mounts at /v1/articles. */
export function articleRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  const user = requireUser(deps, { tellsState: true })

  routes.get('/client/myArticles', user, async (c) => {
    const { fields, page, limit } = readListQuery(c, myArticlesQuery)
    const { id } = c.get('viewer')
    if (fields === undefined) {
      const list = wholeList(await deps.reads.read((db) => listMyArticles(db, id)))
      return taggedJson(c, listJson(list))
    }
    expectTexts(c, { limit })
    const { articles, total } = await deps.reads.read((db) =>
      pageOfMyArticles(db, id, { page, limit }),
    )
    return taggedJson(c, listJson(listOf(articles, page, limit, total)))
  })

  routes.get('/client/copies', user, async (c) => {
    const { ids } = readQuery(c, copiesQuery)
    const { copies, rest } = await deps.reads.read((db) => findCopies(db, c.get('viewer'), ids))
    const results = copies.map(({ article, ...others }) =>
      withFields(`{"article":${singleArticleJson(article)}}`, others),
    )
    return jsonResponse(c, `{"results":[${results.join(',')}],"rest":${JSON.stringify(rest)}}`)
  })

  routes.get('/:id', user, async (c) => {
    const id = pathId(c, 'id', articleNotFound)
    const article = await deps.reads.read((db) => findMarkedArticle(db, c.get('viewer'), id))
    if (article === undefined) throw articleNotFound()
    const state = stateOf(article)
    const isKnown = isUnchanged(readTags(c.req.header('if-none-match')), state)
    return isKnown && !clientChangedSince(article) && !hasUncounted(article)
      ? unchanged(c, etagOf(state))
      : answerArticle(c, article)
  })

  routes.patch('/:id', user, async (c) => {
    const answer = await patchArticle(deps, {
      viewer: c.get('viewer'),
      articleId: pathId(c, 'id', articleNotFound),
      body: await readChange(c, articlePatchBody, readPatch),
      ...aboutChange(c),
    })
    return answerChange(c, answer)
  })

  routes.route('/', batchRoutes(deps))
  routes.route('/', revisionRoutes(deps))
  routes.route('/', noteRoutes(deps))
  routes.route('/', planRoutes(deps))
  routes.route('/', adminArticleRoutes(deps))
  return routes
}

/** The client is in the response, but its changes are not counted in the article's version. */
function clientChangedSince(article: StoredArticle): boolean {
  const { client_updated_at, client_deleted_at, updated_at } = article
  return [client_updated_at, client_deleted_at].some((time) => time !== null && time > updated_at)
}

/** Notes and the plan are in the response too, and nothing in its tag says which of them the reader knows. */
const hasUncounted = ({ notes, plan_counter }: StoredArticle): boolean =>
  Boolean(notes) || Boolean(plan_counter)
