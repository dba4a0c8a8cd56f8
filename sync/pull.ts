import type { Article } from '../domain/wire.ts'
import type { ArticleRow, LocalDatabase } from './database.ts'
import { closeElsewhere } from './elsewhere.ts'
import type { HttpAnswer, Ports } from './ports.ts'
import { entriesOf } from './queue.ts'
import { goneReason, isErrorBody } from './reaction.ts'
import { forgetTheirTexts } from './revisions.ts'
import { type Effects, isArticle, serverText, storeArticles, storeText } from './server-copy.ts'
import { noteServerAnswered } from './settle.ts'

/** The server's articles onto this computer, ready to be read and written without a connection. */
export type Pull = {
  /** Lists the articles and fetches the texts that moved. Resolves when done; one at a time. */
  pull(): Promise<void>
  /** Asks for one article and stores what comes. */
  fetchArticle(articleId: string): Promise<Fetched>
}

export type Fetched =
  | { kind: 'article'; article: Article }
  | { kind: 'refused'; status: number; message: string }
  | { kind: 'unreachable' }

export type PullOptions = {
  database: LocalDatabase
  effects: Effects
  /** Another text stands in the draft of the article. */
  textChanged: (articleId: string) => void
  /** Entries of the queue became due. */
  dueNow: () => void
}

const READ_TIMEOUT_MS = 30_000
const TEXTS_AT_ONCE = 2
const TEXTS_KEPT = 200
/** An article is given up only after two listings without it that are this far apart, and its own refusal. */
const MISSING_MS = 60_000

export function createPull({ send }: Ports, options: PullOptions): Pull {
  const { database, effects } = options
  let running: Promise<void> | null = null

  async function get(path: string): Promise<HttpAnswer | null> {
    const answer = await send({ method: 'GET', path, timeoutMs: READ_TIMEOUT_MS }).catch(() => null)
    const isOurs = answer !== null && (isErrorBody(answer.json) || isSuccess(answer))
    const due = await noteAnswer(database, isOurs, answer?.status ?? 0, effects.now())
    if (due) options.dueNow()
    return isOurs ? answer : null
  }

  async function fetchArticle(articleId: string): Promise<Fetched> {
    const answer = await get(`/articles/${encodeURIComponent(articleId)}`)
    if (answer === null) return { kind: 'unreachable' }
    const { status, json } = answer
    if (isErrorBody(json)) return { kind: 'refused', status, message: json.message }
    if (!isArticle(json) || json.id !== articleId) return { kind: 'unreachable' }
    await storeArticles(database, [json], false, effects)
    const text = serverText(articleId, json)
    if (await storeText(database, text, effects.now())) options.textChanged(articleId)
    options.dueNow()
    return { kind: 'article', article: json }
  }

  async function pullAll(): Promise<void> {
    const answer = await get('/articles/client/myArticles')
    const listed = answer && readListing(answer.json)
    if (!listed) return
    await storeArticles(database, listed, true, effects)
    options.dueNow()
    await fetchTexts(listed)
    await noteMissing(new Set(listed.map(({ id }) => id)))
    await database.meta.put({ key: 'lastCheckedAt', value: effects.now() })
  }

  async function fetchTexts(listed: Article[]): Promise<void> {
    const docs = await database.docs.bulkGet(listed.map(({ id }) => id))
    const moved = listed
      .filter(({ textVersion }, at) => textVersion > (docs[at]?.textVersion ?? 0))
      .filter(({ completed }) => !completed || !database.isShortOfRoom)
      .sort(openFirst)
      .slice(0, TEXTS_KEPT)
    const fetchOneByOne = async (): Promise<void> => {
      for (let next = moved.shift(); next; next = moved.shift()) {
        const fetched = await fetchArticle(next.id)
        if (fetched.kind === 'unreachable') moved.length = 0
      }
    }
    await Promise.all(Array.from({ length: TEXTS_AT_ONCE }, fetchOneByOne))
  }

  /** Notes which articles the listing no longer has, and lets go of those that are gone for certain. */
  async function noteMissing(present: ReadonlySet<string>): Promise<void> {
    const known = await database.articles.where('listed').equals(1).toArray()
    const now = effects.now()
    for (const { id, missingSince } of known.filter((article) => !present.has(article.id))) {
      if (missingSince === null) {
        await database.articles.update(id, { access: 'suspect', missingSince: now })
      } else if (Math.abs(now - missingSince) >= MISSING_MS) await confirmMissing(id)
    }
  }

  async function confirmMissing(articleId: string): Promise<void> {
    const fetched = await fetchArticle(articleId)
    const reason = fetched.kind === 'refused' ? goneReason(fetched.status) : null
    if (reason) await letGo(database, articleId, reason)
    else if (fetched.kind === 'article') await database.articles.update(articleId, { listed: 0 })
  }

  return {
    fetchArticle,
    pull() {
      running ??= pullAll().finally(() => {
        running = null
      })
      return running
    },
  }
}

const isSuccess = ({ status, json }: HttpAnswer): boolean =>
  status >= 200 && status < 300 && typeof json === 'object' && json !== null

/** True when entries of the queue became due because the server answers again. */
async function noteAnswer(
  database: LocalDatabase,
  answered: boolean,
  status: number,
  now: number,
): Promise<boolean> {
  return database.transaction('rw', database.meta, database.outbox, async () => {
    if (!answered) {
      await database.meta.put({ key: 'connection', value: 'offline' })
      return false
    }
    if (status === 401) await database.meta.put({ key: 'signInNeeded', value: true })
    else if (status < 300) await database.meta.delete('signInNeeded')
    return noteServerAnswered(database, now)
  })
}

/** Null when the body is not a listing of articles. */
function readListing(json: unknown): Article[] | null {
  const { results } = (json ?? {}) as { results?: unknown }
  return Array.isArray(results) && results.every(isArticle) ? results : null
}

function openFirst(a: Article, b: Article): number {
  return (
    Number(a.completed) - Number(b.completed) || Date.parse(b.updatedAt) - Date.parse(a.updatedAt)
  )
}

/**
 * Removes the server's words of an article that this person may no longer read. The person's own unsent
 * words stay, with the row that names the article.
 */
export async function letGo(
  database: LocalDatabase,
  articleId: string,
  access: Exclude<ArticleRow['access'], 'ok' | 'suspect'>,
): Promise<void> {
  const { articles, docs, drafts, outbox, localRevs, serverRevs, meta } = database
  const tables = [articles, docs, drafts, outbox, localRevs, serverRevs, meta]
  await database.transaction('rw', tables, async () => {
    const [draft, entries] = await Promise.all([
      drafts.get(articleId),
      entriesOf(database, articleId),
    ])
    await docs.delete(articleId)
    await closeElsewhere(database, articleId)
    await forgetTheirTexts(database, articleId)
    if (draft?.dirty === 1 || entries.some(({ kind }) => kind !== 'control')) {
      await articles.update(articleId, { access, listed: 0, missingSince: null })
      return
    }
    await drafts.delete(articleId)
    await articles.delete(articleId)
    await outbox.bulkDelete(entries.map(({ seq }) => seq))
    const revisions = localRevs
      .where('[articleId+at]')
      .between([articleId, 0], [articleId, Infinity])
    await revisions.filter(({ reason }) => reason === 'checkpoint').delete()
  })
}
