import type { Hono } from 'hono'
import { createApp } from '../../api/app.ts'
import type { AppEnv } from '../../api/authenticate.ts'
import { createTestApp, type TestUser } from '../../api/test-app.ts'
import type { ArticleText } from '../../domain/document.ts'
import type { Session } from '../../domain/wire.ts'
import type { HttpAnswer, HttpRequest } from '../ports.ts'
import { paragraphsOf, wordsOf } from './prose.ts'
import type { Settler } from './settle.ts'
import type { Timeline } from './timeline.ts'

export type Arrival = HttpRequest & { bearer?: string }
export type Revision = { textVersion: number; text: string; words: Set<string> }

/** The real API over SQLite in memory, with two writers, an admin and some articles. */
export type Agency = Awaited<ReturnType<typeof createAgency>>

/** Short, so that tokens expire in the middle of a schedule. */
const ACCESS_TOKEN_MINUTES = 1

export async function createAgency(
  timeline: Timeline,
  settler: Settler,
  articleCount: number,
  log: (line: string) => void,
) {
  const faults: string[] = []
  const world = await createTestApp({
    config: { accessTokenMinutes: ACCESS_TOKEN_MINUTES },
    deps: {
      clock: { now: timeline.now, monotonic: timeline.now },
      passwords: { hash: async () => 'nobody signs in by password', verify: async () => false },
      log: {
        info: () => {},
        warn: (fields, message) => log(`  server: ${message} ${JSON.stringify(fields)}`),
        error: (fields, message) => faults.push(`${message}: ${'err' in fields ? fields.err : ''}`),
      },
    },
  })
  const admin = await world.user({ name: 'Oona Vale', role: 'admin' })
  const writers = [
    await world.user({ name: 'Imogen Hale' }),
    await world.user({ name: 'Piers Lowell' }),
  ] as const
  const client = await world.client({ users: [...writers] })
  const articles: string[] = []
  for (let made = 0; made < articleCount; made++) {
    articles.push((await world.article({ name: `Article ${made + 1}`, client })).id)
  }

  let app: Hono<AppEnv> | null = world.app
  const known = new Map<string, Revision[]>()

  async function handle(to: Hono<AppEnv>, request: Arrival): Promise<HttpAnswer> {
    const { method, path, body, headers, bearer } = request
    const response = await to.request(`/v1${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    return {
      status: response.status,
      json: text === '' ? undefined : JSON.parse(text),
      header: (name) => response.headers.get(name),
    }
  }

  /** Every text that the article ever had, first one first. They only become more. */
  async function revisions(articleId: string): Promise<Revision[]> {
    const found = known.get(articleId) ?? []
    const rows = await world.db
      .selectFrom('article_revisions')
      .select(['text_version', 'article_text'])
      .where('article_id', '=', articleId)
      .where('text_version', '>', found.at(-1)?.textVersion ?? -1)
      .orderBy('text_version')
      .execute()
    const added = rows.map((row): Revision => {
      const document = JSON.parse(row.article_text) as ArticleText
      const words = new Set(wordsOf(document))
      return { textVersion: row.text_version, text: paragraphsOf(document).join('\n'), words }
    })
    const all = [...found, ...added]
    known.set(articleId, all)
    return all
  }

  async function head(articleId: string) {
    const { article_text, completed, text_version } = await world.db
      .selectFrom('articles')
      .select(['article_text', 'completed', 'text_version'])
      .where('id', '=', articleId)
      .executeTakeFirstOrThrow()
    const document = JSON.parse(article_text) as ArticleText
    return { document, completed: completed === 1, textVersion: text_version }
  }

  async function patchAs(person: TestUser, articleId: string, body: unknown): Promise<number> {
    await world.signIn(person)
    return (await world.as(person).patch(`/v1/articles/${articleId}`, body)).status
  }

  return {
    writers,
    articles,
    revisions,
    head,
    /** Undefined when no process listens. */
    receive: (request: Arrival): Promise<HttpAnswer | undefined> =>
      app === null ? Promise.resolve(undefined) : settler.track(handle(app, request)),
    isUp: () => app !== null,
    track: settler.track,
    /** The process ends; the database stays. */
    stop() {
      app = null
    },
    start() {
      app ??= createApp(world.deps)
    },
    signIn: async (person: TestUser): Promise<Session> => {
      const { id, name, email, role } = person
      const user = { id, name, fullName: name, email, role, isEmailVerified: false }
      return { user, tokens: await world.signIn(person) }
    },
    reopen: (articleId: string) => patchAs(admin, articleId, { completed: false }),
    /** A client without any of our headers: the last write wins. */
    writePlainly: (articleId: string, articleText: ArticleText) =>
      patchAs(writers[0], articleId, { articleText }),
    /** A change of the settings alone: the version moves, the text does not. */
    rename: (articleId: string, name: string) =>
      world.db
        .updateTable('articles')
        .set((row) => ({ name, name_folded: name.toLowerCase(), version: row('version', '+', 1) }))
        .where('id', '=', articleId)
        .execute(),
    /** Idempotency keys that more than one revision was made under. */
    keysAppliedTwice: () =>
      world.db
        .selectFrom('article_revisions')
        .select('idem_key')
        .where('idem_key', 'is not', null)
        .groupBy('idem_key')
        .having((row) => row.fn.countAll(), '>', 1)
        .execute(),
    /** What the server itself calls an error. */
    faults,
    close: () => world.db.destroy(),
  }
}
