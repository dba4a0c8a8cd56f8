import { gzipSync } from 'node:zlib'
import type { Hono } from 'hono'
import { sql } from 'kysely'
import { startSession } from '../../api/accounts/sessions.ts'
import { createApp } from '../../api/app.ts'
import { restoreArticle } from '../../api/articles/deleted-article-rows.ts'
import { readMeta } from '../../api/database/meta-rows.ts'
import { readsOf } from '../../api/database/open-database.ts'
import type { Deps } from '../../api/deps.ts'
import { createChangeFeed } from '../../api/events/change-feed.ts'
import type { AppEnv } from '../../api/http/authenticate.ts'
import type { TestUser } from '../../api/testing/test-app.ts'
import { foldName } from '../../domain/names/folded-name.ts'
import type { ArticleText } from '../../domain/text/document.ts'
import type { Session } from '../../domain/wire/users.ts'
import type { HttpAnswer, HttpRequest } from '../ports.ts'
import { paragraphsOf, wordsOf } from './prose.ts'
import { imageWith, type PushLoop } from './server-image.ts'
import {
  type Backup,
  backUp,
  handInsOf,
  headOf,
  keysAppliedTwice,
  notesOf,
  revisionsAfter,
} from './server-rows.ts'
import type { Settler } from './settle.ts'
import type { Timeline } from './timeline.ts'

/** `address`: its path below /v1, `path` when left out; `without`: headers that were stripped on the way. */
export type Arrival = HttpRequest & { bearer?: string; address?: string; without?: string[] }
export type Revision = {
  textVersion: number
  text: string
  words: Set<string>
  authorId: string | null
}

/** The real API over a real database, with two writers, an admin and some articles. */
export type Agency = Awaited<ReturnType<typeof createAgency>>

export async function createAgency(
  timeline: Timeline,
  settler: Settler,
  articleCount: number,
  log: (line: string) => void,
  engine?: PushLoop,
) {
  const faults: string[] = []
  const image = await imageWith(articleCount, engine)
  const { admin, writers, articles } = image
  const { db, close } = await image.open()
  let ids = 0
  const deps: Deps = {
    ...image.deps,
    db,
    reads: readsOf(db),
    newId: () => `0195b000-0000-7000-8000-${(++ids).toString(16).padStart(12, '0')}`,
    clock: { now: timeline.now, monotonic: timeline.now },
    background: (task) => void settler.track(task()),
    log: {
      info: () => {},
      warn: (fields, message) => log(`  server: ${message} ${JSON.stringify(fields)}`),
      error: (fields, message) => faults.push(`${message}: ${'err' in fields ? fields.err : ''}`),
    },
  }
  /** One process: its streams end with it. */
  function launch() {
    const after = (ms: number, task: () => void) =>
      timeline.after(ms, () => void settler.track(Promise.resolve(task())))
    const changes = createChangeFeed({
      db,
      clock: deps.clock,
      log: deps.log,
      health: deps.health,
      after,
    })
    return { app: createApp({ ...deps, changes }), changes }
  }
  let running: ReturnType<typeof launch> | null = launch()
  const known = new Map<string, Revision[]>()
  /** Texts of old epochs, by article. */
  const former = new Map<string, Revision[]>()
  /** Words that were lost with an old epoch, by article. */
  const takenBack = new Map<string, Set<string>>()
  /** Articles that were deleted or that a user lost the right to read. */
  const shutOut = new Set<string>()
  let backup: Backup | null = null

  async function handle(to: Hono<AppEnv>, request: Arrival): Promise<HttpAnswer> {
    const { method, path, body, bearer, address = path, without = [] } = request
    const isPacked = request.headers !== undefined && 'Content-Encoding' in request.headers
    const headers = new Headers({
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...request.headers,
    })
    for (const name of without) headers.delete(name)
    const bytes = isPacked ? new Uint8Array(gzipSync(body ?? '')) : new TextEncoder().encode(body)
    const response = await to.request(`/v1${address}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: bytes }),
    })
    const text = await response.text()
    return {
      status: response.status,
      json: text === '' ? undefined : JSON.parse(text),
      header: (name) => response.headers.get(name),
    }
  }

  /** Every text that the article ever had, oldest first. It only grows. */
  async function revisions(articleId: string): Promise<readonly Revision[]> {
    return [...(former.get(articleId) ?? []), ...(await revisionsNow(articleId))]
  }

  /** The revisions of the present epoch. */
  async function revisionsNow(articleId: string): Promise<readonly Revision[]> {
    const found = known.get(articleId) ?? []
    known.set(articleId, found)
    const after = found.at(-1)?.textVersion ?? -1
    const rows = await revisionsAfter(db, { articleId, after })
    for (const { text_version: textVersion, article_text, author_id: authorId } of rows) {
      // Another caller may have asked for the same ones in between.
      if (textVersion <= (found.at(-1)?.textVersion ?? -1)) continue
      const document = JSON.parse(article_text) as ArticleText
      const words = new Set(wordsOf(document))
      found.push({ textVersion, text: paragraphsOf(document).join('\n'), words, authorId })
    }
    return found
  }

  /** The text as the server has it, also while the article is deleted. */
  async function head(articleId: string) {
    const [row] = await headOf(db, { articleId })
    if (!row) throw new Error(`There is no article ${articleId}`)
    const document = JSON.parse(row.article_text) as ArticleText
    const [completed, deleted] = [row.completed === 1, row.deleted === 1]
    return { document, completed, deleted, textVersion: row.text_version }
  }

  /** An API call by a user who signs in for it; works also while no process listens to others. */
  async function callAs(
    person: TestUser,
    method: 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ) {
    const { access } = await startSession(deps, db, person)
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const request = { method, path, bearer: access.token, ...json }
    return handle((running ?? launch()).app, request)
  }

  /** Restores the backup, as the server's owner is instructed to. Returns false without a backup. */
  async function putBack(): Promise<boolean> {
    if (backup === null) return false
    const wasUp = running !== null
    stop()
    for (const articleId of articles) {
      const texts = await revisionsNow(articleId)
      former.set(articleId, [...(former.get(articleId) ?? []), ...texts])
    }
    known.clear()
    await backup(deps.newId())
    for (const articleId of articles) {
      const stays = new Set(wordsOf((await head(articleId)).document))
      const words = (former.get(articleId) ?? []).flatMap((text) => [...text.words])
      takenBack.set(articleId, new Set(words.filter((word) => !stays.has(word))))
    }
    if (wasUp) start()
    return true
  }

  /** The process ends; the database stays. */
  function stop() {
    running?.changes.end()
    running = null
  }

  function start() {
    running ??= launch()
  }

  return {
    writers,
    articles,
    /** Whether the server had the word in an old epoch, and not when the present one began. */
    isTakenBack: (articleId: string, word: string): boolean =>
      takenBack.get(articleId)?.has(word) === true,
    async backUp() {
      backup = await backUp(db)
    },
    putBack,
    /** The name of the present epoch. */
    epoch: () => readMeta(db, 'server_epoch'),
    isPutBack: () => takenBack.size > 0,
    /** Whether a user could not read the article for a while. */
    wasShutOut: (articleId: string) => shutOut.has(articleId),
    revisions,
    head,
    /** Undefined when no process listens. */
    receive: (request: Arrival): Promise<HttpAnswer | undefined> =>
      running ? settler.track(handle(running.app, request)) : Promise.resolve(undefined),
    /** A response that is read as it arrives. Undefined when no process listens. */
    listen: async ({ path, bearer }: { path: string; bearer?: string }) => {
      const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
      if (!running) return undefined
      const answer = Promise.resolve(running.app.request(`/v1${path}`, { headers }))
      const { status, body } = await settler.track(answer)
      return { status, reader: body?.getReader() }
    },
    isUp: () => running !== null,
    track: settler.track,
    stop,
    start,
    signIn: async (person: TestUser): Promise<Session> => {
      const { id, name, email, role } = person
      const user = { id, name, fullName: name, email, role, isEmailVerified: false }
      return { user, tokens: await startSession(deps, db, person) }
    },
    setCompleted: (articleId: string, completed: boolean) =>
      callAs(admin, 'PATCH', `/articles/${articleId}`, { completed }),
    deleteArticle(articleId: string) {
      shutOut.add(articleId)
      return callAs(admin, 'DELETE', `/articles/${articleId}`)
    },
    restoreArticle: (articleId: string) =>
      db.transaction().execute((inside) => restoreArticle(inside, articleId, timeline.now())),
    /** No other user may read the articles from now on. */
    setReaders(readers: readonly TestUser[]) {
      if (readers.length < writers.length) for (const articleId of articles) shutOut.add(articleId)
      const users = readers.map(({ id }) => id)
      return callAs(admin, 'PATCH', `/clients/${image.clientId}`, { users })
    },
    /** Ends every session of the user, as a new password does. */
    signOutEverywhere: (person: TestUser) =>
      db.deleteFrom('sessions').where('user_id', '=', person.id).execute(),
    /** A client without any of our headers: the last write wins. */
    writePlainly: (articleId: string, articleText: ArticleText) =>
      callAs(writers[0], 'PATCH', `/articles/${articleId}`, { articleText }),
    /** A change of the settings alone: the version moves, the text does not. */
    rename: (articleId: string, name: string) =>
      db
        .updateTable('articles')
        .set({ name, name_folded: foldName(name), version: sql`version + 1` })
        .where('id', '=', articleId)
        .execute(),
    /** Renames as an admin does it in the product, which notifies every listener. */
    renameAloud: (articleId: string, name: string) =>
      callAs(admin, 'PATCH', `/articles/admin/${articleId}`, { name }),
    notes: (articleId: string) => notesOf(db, articleId),
    handIns: (articleId: string) => handInsOf(db, articleId),
    textOf: async (articleId: string, textVersion: number): Promise<ArticleText | null> => {
      const [row] = await revisionsAfter(db, { articleId, after: textVersion - 1 })
      return row?.text_version === textVersion ? JSON.parse(row.article_text) : null
    },
    /** Idempotency keys under which more than one revision was created. */
    keysAppliedTwice: () => keysAppliedTwice(db),
    /** Errors that the server itself reports. */
    faults,
    close: () => {
      running?.changes.end()
      return close()
    },
  }
}
