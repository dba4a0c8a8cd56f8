import type { Article } from '../../domain/wire-articles.ts'
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
import { noteServerAnswered } from '../push/retry-policy.ts'
import { isArticle, serverText, storeArticles, storeText } from '../push/server-state.ts'
import { isTypedIn } from '../status/outbox-counts.ts'
import type { ArticleRow, LocalDatabase, MetaKey } from '../store/database.ts'
import { deleteDraft } from '../store/draft-rows.ts'
import { isOfThisHistory, knownEpoch } from '../store/epoch.ts'
import { entriesOf } from '../store/queue.ts'
import { forgetTheirTexts } from '../store/revisions.ts'
import { untilLost } from '../store/with-retry.ts'
import { fillShelf } from './offline-cache.ts'

/** Stores the server's articles on this device, ready to be read and written offline. */
export type Pull = {
  /** Lists the articles and fetches the texts that changed, one at a time. Returns false when a fetch failed. */
  pull(): Promise<boolean>
  /** Fetches one article and stores it. */
  fetchArticle(articleId: string): Promise<Fetched>
  /** Fetches the article (a local copy is usable before this resolves), for the `tries`th time in a row. */
  load(articleId: string, tries?: number): Promise<LoadOutcome>
}

/** `dueAt`: time of the next attempt, in milliseconds since 1970; null for a permanent refusal. */
export type LoadOutcome =
  | { kind: 'loaded' }
  | (Exclude<Fetched, { kind: 'article' }> & { dueAt: number | null })

type Got = { answer: HttpAnswer | null; said: string | null; waitMs: number | null }

export type PullOptions = {
  database: LocalDatabase
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
/** An article is given up only after two listings without it that are this far apart, and its own refusal. */
const MISSING_MS = 60_000

export function createPull({ send, clock }: Ports, options: PullOptions): Pull {
  const { database, effects } = options
  let running: Promise<boolean> | null = null
  /** The history and tag of the listing whose texts are all here; another tab may have stored a newer one. */
  let fullFor = ''

  /** `answer` is null unless it is from the server; `said`: the message of any other refusal. */
  async function get(path: string, headers = {}): Promise<Got> {
    const request = { method: 'GET', path, headers, timeoutMs: READ_TIMEOUT_MS } as const
    const answer = await send(request).catch(() => null)
    // A 304 without its epoch may be of another one. Proxies strip that header.
    if ('If-None-Match' in headers && answer?.status === 304 && !isNamed(answer)) return get(path)
    const isOurs = answer !== null && (isErrorBody(answer.json) || isSuccess(answer))
    const isRefused = answer !== null && isRefusal(answer)
    const cut = isOurs ? null : isRefused ? 'refused' : 'offline'
    const due = await noteAnswer(database, cut, answer?.status ?? 0, effects.now())
    if (due) options.dueNow()
    const waitMs = isRefused ? retryAfterMs(answer, effects.now()) : null
    if (isOurs) return { answer, said: null, waitMs }
    return { answer: null, said: isRefused ? saidBy(answer) : null, waitMs }
  }

  async function fetchArticle(articleId: string): Promise<Fetched> {
    const { answer, said, waitMs } = await get(`/articles/${encodeURIComponent(articleId)}`)
    if (answer === null) return { kind: 'unreachable', message: said, waitMs }
    const { status, json } = answer
    if (isErrorBody(json)) return { kind: 'refused', status, message: json.message, waitMs }
    if (!isArticle(json) || json.id !== articleId) return NOT_FETCHED
    const epoch = answer.header('server-epoch')
    await storeArticles(database, [json], { listed: false, epoch }, effects)
    // Once the draft follows the server, the base of an exit snapshot is no longer known.
    const restored = await restoreSnapshots(database, effects, { articleId })
    const isNewer = await storeText(database, serverText(articleId, json, epoch), effects.now())
    if (isNewer || restored.length > 0) options.textChanged(articleId)
    options.dueNow()
    return { kind: 'article', article: json }
  }

  /** A background fetch gives way to a writer: while its text is stored, a save waits. */
  async function fetchBeside(articleId: string): Promise<Fetched> {
    if (await isTypedIn(database, clock.now()))
      await new Promise<void>((goOn) => clock.after(GIVE_WAY_MS, goOn))
    return fetchArticle(articleId)
  }

  /** Ends early once its handle is lost; another pull begins soon. */
  async function pullAll(isLost: () => boolean): Promise<boolean> {
    const [tag, epoch] = await Promise.all([textOf(database, 'listTag'), knownEpoch(database)])
    const { answer } = await get(LIST_PATH, tag === null ? {} : { 'If-None-Match': tag })
    if (answer === null) return false
    const isNew = answer.status !== 304
    // The rows that it describes have lost their versions since.
    if (!isNew && epoch !== (await knownEpoch(database))) return false
    if (isNew && !(await storeListing(answer))) return false
    const listing = `${answer.header('server-epoch')} ${answer.header('etag')}`
    const shelfIsFull =
      (!isNew && fullFor === listing) ||
      (await fillShelf(database, (id) =>
        isLost() ? Promise.resolve(NOT_FETCHED) : fetchBeside(id),
      ))
    fullFor = shelfIsFull ? listing : ''
    await noteMissing()
    const isNoted = await noteChecked(database, answer, effects.now())
    return isNoted && shelfIsFull
  }

  /** False when the response is not a listing. */
  async function storeListing({ json, header }: HttpAnswer): Promise<boolean> {
    const listed = readListing(json)
    if (!listed) return false
    const of = { listed: true, epoch: header('server-epoch') }
    await storeArticles(database, listed, of, effects)
    await markMissing(new Set(listed.map(({ id }) => id)))
    options.dueNow()
    return true
  }

  async function markMissing(present: ReadonlySet<string>): Promise<void> {
    const known = await database.articles.where('listed').equals(1).toArray()
    for (const { id, missingSince } of known) {
      if (missingSince !== null || present.has(id)) continue
      await database.articles.update(id, { access: 'suspect', missingSince: effects.now() })
    }
  }

  /** Removes articles that the listings have missed for long enough, once the server confirmed that they are gone. */
  async function noteMissing(): Promise<void> {
    for (const { id, missingSince } of await missingArticles(database)) {
      if (Math.abs(effects.now() - Number(missingSince)) >= MISSING_MS) await confirmMissing(id)
    }
  }

  async function confirmMissing(articleId: string): Promise<void> {
    const fetched = await fetchArticle(articleId)
    const reason = fetched.kind === 'refused' ? goneReason(fetched.status) : null
    if (reason) await letGo(database, articleId, reason)
    else if (fetched.kind === 'article') await database.articles.update(articleId, { listed: 0 })
  }

  async function load(articleId: string, tries = 1): Promise<LoadOutcome> {
    const fetched = await fetchArticle(articleId).catch(() => NOT_FETCHED)
    if (fetched.kind === 'article') return { kind: 'loaded' }
    const isFinal = fetched.kind === 'refused' && !mayPass(fetched.status)
    const wait = Math.max(retryDelay(tries, effects.random), fetched.waitMs ?? 0)
    return { ...fetched, dueAt: isFinal ? null : effects.now() + wait }
  }

  return {
    fetchArticle,
    load,
    pull() {
      running ??= untilLost(clock, database, pullAll).finally(() => {
        running = null
      })
      return running
    },
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
export const missingArticles = (database: LocalDatabase): Promise<ArticleRow[]> =>
  database.articles
    .where('listed')
    .equals(1)
    .filter(({ missingSince }) => missingSince !== null)
    .toArray()

/**
 * The tag is stored last: a listing that was not stored completely is fetched in full again, and so is one of an old
 * epoch, for which this returns false.
 */
async function noteChecked(
  database: LocalDatabase,
  { header }: HttpAnswer,
  now: number,
): Promise<boolean> {
  const { meta } = database
  const [epoch, seq] = [header('server-epoch'), header('change-seq')]
  const tag = epoch === null ? null : header('etag')
  return database.transaction('rw', meta, async () => {
    if (!(await isOfThisHistory(database, epoch))) return false
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
  return database.transaction('rw', database.meta, database.outbox, async () => {
    if (cut !== null) {
      await database.meta.put({ key: 'connection', value: cut })
      return false
    }
    if (status === 401) await database.meta.put({ key: 'signInNeeded', value: true })
    else if (status < 300 || status === 304) await database.meta.delete('signInNeeded')
    return noteServerAnswered(database, now)
  })
}

/** Null when the body is not a listing of articles, with or without its envelope. */
function readListing(json: unknown): Article[] | null {
  const results = Array.isArray(json) ? json : (json as { results?: unknown } | null)?.results
  return Array.isArray(results) && results.every(isArticle) ? results : null
}

/**
 * Removes the server's text of an article that this user may no longer read. The user's own unsent words stay, with the
 * row that names the article.
 */
export async function letGo(
  database: LocalDatabase,
  articleId: string,
  access: Exclude<ArticleRow['access'], 'ok' | 'suspect'>,
): Promise<void> {
  const { articles, docs, drafts, texts, outbox, localRevs, serverRevs, meta } = database
  const tables = [articles, docs, drafts, texts, outbox, localRevs, serverRevs, meta]
  await database.transaction('rw', tables, async () => {
    const [draft, entries] = await Promise.all([
      drafts.get(articleId),
      entriesOf(database, articleId),
    ])
    await docs.delete(articleId)
    await closeRemoteChanges(database, articleId)
    await forgetTheirTexts(database, articleId)
    if (draft?.dirty === 1 || entries.some(({ kind }) => kind !== 'control')) {
      await articles.update(articleId, { access, listed: 0, missingSince: null })
      return
    }
    await deleteDraft(database, articleId)
    await articles.delete(articleId)
    await outbox.bulkDelete(entries.map(({ seq }) => seq))
    const revisions = localRevs
      .where('[articleId+at]')
      .between([articleId, 0], [articleId, Infinity])
    await revisions.filter(({ reason }) => reason === 'checkpoint').delete()
  })
}
