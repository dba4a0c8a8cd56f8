import { Hono } from 'hono'
import { wholeList } from '../../domain/listing.ts'
import { answerText } from '../answer-text.ts'
import { type AppContext, type AppEnv, requireUser } from '../authenticate.ts'
import type { Deps } from '../deps.ts'
import { ApiError, articleNotFound } from '../errors.ts'
import { tellState } from '../events/state-headers.ts'
import { pathId, queryText } from '../read-query.ts'
import { adminArticleRoutes } from './admin-article-routes.ts'
import { findArticle, listMyArticles, type StoredArticle, stateOf } from './article-rows.ts'
import { batchRoutes } from './batch-routes.ts'
import { aboutChange, answerArticle, answerChange, listJson, readArticlePatch } from './exchange.ts'
import { patchArticle } from './patch-article.ts'
import { etagOf, hasTag, isUnchanged, readTags } from './precondition.ts'
import { revisionRoutes } from './revision-routes.ts'
import { sha256 } from './stored-text.ts'

/** What `app.ts` mounts at /v1/articles. */
export function articleRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  const user = requireUser(deps)
  const state = tellState(deps)

  routes.get('/client/myArticles', user, state, async (c) => {
    const withText = wantsText(c)
    const articles = await listMyArticles(deps.db, c.get('viewer').id, withText)
    return answerList(c, articles)
  })

  routes.get('/:id', user, state, async (c) => {
    const id = pathId(c, 'id', articleNotFound)
    const article = await findArticle(deps.db, c.get('viewer'), id)
    if (article === undefined) throw articleNotFound()
    const state = stateOf(article)
    const isKnown = isUnchanged(readTags(c.req.header('if-none-match')), state)
    return isKnown && !clientChangedSince(article)
      ? unchanged(c, etagOf(state))
      : answerArticle(c, article)
  })

  routes.patch('/:id', user, state, async (c) => {
    const answer = await patchArticle(deps, {
      viewer: c.get('viewer'),
      articleId: pathId(c, 'id', articleNotFound),
      body: await readArticlePatch(c),
      ...aboutChange(c),
    })
    return answerChange(c, answer)
  })

  routes.route('/', batchRoutes(deps))
  routes.route('/', revisionRoutes(deps))
  routes.route('/', adminArticleRoutes(deps))
  return routes
}

/** The client stands in the answer, but its changes are not counted in the article's version. */
function clientChangedSince(article: StoredArticle): boolean {
  const { client_updated_at, client_deleted_at, updated_at } = article
  return [client_updated_at, client_deleted_at].some((time) => time !== null && time > updated_at)
}

function wantsText(c: AppContext): boolean {
  const fields = queryText(c, 'fields')
  if (fields !== undefined && fields !== 'text') throw new ApiError(400, '"fields" must be "text"')
  return fields === 'text'
}

async function answerList(c: AppContext, articles: StoredArticle[]): Promise<Response> {
  const json = listJson(wholeList(articles))
  const etag = `"${sha256(json)}"`
  return hasTag(c.req.header('if-none-match'), etag)
    ? unchanged(c, etag)
    : answerText(c, json, { headers: { ETag: etag } })
}

const unchanged = (c: AppContext, etag: string): Response => c.body(null, 304, { ETag: etag })
