import type * as z from 'zod'
import { normaliseKeyword, scorecardGroups } from '../../domain/keywords/keyword.ts'
import { NAMED_MAX } from '../../domain/limits.ts'
import { caseless } from '../../domain/names/same-name.ts'
import { dueChange, type PlanChanges, planChanges } from '../../domain/plan.ts'
import { standingOf } from '../../domain/standing.ts'
import { fold } from '../../domain/text/folding.ts'
import { outlineText } from '../../domain/text/outline.ts'
import type { ListedOutcome, listedArticleBody } from '../../domain/wire/article-lists.ts'
import type { ArticleSettings, Keyword } from '../../domain/wire/articles.ts'
import type { Plan } from '../../domain/wire/plans.ts'
import { type ArticleWithText, findArticle } from '../articles/article-rows.ts'
import { applySettings, changedFields, entitiesChange } from '../articles/change-settings.ts'
import { keepNewArticle } from '../articles/new-article.ts'
import type { BriefTemplateRow } from '../database/tables.ts'
import type { Database, Deps } from '../deps.ts'
import type { Viewer } from '../http/authenticate.ts'
import { applyPlan } from '../plans/change-plan.ts'
import { NOT_PLANNED } from '../plans/plan-rows.ts'
import { contentOf } from '../templates/template-rows.ts'
import type { ListedClient, ListedClients } from './listed-clients.ts'
import type { NamedArticles } from './match-articles.ts'

export type Listed = z.output<typeof listedArticleBody>

/** What a run knows; the maps change with every entry. */
export type Run = {
  deps: Deps
  db: Database
  by: Viewer
  now: number
  clients: ListedClients
  articles: NamedArticles
  plans: ReadonlyMap<string, Plan>
  /** By `caseless` name. */
  templates: ReadonlyMap<string, BriefTemplateRow>
  /** Articles that an earlier entry of the list meant. */
  taken: Set<string>
}

/**
 * What became of one entry. `outcome` has the ids of a dry run; `id` and `clientId` are those after the run. `basis`: what
 * the outcome rests on: the article that was there, or the template of a new one.
 */
export type Done = {
  outcome: ListedOutcome
  id: string | null
  clientId: string | null
  basis: { version: number; counter: number } | { templateAt: string } | null
}

/** Creates or changes the article that the entry means, or leaves it out. */
export async function carryOut(run: Run, listed: Listed): Promise<Done> {
  const client = run.clients.of(listed.client)
  const match = run.articles.match(listed.name, client)
  if (match.kind === 'unclear') return leftOut(listed, client, 'unclear')
  if (match.kind === 'new') return startListed(run, listed, client)
  if (run.taken.has(match.id)) return leftOut(listed, client, 'repeated')
  run.taken.add(match.id)
  run.articles.note(listed.name, { id: match.id, client })
  const article = await findArticle(run.db, run.by, match.id)
  if (article === undefined) throw new Error('An article is gone in the transaction that found it')
  return changeListed(run, listed, { article, client })
}

function leftOut(listed: Listed, client: ListedClient, fault: ListedOutcome['fault']): Done {
  return {
    outcome: {
      ...outcomeOf(listed, client),
      state: 'cannot',
      headings: 0,
      fault,
    },
    id: null,
    clientId: idOf(client),
    basis: null,
  }
}

/** As of a new article. */
const outcomeOf = (listed: Listed, client: ListedClient): ListedOutcome => ({
  state: 'new',
  id: null,
  name: listed.name,
  clientId: client.kind === 'known' ? client.id : null,
  clientName: client.kind === 'none' ? null : client.name,
  wordMinimum: listed.wordMinimum ?? 0,
  dueOn: listed.dueOn ?? null,
  entities: listed.keywordList?.length ?? 0,
  headings: listed.outline?.length ?? 0,
  fault: null,
  changes: {},
})

/** Null while it is unknown what the client is. */
const idOf = (client: ListedClient): string | null =>
  client.kind === 'known' || client.kind === 'created' ? client.id : null

/** Creates the article with what the entry leaves to its template. */
async function startListed(run: Run, listed: Listed, client: ListedClient): Promise<Done> {
  if (listed.template === undefined) return createListed(run, listed, client)
  const template = run.templates.get(caseless(listed.template))
  if (template === undefined) return leftOut(listed, client, 'no-template')
  const done = await createListed(run, { ...contentOf(template), ...listed }, client)
  return { ...done, basis: { templateAt: template.changed_at } }
}

async function createListed(run: Run, listed: Listed, client: ListedClient): Promise<Done> {
  const { deps, db, by, now } = run
  const clientId = idOf(client)
  const article = {
    name: listed.name,
    clientId,
    wordMinimum: listed.wordMinimum ?? 0,
    articleText: outlineText(listed.outline ?? []),
    keywordList: listed.keywordList ?? [],
  }
  const id = await keepNewArticle(deps, db, { article, by, now })
  await keepPlan(run, id, NOT_PLANNED, planChanges(NOT_PLANNED, listed))
  run.taken.add(id)
  run.articles.note(listed.name, { id, client })
  return { outcome: outcomeOf(listed, client), id, clientId, basis: null }
}

async function keepPlan(
  { deps, db, by: viewer, now }: Run,
  articleId: string,
  before: Plan,
  changes: PlanChanges,
): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await applyPlan(deps, db, { viewer, plans: [{ articleId, before }], changes, now })
}

async function changeListed(
  run: Run,
  listed: Listed,
  { article, client }: { article: ArticleWithText; client: ListedClient },
): Promise<Done> {
  const { deps, db, by, now } = run
  const clientId = idOf(client)
  const given: ArticleSettings = {
    ...(clientId !== null && { clientId }),
    ...(listed.wordMinimum !== undefined && { wordMinimum: listed.wordMinimum }),
    ...(listed.keywordList !== undefined && { keywordList: listed.keywordList }),
  }
  const plan = run.plans.get(article.id) ?? NOT_PLANNED
  const changed = changedFields(article, given)
  const settings: ArticleSettings = Object.fromEntries(
    Object.entries(given).filter(([name]) => changed.includes(name)),
  )
  const planned = planChanges(plan, listed)
  const changes = {
    ...changesOf({ listed, article, client, changed }),
    ...dueChange(plan, planned),
    ...(planned.brief !== undefined && { brief: true as const }),
  }
  if (changed.length > 0) {
    await applySettings(deps, db, { actorId: by.id, articles: [article], settings, now })
  }
  await keepPlan(run, article.id, plan, planned)
  const keywords: Keyword[] = JSON.parse(article.keyword_list)
  const hasClient = client.kind !== 'none'
  const outcome: ListedOutcome = {
    ...outcomeOf(listed, client),
    state: Object.keys(changes).length > 0 ? 'changed' : 'same',
    id: article.id,
    name: article.name,
    ...(!hasClient && { clientId: article.client_id, clientName: article.client_name }),
    wordMinimum: listed.wordMinimum ?? article.word_minimum,
    dueOn: listed.dueOn ?? plan.dueOn,
    entities: listed.keywordList?.length ?? keywords.length,
    headings: 0,
    changes,
  }
  return {
    outcome,
    id: article.id,
    clientId: hasClient ? clientId : article.client_id,
    basis: { version: article.version, counter: plan.counter },
  }
}

type Changing = {
  listed: Listed
  article: ArticleWithText
  client: ListedClient
  /** Names of the settings that differ. */
  changed: string[]
}

function changesOf({ listed, article, client, changed }: Changing): ListedOutcome['changes'] {
  const { wordMinimum, keywordList } = listed
  const isGiven = changed.includes('clientId') || client.kind === 'unknown'
  return {
    ...(isGiven &&
      client.kind !== 'none' && { client: { now: client.name, before: article.client_name } }),
    ...(wordMinimum !== undefined &&
      changed.includes('wordMinimum') && {
        wordMinimum: { now: wordMinimum, before: article.word_minimum },
      }),
    ...(keywordList !== undefined &&
      changed.includes('keywordList') && { entities: entitiesOf(keywordList, article) }),
  }
}

function entitiesOf(now: readonly Keyword[], { keyword_list, article_text }: ArticleWithText) {
  const before: Keyword[] = JSON.parse(keyword_list)
  const kept = new Set(now.map(lettersOf))
  const removed = before.filter((keyword) => !kept.has(lettersOf(keyword)))
  const used = removed.length === 0 ? [] : usedOf(removed, article_text)
  return {
    ...entitiesChange(now, before),
    usedRemoved: used.slice(0, NAMED_MAX),
    usedRemovedCount: used.length,
  }
}

/** Equal for keywords that the scorecard shows as one. */
const lettersOf = ({ keyword }: Keyword): string => fold(normaliseKeyword(keyword)) || keyword

/** Those that the text uses, as the scorecard shows them. */
function usedOf(keywords: readonly Keyword[], text: string): string[] {
  const { groups } = standingOf(JSON.parse(text), keywords)
  const unused = new Set(groups.flatMap((group) => group.unused))
  const shown = scorecardGroups(keywords).flatMap((group) => group.keywords)
  return shown.filter((keyword) => !unused.has(keyword))
}
