import type * as z from 'zod'
import type { ArticleListAnswer, articleListBody } from '../../domain/wire/article-lists.ts'
import { type AddRequest, addOnce } from '../articles/add-once.ts'
import { sha256 } from '../articles/stored-text.ts'
import { storeHeld } from '../audit/audit-rows.ts'
import { keepNewClient } from '../clients/change-client.ts'
import { runOrTry } from '../database/dry-run.ts'
import { readEpoch } from '../database/meta-rows.ts'
import type { AuditRow } from '../database/tables.ts'
import type { Database, Deps } from '../deps.ts'
import { ensureSignedIn, type Viewer } from '../http/authenticate.ts'
import { ApiError } from '../http/errors.ts'
import { findPlans } from '../plans/plan-rows.ts'
import { giveWay } from '../process/give-way.ts'
import { templatesNamed } from '../templates/template-rows.ts'
import { carryOut, type Done, type Run } from './carry-out.ts'
import { listedClients } from './listed-clients.ts'
import { namedArticles } from './match-articles.ts'

export type ArticleListInput = z.output<typeof articleListBody>
type ListRequest = AddRequest<ArticleListInput> & { viewer: Viewer }

/**
 * Creates and changes the articles of a list, all of them or none, in one transaction: sign-in (401), key known (the
 * stored answer, or 422), body (400), run, then the checks of the run: same plan as the dry run (409 `stale_plan`),
 * every client decided (409 `undecided_client`). A dry run is the same transaction, rolled back, so it cannot say
 * anything else than what a run does.
 */
export async function runList(
  deps: Deps,
  request: ListRequest,
): Promise<{ added: ArticleListAnswer; replayed: boolean }> {
  const { viewer } = request
  const now = deps.clock.now()
  const isDryRun = request.body.ok && request.body.changes.dryRun
  return runOrTry(deps.db, { isDryRun }, async (db) => {
    await ensureSignedIn(db, viewer, now)
    return addOnce(db, request, now, async (input) => {
      const { answer, run } = await runAll(deps, db, { input, viewer, now })
      if (isDryRun) return answer
      if (input.plan !== answer.plan) throw refused('stale_plan', answer)
      if (answer.unknownClients.length > 0) throw refused('undecided_client', answer)
      return run
    })
  })
}

const REFUSALS = {
  stale_plan: 'What the list would do has changed. Nothing was done.',
  undecided_client: 'The list names a client that is not decided. Nothing was done.',
} as const

const refused = (reason: keyof typeof REFUSALS, answer: ArticleListAnswer): ApiError =>
  new ApiError(409, REFUSALS[reason], { reason, list: JSON.stringify(answer) })

type Running = { input: ArticleListInput; viewer: Viewer; now: number }

/** The answers of a dry run and of the run that was just made. */
async function runAll(ownDeps: Deps, db: Database, { input, viewer, now }: Running) {
  const held: AuditRow[] = []
  const deps = { ...ownDeps, held }
  const asked = { articles: input.articles, decisions: input.clients }
  const clients = await listedClients(db, asked, (name) =>
    keepNewClient(deps, db, { name, by: viewer, now }),
  )
  const articles = await namedArticles(
    db,
    input.articles.map(({ name }) => name),
  )
  const plans = await findPlans(db, articles.ids)
  const templates = await templatesNamed(
    db,
    input.articles.flatMap(({ template }) => template ?? []),
  )
  const taken = new Set<string>()
  const run: Run = { deps, db, by: viewer, now, clients, articles, plans, templates, taken }
  const all: Done[] = []
  for (const listed of input.articles) {
    all.push(await carryOut(run, listed))
    // Other writers wait for the end of the transaction, readers need not.
    await giveWay()
  }
  const outcomes = all.map(({ outcome }) => outcome)
  const count = (wanted: string) => outcomes.filter(({ state }) => state === wanted).length
  await storeHeld(db, held, {
    id: deps.newId(),
    source: input.source ?? null,
    created: count('new'),
    changed: count('changed'),
  })
  const plan = fingerprintOf(await readEpoch(db), input, all)
  const answer = { plan, done: false, articles: outcomes, unknownClients: clients.unknown }
  const done = all.map(({ outcome, id, clientId }) => ({ ...outcome, id, clientId }))
  return { answer, run: { ...answer, done: true, articles: done } }
}

/** Equal for equal lists whose outcome is the same and rests on the same: two runs of one plan do the same. */
const fingerprintOf = (
  epoch: string,
  { articles, clients }: ArticleListInput,
  all: readonly Done[],
) =>
  sha256(
    JSON.stringify([epoch, articles, clients, all.map(({ outcome, basis }) => [outcome, basis])]),
  )
