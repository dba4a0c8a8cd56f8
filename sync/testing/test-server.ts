import { plainText } from '../../domain/text/article-text.ts'
import { documentHash } from '../../domain/text/canonical.ts'
import type { ArticleText } from '../../domain/text/document.ts'
import type { Article } from '../../domain/wire/articles.ts'
import { type Clock, type HttpAnswer, type HttpRequest, NoAnswer } from '../ports.ts'

/** What happens to the next requests; 'good' when the list is empty. */
export type Fate =
  | 'good'
  | 'lost'
  | 'answer-lost'
  | 'never'
  /** Carried out after SLOW_MS. */
  | 'slow'
  | { status: number; json?: unknown; headers?: Record<string, string> }

export const SLOW_MS = 3_000

type BatchChange = { id: string; headers: Record<string, string>; body: object }
type Stored = { article: Article; hash: string; gone: 403 | 404 | null; absent: boolean }

export type FakeServer = {
  log: string[]
  offline: boolean
  /** Every request gets 401. */
  signedOut: boolean
  /** As if it had no call for several changes. */
  withoutBatches: boolean
  /** For PATCH only, in order; a batch is one. */
  fates: Fate[]
  /** For GET of a single article, in order. */
  reads: { status: number; json?: unknown; headers?: Record<string, string> }[]
  /** For every PATCH of one article, until it is deleted. */
  always: Map<string, Fate>
  add(id: string, text: ArticleText): void
  article(id: string): Article
  words(id: string): string
  /** Another user changes the article. */
  change(
    id: string,
    change: { text?: ArticleText } & Partial<Pick<Article, 'completed' | 'completion' | 'name'>>,
  ): void
  refuse(id: string, status: 403 | 404 | null): void
  /** The listing omits it. */
  hide(id: string): void
  forgetKeys(): void
  send(request: HttpRequest): Promise<HttpAnswer>
  /** Returns log lines of PATCH requests and their outcomes, then clears them. */
  patches(): string[]
  /** Texts that were sent to the agency instead: '<article> <reason> "<words>"'. */
  undelivered: string[]
}

const STARTED = Date.parse('2026-03-02T09:00:00.000Z')

export function createServer(clock: Clock): FakeServer {
  const articles = new Map<string, Stored>()
  const keys = new Map<
    string,
    { body: string | null; answer: HttpAnswer; text?: Article['articleText'] }
  >()
  const names = new Map<string, string>()
  const server: FakeServer = {
    log: [],
    offline: false,
    signedOut: false,
    withoutBatches: false,
    fates: [],
    reads: [],
    always: new Map(),
    undelivered: [],
    add(id, text) {
      const now = new Date(STARTED).toISOString()
      const article: Article = {
        id,
        _id: id,
        name: `Article ${id}`,
        clientId: { id: 'c1', name: 'Halden Outdoors', users: ['u1'] },
        wordMinimum: 100,
        articleText: text,
        keywordList: [],
        completed: false,
        createdAt: now,
        updatedAt: now,
        version: 1,
        textVersion: 1,
      }
      articles.set(id, { article, hash: documentHash(text), gone: null, absent: false })
    },
    article: (id) => stored(id).article,
    words: (id) => plainText(stored(id).article.articleText ?? {}),
    change(id, { text, ...rest }) {
      apply(stored(id), { ...rest, ...(text ? { articleText: text } : {}) })
    },
    refuse(id, status) {
      stored(id).gone = status
    },
    hide(id) {
      stored(id).absent = true
    },
    forgetKeys: () => keys.clear(),
    patches: () => server.log.splice(0).filter((line) => !line.includes('GET')),
    send: async (request) => {
      if (request.method === 'GET') return read(request)
      return request.path === '/articles' ? patchAll(request) : patch(request)
    },
  }

  function stored(id: string): Stored {
    const found = articles.get(id)
    if (!found) throw new Error(`No article ${id}`)
    return found
  }

  function apply(of: Stored, change: Partial<Article>): void {
    const { article } = of
    article.version += 1
    if (change.articleText) {
      article.textVersion += 1
      of.hash = documentHash(change.articleText)
    }
    Object.assign(article, change, { updatedAt: new Date(STARTED + clock.now()).toISOString() })
  }

  /** 'k1' for the first key that arrived here, and so on. */
  function nameOf(key: string): string {
    const name = names.get(key) ?? `k${names.size + 1}`
    names.set(key, name)
    return name
  }

  function note(line: string): void {
    server.log.push(`${clock.now()} ${line}`)
  }

  async function read(request: HttpRequest): Promise<HttpAnswer> {
    note(`GET ${request.path}`)
    if (server.offline) throw new NoAnswer()
    if (server.signedOut) return refusal(401, 'Please authenticate')
    if (request.path === '/articles/client/myArticles') {
      const listed = [...articles.values()].filter(({ gone, absent }) => gone === null && !absent)
      const results = listed.map(({ article: { articleText: _, ...article } }) => ({ ...article }))
      return answer(200, { results, page: 1, limit: results.length, totalPages: 1 })
    }
    const fate = server.reads.shift()
    if (fate) return answer(fate.status, fate.json, fate.headers)
    const found = articles.get(request.path.slice('/articles/'.length))
    if (!found || found.gone !== null) return refusal(found?.gone ?? 404, 'Article not found')
    const date = new Date(STARTED + clock.now()).toUTCString()
    return answer(200, { ...found.article }, { Date: date })
  }

  /** Each change as if it had arrived alone, but one fate for all. */
  async function patchAll(request: HttpRequest): Promise<HttpAnswer> {
    const { changes } = JSON.parse(request.body ?? '{}') as { changes: BatchChange[] }
    note(`BATCH of ${changes.length}`)
    const fate = server.fates.shift() ?? 'good'
    if (server.offline || fate === 'lost') return lose('lost')
    if (fate === 'never') return wait(request)
    if (server.withoutBatches) return refusal(404, 'Not found')
    if (server.signedOut) return refusal(401, 'Please authenticate')
    if (typeof fate === 'object') return answer(fate.status, fate.json, fate.headers)
    const answers = []
    for (const { id, headers, body } of changes) {
      const path = `/articles/${id}`
      const own = await patch({ method: 'PATCH', path, headers, body: JSON.stringify(body) })
      answers.push({ id, status: own.status, headers: {}, body: own.json })
    }
    if (fate === 'answer-lost') return lose('batch lost')
    return answer(200, { answers })
  }

  async function patch(request: HttpRequest): Promise<HttpAnswer> {
    const [, , id = '', isUndelivered] = request.path.split('/')
    const body = JSON.parse(request.body ?? '{}') as Partial<Article>
    const key = request.headers?.['Idempotency-Key'] ?? ''
    const what = isUndelivered
      ? `undelivered "${plainText(body.articleText ?? {})}"`
      : body.articleText
        ? `${request.headers?.['If-Match']?.match(/t\d+/)?.[0]} "${plainText(body.articleText).replaceAll('\n', ' / ')}"`
        : `completed ${body.completed}`
    note(`${request.method} ${id} ${what} ${nameOf(key)}`)
    const fate = server.always.get(id) ?? server.fates.shift() ?? 'good'
    if (server.offline || fate === 'lost') return lose('lost')
    if (fate === 'never') return wait(request)
    if (fate === 'slow') await new Promise<void>((passed) => clock.after(SLOW_MS, passed))
    if (server.signedOut) return refusal(401, 'Please authenticate')
    if (typeof fate === 'object') {
      note(String(fate.status))
      return answer(fate.status, fate.json, fate.headers)
    }
    const result = isUndelivered
      ? keepUndeliveredText(id, body, request, key)
      : handle(id, body, request, key)
    if (fate === 'answer-lost') return lose(`${result.status} lost`)
    const { textVersion } = result.json as { textVersion?: number }
    note(textVersion !== undefined ? `200 t${textVersion}` : String(result.status))
    return result
  }

  function handle(
    id: string,
    body: Partial<Article>,
    request: HttpRequest,
    key: string,
  ): HttpAnswer {
    const found = articles.get(id)
    if (!found || found.gone !== null) return refusal(found?.gone ?? 404, 'Article not found')
    const saves = earlierSaves(id, request)
    const known = keys.get(key)
    if (known && known.body === request.body) {
      return answer(200, { ...(known.answer.json as object), ...arrivedOf(saves) })
    }
    if (known) return refusal(422, 'Key reused')
    if (body.articleText && found.article.completed) {
      return refusal(409, 'The article is complete', { reason: 'article_completed' })
    }
    const same = body.articleText && documentHash(body.articleText) === found.hash
    const condition = request.headers?.['If-Match']?.match(/t(\d+)/)?.[1]
    const last = saves?.at(-1)
    const isOwn = last?.textVersion === found.article.textVersion
    if (!same && !isOwn && condition && Number(condition) !== found.article.textVersion) {
      const updatedBy = { id: 'u2', name: 'Ada Birch' }
      const own = { ...arrivedOf(saves), ...(last && { arrivedText: last.text }) }
      return refusal(412, 'Stale', { current: { ...found.article, updatedBy, ...own } })
    }
    if (!same) apply(found, body)
    const { articleText, ...minimal } = found.article
    const result = answer(200, minimal)
    keys.set(key, { body: request.body ?? '', answer: result, text: articleText })
    return answer(200, { ...minimal, ...arrivedOf(saves) })
  }

  /** Those saves superseded by the request that arrived; the others never will. Null when it names none. */
  function earlierSaves(id: string, { headers = {} }: HttpRequest) {
    const named = headers['Contun-Supersedes']?.split(',')
    if (!named) return null
    const arrived = named.flatMap((key) => {
      const { textVersion, id: of } = (keys.get(key)?.answer.json ?? {}) as Partial<Article>
      const text = keys.get(key)?.text
      return textVersion !== undefined && of === id ? [{ key, textVersion, text }] : []
    })
    for (const key of named)
      if (!keys.has(key)) keys.set(key, { body: null, answer: refusal(410, 'Superseded') })
    return arrived.sort((a, b) => a.textVersion - b.textVersion)
  }

  const arrivedOf = (saves: ReturnType<typeof earlierSaves>) =>
    saves && { arrived: saves.map(({ key, textVersion }) => ({ key, textVersion })) }

  function keepUndeliveredText(
    id: string,
    body: Partial<Article> & { reason?: string },
    request: HttpRequest,
    key: string,
  ): HttpAnswer {
    const known = keys.get(key)
    if (known) return known.body === request.body ? known.answer : refusal(422, 'Key reused')
    server.undelivered.push(`${id} ${body.reason} "${plainText(body.articleText ?? {})}"`)
    const result = answer(201, { id: `s${server.undelivered.length}` })
    keys.set(key, { body: request.body ?? '', answer: result })
    return result
  }

  function lose(line: string): never {
    note(line)
    throw new NoAnswer()
  }

  function wait(request: HttpRequest): Promise<HttpAnswer> {
    return new Promise((_, reject) => {
      clock.after(request.timeoutMs ?? 0, () => {
        note('timeout')
        reject(new NoAnswer())
      })
    })
  }

  return server
}

export function answer(
  status: number,
  json: unknown,
  headers: Record<string, string> = {},
): HttpAnswer {
  return { status, json: structuredClone(json), header: (name) => headers[name] ?? null }
}

export const errorBody = (code: number, message: string, more: object = {}) => ({
  code,
  message,
  requestId: 'r1',
  ...more,
})

const refusal = (status: number, message: string, more: object = {}): HttpAnswer =>
  answer(status, errorBody(status, message, more))
