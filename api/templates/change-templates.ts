import { TEMPLATES_MAX } from '../../domain/limits.ts'
import { caseless } from '../../domain/names/same-name.ts'
import { outlineIn } from '../../domain/text/outline.ts'
import type { Template, TemplateBody } from '../../domain/wire/templates.ts'
import { findArticle } from '../articles/article-rows.ts'
import { recordChange } from '../audit/audit-rows.ts'
import type { Database, Deps } from '../deps.ts'
import { ensureSignedIn, type Viewer } from '../http/authenticate.ts'
import { ApiError, articleNotFound } from '../http/errors.ts'
import { findPlan } from '../plans/plan-rows.ts'
import {
  countTemplates,
  deleteTemplate,
  findTemplate,
  saveTemplate,
  templatesNamed,
  toTemplate,
} from './template-rows.ts'

export const templateNotFound = () => new ApiError(404, 'Template not found')

/** Copies brief, outline, minimum and entities of the article. Throws 404 without the article, 409 beyond the limit. */
export function keepTemplate(
  deps: Deps,
  viewer: Viewer,
  { name, articleId }: TemplateBody,
): Promise<Template> {
  const now = deps.clock.now()
  return deps.db.transaction().execute(async (db) => {
    await ensureSignedIn(db, viewer, now)
    const article = await findArticle(db, viewer, articleId)
    if (article === undefined) throw articleNotFound()
    const key = caseless(name)
    const before = (await templatesNamed(db, [name])).get(key)
    if (before === undefined) await refuseTooMany(db)
    const { brief } = await findPlan(db, articleId)
    const template = {
      id: before?.id ?? deps.newId(),
      name,
      name_caseless: key,
      brief,
      outline: JSON.stringify(outlineIn(JSON.parse(article.article_text))),
      word_minimum: article.word_minimum,
      keyword_list: article.keyword_list,
      changed_by: viewer.id,
      changed_by_name: viewer.name,
      changed_at: new Date(now).toISOString(),
    }
    await saveTemplate(db, template)
    await recordChange(deps, db, {
      actorId: viewer.id,
      action: 'template.saved',
      subjectId: template.id,
    })
    return toTemplate(template)
  })
}

async function refuseTooMany(db: Database): Promise<void> {
  if ((await countTemplates(db)) < TEMPLATES_MAX) return
  throw new ApiError(409, `There can be at most ${TEMPLATES_MAX} templates.`, {
    reason: 'too_many_templates',
  })
}

/** Articles that began with the template stay as they are. */
export function removeTemplate(deps: Deps, viewer: Viewer, id: string): Promise<void> {
  const now = deps.clock.now()
  return deps.db.transaction().execute(async (db) => {
    await ensureSignedIn(db, viewer, now)
    if ((await findTemplate(db, id)) === undefined) throw templateNotFound()
    await recordChange(deps, db, {
      actorId: viewer.id,
      action: 'template.deleted',
      subjectId: id,
    })
    await deleteTemplate(db, id)
  })
}
