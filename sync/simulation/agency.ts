import type { Hono } from 'hono'
import { startSession } from '../../api/accounts/sessions.ts'
import { createApp } from '../../api/app.ts'
import type { AppEnv } from '../../api/authenticate.ts'
import type { Deps } from '../../api/deps.ts'
import type { TestUser } from '../../api/test-app.ts'
import type { ArticleText } from '../../domain/document.ts'
import type { Session } from '../../domain/wire.ts'
import type { HttpAnswer, HttpRequest } from '../ports.ts'
import { paragraphsOf, wordsOf } from './prose.ts'
import { imageWith, openImage } from './server-image.ts'
import type { Settler } from './settle.ts'
import type { Timeline } from './timeline.ts'

export type Arrival = HttpRequest & { bearer?: string }
type RevisionRow = { text_version: number; article_text: string }
type HeadRow = RevisionRow & { completed: number }
export type Revision = { textVersion: number; text: string; words: Set<string> }

/** The real API over SQLite in memory, with two writers, an admin and some articles. */
export type Agency = Awaited<ReturnType<typeof createAgency>>

export async function createAgency(
  timeline: Timeline,
  settler: Settler,
  articleCount: number,
  log: (line: string) => void,
) {
  const faults: string[] = []
  const image = await imageWith(articleCount)
  const { admin, writers, articles } = image
  const { db, sqlite } = openImage(image)
  let ids = 0
  const deps: Deps = {
    ...image.deps,
    db,
    newId: () => `0195b000-0000-7000-8000-${(++ids).toString(16).padStart(12, '0')}`,
    clock: { now: timeline.now, monotonic: timeline.now },
    background: (task) => void settler.track(task()),
    log: {
      info: () => {},
      warn: (fields, message) => log(`  server: ${message} ${JSON.stringify(fields)}`),
      error: (fields, message) => faults.push(`${message}: ${'err' in fields ? fields.err : ''}`),
    },
  }
  let app: Hono<AppEnv> | null = createApp(deps)
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
  function revisions(articleId: string): readonly Revision[] {
    const found = known.get(articleId) ?? []
    known.set(articleId, found)
    const rows = sqlite
      .prepare<[string, number], RevisionRow>(
        `select text_version, article_text from article_revisions
         where article_id = ? and text_version > ? order by text_version`,
      )
      .all(articleId, found.at(-1)?.textVersion ?? -1)
    for (const row of rows) {
      const document = JSON.parse(row.article_text) as ArticleText
      const words = new Set(wordsOf(document))
      found.push({
        textVersion: row.text_version,
        text: paragraphsOf(document).join('\n'),
        words,
      })
    }
    return found
  }

  function head(articleId: string) {
    const row = sqlite
      .prepare<[string], HeadRow>(
        'select article_text, completed, text_version from articles where id = ?',
      )
      .get(articleId)
    if (!row) throw new Error(`There is no article ${articleId}`)
    const document = JSON.parse(row.article_text) as ArticleText
    return { document, completed: row.completed === 1, textVersion: row.text_version }
  }

  async function patchAs(person: TestUser, articleId: string, body: unknown): Promise<number> {
    const { access } = await startSession(deps, db, person)
    const request = {
      method: 'PATCH' as const,
      path: `/articles/${articleId}`,
      body: JSON.stringify(body),
      bearer: access.token,
    }
    return (await handle(app ?? createApp(deps), request)).status
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
      app ??= createApp(deps)
    },
    signIn: async (person: TestUser): Promise<Session> => {
      const { id, name, email, role } = person
      const user = { id, name, fullName: name, email, role, isEmailVerified: false }
      return { user, tokens: await startSession(deps, db, person) }
    },
    reopen: (articleId: string) => patchAs(admin, articleId, { completed: false }),
    /** A client without any of our headers: the last write wins. */
    writePlainly: (articleId: string, articleText: ArticleText) =>
      patchAs(writers[0], articleId, { articleText }),
    /** A change of the settings alone: the version moves, the text does not. */
    rename: (articleId: string, name: string) =>
      void sqlite
        .prepare(
          'update articles set name = ?, name_folded = ?, version = version + 1 where id = ?',
        )
        .run(name, name.toLowerCase(), articleId),
    /** Idempotency keys that more than one revision was made under. */
    keysAppliedTwice: () =>
      sqlite
        .prepare<[], string>(
          `select idem_key from article_revisions where idem_key is not null
           group by idem_key having count(*) > 1`,
        )
        .pluck()
        .all(),
    /** What the server itself calls an error. */
    faults,
    close: () => db.destroy(),
  }
}
