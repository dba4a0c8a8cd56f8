import type * as z from 'zod'
import { outlineText } from '../../domain/text/outline.ts'
import type { articleCreateBody } from '../../domain/wire/articles.ts'
import type { Database, Deps } from '../deps.ts'
import { ensureSignedIn, type Viewer } from '../http/authenticate.ts'
import { ApiError } from '../http/errors.ts'
import { applyPlan } from '../plans/change-plan.ts'
import { NOT_PLANNED } from '../plans/plan-rows.ts'
import { contentOf, findTemplate, type TemplateContent } from '../templates/template-rows.ts'
import { type ArticleWithText, findArticle } from './article-rows.ts'
import { refuseUnknownClient } from './change-settings.ts'
import { keepNewArticle } from './new-article.ts'

/** A new article. What the template gives is copied: later changes of the template do not change the article. */
export function addArticle(
  deps: Deps,
  viewer: Viewer,
  { templateId, ...article }: z.output<typeof articleCreateBody>,
): Promise<ArticleWithText> {
  const now = deps.clock.now()
  return deps.db.transaction().execute(async (db) => {
    await ensureSignedIn(db, viewer, now)
    await refuseUnknownClient(db, article.clientId)
    const template = await contentOfTemplate(db, templateId)
    const { brief = '', outline = [], keywordList = [] } = template ?? {}
    const isEmpty = Object.keys(article.articleText).length === 0
    const articleText = isEmpty ? outlineText(outline) : article.articleText
    const id = await keepNewArticle(deps, db, {
      article: { ...article, articleText, keywordList },
      by: viewer,
      now,
    })
    if (brief !== '') {
      const plans = [{ articleId: id, before: NOT_PLANNED }]
      await applyPlan(deps, db, { viewer, plans, changes: { brief }, now })
    }
    const created = await findArticle(db, viewer, id)
    if (created === undefined) throw new Error('An article is gone in the transaction that made it')
    return created
  })
}

/** Throws 400 for a template that is gone. */
async function contentOfTemplate(
  db: Database,
  id: string | undefined,
): Promise<TemplateContent | undefined> {
  if (id === undefined) return undefined
  const template = await findTemplate(db, id)
  if (template === undefined)
    throw new ApiError(400, 'The template was deleted.', { reason: 'template_gone' })
  return contentOf(template)
}
