import { Hono } from 'hono'
import { type Plan, planBody } from '../../domain/wire/plans.ts'
import { planTagOf } from '../../domain/wire/state-tag.ts'
import { aboutChange, readWhole } from '../articles/article-http.ts'
import { readableId } from '../articles/readable-id.ts'
import type { Deps } from '../deps.ts'
import { type AppContext, type AppEnv, requireUser } from '../http/authenticate.ts'
import { articleNotFound } from '../http/errors.ts'
import { jsonResponse } from '../http/json-response.ts'
import { pathId } from '../http/read-query.ts'
import { changePlan } from './change-plan.ts'
import { findPlan } from './plan-rows.ts'

/**
 * What is asked of an article and when it is due: for every user who may read the article, and changed by admins. Routes
 * that `app.ts` mounts at /v1/articles.
 */
export function planRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  const user = requireUser(deps)

  routes.get('/:id/plan', user, async (c) =>
    answerPlan(c, await deps.reads.read(async (db) => findPlan(db, await readableId(db, c)))),
  )

  routes.put('/:id/plan', user, async (c) => {
    const plan = await changePlan(deps, {
      viewer: c.get('viewer'),
      articleId: pathId(c, 'id', articleNotFound),
      body: await readWhole(c, planBody),
      ifMatch: aboutChange(c).ifMatch,
    })
    return answerPlan(c, plan)
  })

  return routes
}

const answerPlan = (c: AppContext, plan: Plan): Promise<Response> =>
  jsonResponse(c, JSON.stringify(plan), { headers: { ETag: planTagOf(plan.counter) } })
