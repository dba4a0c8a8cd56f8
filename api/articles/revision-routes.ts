import { Hono } from 'hono'
import { revisionsQuery } from '../../domain/wire/list-query.ts'
import { listOf } from '../../domain/wire/listing.ts'
import type { Deps } from '../deps.ts'
import { type AppContext, type AppEnv, requireUser } from '../http/authenticate.ts'
import { articleNotFound } from '../http/errors.ts'
import { jsonResponse } from '../http/json-response.ts'
import { readQuery } from '../http/listing-query.ts'
import { pathId } from '../http/read-query.ts'
import { aboutChange, answerChange } from './article-http.ts'
import { withArticleText } from './article-json.ts'
import { restoreRevision } from './patch-article.ts'
import { readableId } from './readable-id.ts'
import {
  findRevision,
  listRevisions,
  revisionName,
  revisionNotFound,
  type StoredRevision,
} from './revision-rows.ts'
import { sha256 } from './stored-text.ts'

/** The revisions of an article, for every user who may read it. */
export function revisionRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  const user = requireUser(deps)

  routes.get('/:id/revisions', user, async (c) => {
    const list = await deps.reads.read(async (db) => {
      const id = await readableId(db, c)
      const { page, limit } = readQuery(c, revisionsQuery)
      const { revisions, total } = await listRevisions(db, id, { page, limit })
      return listOf(revisions.map(toRevision), page, limit, total)
    })
    return jsonResponse(c, JSON.stringify(list))
  })

  routes.get('/:id/revisions/:textVersion', user, async (c) => {
    const revision = await deps.reads.read(async (db) => {
      const id = await readableId(db, c)
      const textVersion = pathTextVersion(c)
      return textVersion && findRevision(db, id, textVersion)
    })
    if (!revision) throw revisionNotFound()
    const json = JSON.stringify({ ...toRevision(revision), revision: revisionName(revision) })
    return jsonResponse(c, withArticleText(json, revision.article_text))
  })

  // The path has all the input; a body is not read.
  routes.post('/:id/revisions/:textVersion/restore', user, async (c) => {
    const hash = sha256(JSON.stringify([c.req.method, c.req.path]))
    const answer = await restoreRevision(deps, {
      viewer: c.get('viewer'),
      articleId: pathId(c, 'id', articleNotFound),
      body: { ok: true, changes: { textVersion: pathTextVersion(c) }, hash: () => hash },
      ...aboutChange(c),
    })
    return answerChange(c, answer)
  })

  return routes
}

/** Null for an impossible version; PostgreSQL refuses to compare numbers beyond its integer range. */
function pathTextVersion(c: AppContext): number | null {
  const text = c.req.param('textVersion') ?? ''
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
}

/** Co-writers see the author's name, and never the e-mail address. */
function toRevision(revision: StoredRevision) {
  const { author_id: id, author_name: name } = revision
  return {
    textVersion: revision.text_version,
    words: revision.words,
    author: id === null ? null : { id, name },
    reason: revision.reason,
    handIn: revision.hand_in,
    createdAt: revision.created_at,
  }
}
