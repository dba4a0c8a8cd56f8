import type * as z from 'zod'
import { NAMED_MAX } from '../../domain/limits.ts'
import { minimumVerdict } from '../../domain/minimum.ts'
import type { BulkAnswer, bulkBody } from '../../domain/wire/progress.ts'
import { runOrTry } from '../database/dry-run.ts'
import type { Database, Deps } from '../deps.ts'
import { ensureSignedIn, type Viewer } from '../http/authenticate.ts'
import { articleNotFound } from '../http/errors.ts'
import { applyPlan } from '../plans/change-plan.ts'
import { type AddRequest, addOnce } from './add-once.ts'
import { type BulkRow, findBulkRows, listReadersLost } from './bulk-rows.ts'
import { applySettings, changedFields, refuseUnknownClient } from './change-settings.ts'

export type BulkRequest = AddRequest<z.output<typeof bulkBody>> & { viewer: Viewer }

/**
 * One change of several articles, all or none, with the effects that it has on each of them alone. In the order of every
 * change: sign-in (401), key known (the stored response, or 422), body (400), articles there (404), client exists (400).
 * An invalid body counts as no dry run: it changes nothing either.
 */
export function changeArticles(
  deps: Deps,
  request: BulkRequest,
): Promise<{ added: BulkAnswer; replayed: boolean }> {
  const { viewer, body } = request
  const now = deps.clock.now()
  const isDryRun = body.ok && body.changes.dryRun
  return runOrTry(deps.db, { isDryRun }, async (db) => {
    await ensureSignedIn(db, viewer, now)
    return addOnce(db, request, now, async ({ ids, change }) => {
      const articles = await findBulkRows(db, [...new Set(ids)])
      if (articles === undefined) throw articleNotFound()
      const bulk: Bulk = { viewer, articles, now }
      return 'dueOn' in change
        ? changeDueDate(deps, db, bulk, change.dueOn)
        : changeSetting(deps, db, bulk, change)
    })
  })
}

type Bulk = { viewer: Viewer; articles: readonly BulkRow[]; now: number }

async function changeDueDate(
  deps: Deps,
  db: Database,
  { viewer, articles, now }: Bulk,
  dueOn: string | null,
): Promise<BulkAnswer> {
  const others = articles.filter(({ due_on }) => due_on !== dueOn)
  const plans = others.map(({ id: articleId, due_on, counter }) => ({
    articleId,
    before: { counter: counter ?? 0, dueOn: due_on },
  }))
  if (plans.length > 0) await applyPlan(deps, db, { viewer, plans, changes: { dueOn }, now })
  const earlier = others.filter(({ due_on }) => due_on !== null).length
  return { ...answerOf(articles, others), earlier }
}

type Setting = { wordMinimum: number } | { clientId: string | null }

async function changeSetting(
  deps: Deps,
  db: Database,
  { viewer, articles, now }: Bulk,
  settings: Setting,
): Promise<BulkAnswer> {
  const others = articles.filter((article) => changedFields(article, settings).length > 0)
  if (others.length > 0) {
    if ('clientId' in settings) await refuseUnknownClient(db, settings.clientId)
    await applySettings(deps, db, { actorId: viewer.id, articles: others, settings, now })
  }
  const answer = answerOf(articles, others)
  return 'clientId' in settings
    ? { ...answer, losing: await losingOf(db, others, settings.clientId) }
    : { ...answer, longer: countLonger(articles, settings.wordMinimum) }
}

const answerOf = (articles: readonly BulkRow[], others: readonly BulkRow[]): BulkAnswer => ({
  articles: articles.length,
  changed: others.length,
  earlier: 0,
  longer: 0,
  losing: { count: 0, names: [] },
})

const countLonger = (articles: readonly BulkRow[], minimum: number): number =>
  articles.filter(({ words }) => minimumVerdict(words, minimum) === 'met').length

async function losingOf(db: Database, moved: readonly BulkRow[], clientId: string | null) {
  const names = await listReadersLost(db, moved, clientId)
  return { count: names.length, names: names.slice(0, NAMED_MAX) }
}
