import type { Article } from '../../domain/wire/articles.ts'
import { restoreSnapshots } from '../editing/exit-snapshot.ts'
import { closeRemoteChanges } from '../editing/remote-changes.ts'
import type { Effects, HttpAnswer, Ports } from '../ports.ts'
import { retryDelay } from '../protocol/backoff.ts'
import {
  isErrorBody,
  isRefusal,
  mayPass,
  retryAfterMs,
  saidBy,
} from '../protocol/error-response.ts'
import { type Fetched, goneReason } from '../protocol/push-result.ts'
import { timeHere } from '../protocol/server-time.ts'
import { noteServerAnswered } from '../push/retry-policy.ts'
import { serverText } from '../push/server-state.ts'
import { isTypedIn } from '../status/outbox-counts.ts'
import type { ArticleRow, LocalDatabase, MetaKey } from '../store/database.ts'
import { deleteDraft } from '../store/draft-rows.ts'
import { isOfThisEpoch, knownEpoch } from '../store/epoch.ts'
import { entriesOf } from '../store/queue.ts'
import { forgetTheirTexts } from '../store/revisions.ts'
import { ARTICLE_TABLES, transact } from '../store/transaction.ts'
import { untilLost } from '../store/with-retry.ts'
import { type CopiesStored, type FetchTexts, fillOfflineCache } from './offline-cache.ts'
import { refreshRecord, refreshRecords } from './refresh-records.ts'
import { isArticle, storeArticles, storeTexts } from './store-pulled.ts'

export type Pull = ReturnType<typeof createPull>

/** `dueAt`: time of the next attempt, in milliseconds since 1970; null for a permanent refusal. */
export type LoadOutcome =
  | { kind: 'loaded' }
  | (Exclude<Fetched, { kind: 'article' }> & { dueAt: number | null })

type Got = { answer: HttpAnswer | null; said: string | null; waitMs: number | null }

export type PullOptions = {
  database: LocalDatabase
  userId: string
  effects: Effects
  /** The text of the article's draft changed. */
  textChanged: (articleId: string) => void
  /** Entries of the queue became due. */
  dueNow: () => void
}

const READ_TIMEOUT_MS = 30_000
const GIVE_WAY_MS = 500
const NOT_FETCHED = { kind: 'unreachable', message: null, waitMs: null } as const
const LIST_PATH = '/articles/client/myArticles'
const COPIES_PATH = '/articles/client/copies'
/** An article is given up only after two listings without it that are this far apart, and its own refusal. */
const MISSING_MS = 60_000

/** Stores the server's articles on this device, ready to be read and written offline. */
export function createPull({ send, clock }: Ports, options: PullOptions) {
  const { database, effects } = options
  const context = { ...options, send }
  const fetchArticle = (articleId: string) => fetchInto(context, articleId)
  let running: Promise<boolean> | null = null
  /** The epoch and tag of the listing whose texts are all here; another tab may have stored a newer one. */
  let fullFor = ''

  /** A background fetch gives way to a writer: while its text is stored, a save waits. */
  async function givingWay<Result>(fetch: () => Promise<Result>): Promise<Result> {
    if (await isTypedIn(database, clock.now()))
      await new Promise<void>((resolve) => clock.after(GIVE_WAY_MS, resolve))
    return fetch()
  }

  /** Ends early once its handle is lost; another pull begins soon. */
  async function pullAll(isLost: () => boolean): Promise<boolean> {
    const listing = await fetchListing(context)
    if (listing === null) return false
    const fetch: FetchTexts = {
      one: async (id) => (isLost() ? NOT_FETCHED : givingWay(() => fetchArticle(id))),
      many: async (ids) => (isLost() ? null : givingWay(() => copyInto(context, ids))),
    }
    const areTextsHere =
      (listing.isSame && fullFor === listing.name) || (await fillOfflineCache(database, fetch))
    const isFull = areTextsHere && (await refreshRecords(context, isLost))
    fullFor = isFull ? listing.name : ''
    await confirmMissing(context)
    return (await noteChecked(database, listing.answer, effects.now())) && isFull
  }

  return {
    /** Fetches one article and stores it. */
    fetchArticle,
    /** Fetches one article with its receipts, notes and plan. False when it has to be fetched again. */
    async refresh(articleId: string): Promise<boolean> {
      const fetched = await fetchArticle(articleId)
      if (fetched.kind === 'refused') return goneReason(fetched.status) !== null
      return fetched.kind === 'article' && (await refreshRecord(context, articleId))
    },
    /** Fetches receipts, notes and plan of the article if the server has others than this computer. */
    refreshRecord: (articleId: string) => refreshRecord(context, articleId),
    /** Fetches the article (a local copy is usable before this resolves), for the `tries`th time in a row. */
    async load(articleId: string, tries = 1): Promise<LoadOutcome> {
      const fetched = await fetchArticle(articleId).catch(() => NOT_FETCHED)
      if (fetched.kind === 'article') {
        await refreshRecord(context, articleId).catch(() => false)
        return { kind: 'loaded' }
      }
      const isFinal = fetched.kind === 'refused' && !mayPass(fetched.status)
      const wait = Math.max(retryDelay(tries, effects.random), fetched.waitMs ?? 0)
      return { ...fetched, dueAt: isFinal ? null : effects.now() + wait }
    },
    /** Lists the articles and fetches the texts that changed. Returns false when a fetch failed. */
    pull() {
      running ??= untilLost(clock, database, pullAll).finally(() => {
        running = null
      })
      return running
    },
  }
}

type PullContext = PullOptions & Pick<Ports, 'send'>

/** `answer` is null unless it is from the server; `said`: the message of any other refusal. */
async function get(context: PullContext, path: string, headers = {}): Promise<Got> {
  const { database, effects, send } = context
  const request = { method: 'GET', path, headers, timeoutMs: READ_TIMEOUT_MS } as const
  const answer = await send(request).catch(() => null)
  // A 304 without its epoch may be of another one. Proxies strip that header.
  if ('If-None-Match' in headers && answer?.status === 304 && !isNamed(answer))
    return get(context, path)
  const isOurs = answer !== null && (isErrorBody(answer.json) || isSuccess(answer))
  const isRefused = answer !== null && isRefusal(answer)
  const cut = isOurs ? null : isRefused ? 'refused' : 'offline'
  const due = await noteAnswer(database, cut, answer?.status ?? 0, effects.now())
  if (due) context.dueNow()
  const waitMs = isRefused ? retryAfterMs(answer, effects.now()) : null
  if (isOurs) return { answer, said: null, waitMs }
  return { answer: null, said: isRefused ? saidBy(answer) : null, waitMs }
}

async function fetchInto(context: PullContext, articleId: string): Promise<Fetched> {
  const path = `/articles/${encodeURIComponent(articleId)}`
  const { answer, said, waitMs } = await get(context, path)
  if (answer === null) return { kind: 'unreachable', message: said, waitMs }
  const { status, json } = answer
  if (isErrorBody(json)) return { kind: 'refused', status, message: json.message, waitMs }
  if (!isArticle(json) || json.id !== articleId) return NOT_FETCHED
  await storeFetched(context, answer, [json])
  return { kind: 'article', article: json }
}

/** Fetches several articles with their plans, receipts and notes, and stores them. */
async function copyInto(
  context: PullContext,
  articleIds: readonly string[],
): Promise<CopiesStored | null> {
  const { answer } = await get(context, `${COPIES_PATH}?ids=${articleIds.join(',')}`)
  if (answer?.status !== 200) return null
  const code = await import('./copies.ts').catch(() => null)
  const copies = code?.readCopies(answer.json, articleIds)
  if (!code || !copies) return null
  const { results, rest } = copies
  const articles = results.map(({ article }) => article)
  // Texts last: without its text an article is requested with all that belongs to it.
  await code.storeCopiedRecords(context, results, answer.header('server-epoch'))
  await storeFetched(context, answer, articles)
  return { stored: articles.map(({ id }) => id), rest }
}

/** Stores articles of a response, with their texts. */
async function storeFetched(
  context: PullContext,
  answer: HttpAnswer,
  articles: readonly Article[],
): Promise<void> {
  const { database, effects } = context
  const epoch = answer.header('server-epoch')
  await storeArticles(database, articles, { listed: false, epoch }, effects)
  // Once the draft follows the server, the base of an exit snapshot is no longer known.
  const articleIds = articles.map(({ id }) => id)
  const restored = await restoreSnapshots(database, effects, { articleIds })
  const now = effects.now()
  const texts = articles.map((article) => ({
    text: serverText(article.id, article, epoch),
    madeAt: timeHere(answer, article.textUpdatedAt ?? article.updatedAt, now),
  }))
  const moved = await storeTexts(database, texts, now)
  for (const id of new Set([...restored, ...moved])) context.textChanged(id)
  context.dueNow()
}

/** `name`: its epoch and tag. `isSame`: the stored rows are of it already. */
type Listing = { answer: HttpAnswer; name: string; isSame: boolean }

/** Fetches and stores the listing. Null when it could not be. */
async function fetchListing(context: PullContext): Promise<Listing | null> {
  const { database } = context
  const [tag, epoch] = await Promise.all([textOf(database, 'listTag'), knownEpoch(database)])
  const { answer } = await get(context, LIST_PATH, tag === null ? {} : { 'If-None-Match': tag })
  if (answer === null) return null
  const isSame = answer.status === 304
  // The rows that it describes have lost their versions since.
  if (isSame && epoch !== (await knownEpoch(database))) return null
  if (!isSame && !(await storeListing(context, answer))) return null
  return { answer, name: `${answer.header('server-epoch')} ${answer.header('etag')}`, isSame }
}

/** False when the response is not a listing. */
async function storeListing(
  { database, effects, dueNow }: PullContext,
  { json, header }: HttpAnswer,
): Promise<boolean> {
  const listed = readListing(json)
  if (!listed) return false
  const of = { listed: true, epoch: header('server-epoch') }
  await storeArticles(database, listed, of, effects)
  await markMissing(database, new Set(listed.map(({ id }) => id)), effects.now())
  dueNow()
  return true
}

async function markMissing(
  { articles }: LocalDatabase,
  present: ReadonlySet<string>,
  now: number,
): Promise<void> {
  for (const { id, missingSince } of await articles.where('listed').equals(1).toArray()) {
    if (missingSince !== null || present.has(id)) continue
    await articles.update(id, { access: 'suspect', missingSince: now })
  }
}

/** Removes articles that the listings have missed for long enough, once the server confirmed that they are gone. */
async function confirmMissing(context: PullContext): Promise<void> {
  const { database, effects } = context
  for (const { id, missingSince } of await missingArticles(database)) {
    if (Math.abs(effects.now() - Number(missingSince)) < MISSING_MS) continue
    const fetched = await fetchInto(context, id)
    const reason = fetched.kind === 'refused' ? goneReason(fetched.status) : null
    if (reason) await letGo(database, id, reason)
    else if (fetched.kind === 'article') await database.articles.update(id, { listed: 0 })
  }
}

/** A 304 counts only from this server, with the epoch that it is of. */
const isSuccess = (answer: HttpAnswer): boolean => {
  const { status, json } = answer
  if (status === 304) return isNamed(answer)
  return status >= 200 && status < 300 && typeof json === 'object' && json !== null
}

/** Whether it names its epoch. */
const isNamed = ({ header }: HttpAnswer): boolean => header('server-epoch') !== null

/** Articles that the last listing did not have. */
export async function missingArticles({ articles }: LocalDatabase): Promise<ArticleRow[]> {
  const listed = await articles.where('listed').equals(1).toArray()
  return listed.filter(({ missingSince }) => missingSince !== null)
}

/**
 * The tag is stored last: a listing that was not stored completely is fetched in full again, and so is one of an old
 * epoch, for which this returns false.
 */
async function noteChecked(
  database: LocalDatabase,
  { header }: HttpAnswer,
  now: number,
): Promise<boolean> {
  const [epoch, seq] = [header('server-epoch'), header('change-seq')]
  const tag = epoch === null ? null : header('etag')
  return transact(database, 'rw', ['meta'], async (tables) => {
    const { meta } = tables
    if (!(await isOfThisEpoch(tables, epoch))) return false
    if (epoch === null) await meta.delete('listTag')
    await meta.bulkPut([
      { key: 'lastCheckedAt', value: now },
      ...(tag === null ? [] : [{ key: 'listTag' as const, value: tag }]),
      ...(seq === null ? [] : [{ key: 'changeSeq' as const, value: Number(seq) }]),
    ])
    return true
  })
}

async function textOf({ meta }: LocalDatabase, key: MetaKey): Promise<string | null> {
  const row = await meta.get(key)
  return typeof row?.value === 'string' ? row.value : null
}

/** `cut` is null when the server responded. Returns true when outbox entries became due because it responds again. */
async function noteAnswer(
  database: LocalDatabase,
  cut: 'refused' | 'offline' | null,
  status: number,
  now: number,
): Promise<boolean> {
  return transact(database, 'rw', ['meta', 'outbox'], async (tables) => {
    const { meta } = tables
    if (cut !== null) {
      await meta.put({ key: 'connection', value: cut })
      return false
    }
    if (status === 401) await meta.put({ key: 'signInNeeded', value: true })
    else if (status < 300 || status === 304) await meta.delete('signInNeeded')
    return noteServerAnswered(tables, now)
  })
}

/** Null when the body is not a listing of articles, with or without its envelope. */
function readListing(json: unknown): Article[] | null {
  const results = Array.isArray(json) ? json : (json as { results?: unknown } | null)?.results
  return Array.isArray(results) && results.every(isArticle) ? results : null
}

/** Tables with what was the agency's. */
const LEFT = [...ARTICLE_TABLES, 'serverRevs', 'records', 'plans'] as const

/**
 * Removes the server's text of an article that this user may no longer read. The user's own unsent words stay, with the
 * row that names the article.
 */
export async function letGo(
  database: LocalDatabase,
  articleId: string,
  access: Exclude<ArticleRow['access'], 'ok' | 'suspect'>,
): Promise<void> {
  await transact(database, 'rw', LEFT, async (tables) => {
    const { articles, drafts, localRevs } = tables
    const [draft, entries] = await Promise.all([
      drafts.get(articleId),
      entriesOf(tables, articleId),
    ])
    await tables.docs.delete(articleId)
    await tables.records.delete(articleId)
    await tables.plans.delete(articleId)
    await closeRemoteChanges(tables, articleId)
    await forgetTheirTexts(tables, articleId)
    if (draft?.dirty === 1 || entries.some(({ kind }) => kind !== 'control')) {
      await articles.update(articleId, { access, listed: 0, missingSince: null })
      return
    }
    await deleteDraft(tables, articleId)
    await articles.delete(articleId)
    await tables.outbox.bulkDelete(entries.map(({ seq }) => seq))
    const revisions = localRevs
      .where('[articleId+at]')
      .between([articleId, 0], [articleId, Infinity])
    await revisions.filter(({ reason }) => reason === 'checkpoint').delete()
  })
}
