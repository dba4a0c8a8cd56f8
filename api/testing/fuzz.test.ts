import { expect, it } from 'vitest'
import type { Viewer } from '../../domain/access/permissions.ts'
import { runCount } from '../../scripts/test-depth.ts'
import { createRandom, type FuzzRequest, requestAtRandom } from './fuzz-requests.ts'
import { createTestApp, type TestUser } from './test-app.ts'

/**
 * Random requests, made from the description of the API, by a caller without a token, a client's user, an admin, a
 * deleted user and a former admin. Test apps throw on a response that is not described.
 */
const REQUESTS = runCount('FUZZ_REQUESTS')
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_302)
/** Number of requests before the data is recreated: random admins leave little of it. */
const REQUESTS_PER_WORLD = 100
const FREQUENT = [200, 201, 204, 304, 400, 401, 403, 404, 409, 412, 413, 415]

type World = Awaited<ReturnType<typeof createWorld>>

it(`${REQUESTS} requests at random get no 500 and nothing that is forbidden or not described`, {
  timeout: 60_000 + REQUESTS * 60,
}, async () => {
  const random = createRandom(SEED)
  const statuses = new Map<number, number>()
  let world = await createWorld()
  for (let count = 0; count < REQUESTS; count++) {
    if (count % REQUESTS_PER_WORLD === 0) world = await createWorld()
    const caller = random.one(world.callers)
    const sent = requestAtRandom(random, world)
    const rights = await rightsOf(world, caller, sent)
    const answer = await world.send(caller, sent)
    const text = await textOf(answer)
    const told = `request ${count}: ${caller?.name ?? 'nobody'} ${sent.verb} ${sent.path} ${JSON.stringify(sent.body)}`
    if (answer.status >= 500 || text.includes('"status":500'))
      expect.fail(`${told}: ${answer.status} ${text}`)
    const fault = forbiddenFault(world, caller, rights, { status: answer.status, text })
    if (fault !== null) expect.fail(`${told}: ${answer.status} ${fault} ${text}`)
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
  }
  // Random requests that never get past the first check would prove nothing. Fewer do not meet every status.
  if (REQUESTS >= 3_000) expect(FREQUENT.filter((status) => !statuses.has(status))).toEqual([])
})

/** A stream has no end to wait for. */
async function textOf(answer: Response): Promise<string> {
  if (answer.headers.get('content-type') !== 'text/event-stream') return answer.text()
  await answer.body?.cancel()
  return ''
}

async function createWorld() {
  const app = await createTestApp()
  const admin = await app.user({ name: 'Ada Ferris', email: 'ada@contun.example', role: 'admin' })
  await app.user({ name: 'Cosmo Reyes', email: 'cosmo@contun.example', role: 'admin' })
  const writer = await app.user({ name: 'Imogen Hale', email: 'imogen@contun.example' })
  const outsider = await app.user({ name: 'Otto Lindqvist', email: 'otto@contun.example' })
  const deleted = await app.user({ name: 'Ines Duarte', email: 'ines@contun.example' })
  const former = await app.user({ name: 'Bela Orban', email: 'bela@contun.example', role: 'admin' })
  const people = [admin, writer, outsider, deleted, former]
  const client = await app.client({ users: [writer, deleted] })
  const other = await app.client({ name: 'Closed Bakery', users: [outsider] })
  const articles = [
    await app.article({ client }),
    await app.article({ client, completed: true }),
    await app.article({ client: other }),
    await app.article({ client: null }),
  ]
  const tokens: string[] = ['none']
  for (const person of people) tokens.push((await app.signIn(person)).refresh.token)
  const sessions = await app.db.selectFrom('sessions').select(['id', 'user_id']).execute()
  await app.as(null).post('/v1/auth/forgot-password', { email: writer.email })
  await app.settled()
  tokens.push(/token=([\w-]+)/.exec(JSON.stringify(app.sentMail))?.[1] ?? '')
  await app.db.deleteFrom('users').where('id', '=', deleted.id).execute()
  await app.db.updateTable('users').set({ role: 'user' }).where('id', '=', former.id).execute()
  return {
    db: app.db,
    /** By the caller's id: the session that the caller's token names. */
    sessions: new Map(sessions.map(({ id, user_id }) => [user_id, id])),
    people,
    callers: [
      ...[null, admin, admin, admin, writer, writer, writer],
      ...[outsider, outsider, deleted, former, former],
    ] as (TestUser | null)[],
    tokens,
    emails: [...people.map(({ email }) => email), 'new@contun.example'],
    ids: {
      article: articles.map(({ id }) => id),
      client: [client.id, other.id],
      user: people.map(({ id }) => id),
    },
    send: async (caller: TestUser | null, { verb, path, body, headers }: FuzzRequest) => {
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
      const as = app.as(caller)
      const all = { ...Object.fromEntries(headers) }
      if (verb === 'get') return as.get(path, all)
      const answer = await as[verb as 'post' | 'put' | 'patch' | 'delete'](path, text, all)
      await app.settled()
      return answer
    },
  }
}

// ── What may not happen ─────────────────────────────────────────────────────────────────────────

type Rights = { mayBe(status: number): boolean; isAdmin: boolean; wasAdmin: boolean }

const refusedWith =
  (...statuses: number[]) =>
  (status: number) =>
    statuses.includes(status)

/** Read from the database just before the request, by a statement of the rules that is independent of the server. */
async function rightsOf(
  { db, sessions }: World,
  caller: TestUser | null,
  sent: FuzzRequest,
): Promise<Rights> {
  const { template } = sent
  const session = caller && (await sessionOf(db, sessions.get(caller.id) ?? ''))
  const viewer: Viewer | null = session && { id: session.user_id, role: session.role }
  const isAdmin = viewer?.role === 'admin'
  const rights = { isAdmin, wasAdmin: isAdmin && session?.current !== 'admin' }
  const isGuests =
    template.startsWith('/v1/auth/') || template === '/v1/mails' || !template.startsWith('/v1/')
  if (isGuests) return { ...rights, mayBe: () => true }
  if (viewer === null) return { ...rights, mayBe: refusedWith(401) }
  if (isAgencys(sent)) {
    const may = isAdmin && !(rights.wasAdmin && isAccounts(sent))
    return {
      ...rights,
      mayBe: may || isOwnAccess(viewer, sent) ? () => true : refusedWith(403, 400, 404, 413, 415),
    }
  }
  // An undelivered text may come from any user who once had access.
  const isForAll = !template.includes('{id}') || template.endsWith('/undelivered-texts')
  if (isForAll) return { ...rights, mayBe: () => true }
  const id = sent.path.split('/')[3]?.split('?')[0] ?? ''
  const article = await articleOf(db, id)
  if (article === null || !(isAdmin || article.users.includes(viewer.id))) {
    // What is wrong with the address alone says nothing of the article.
    return { ...rights, mayBe: refusedWith(400, 404, 413, 415) }
  }
  const plans = sent.verb === 'put'
  const reopens = (sent.body as { completed?: unknown } | undefined)?.completed === false
  return (plans || reopens) && !isAdmin
    ? { ...rights, mayBe: (status) => status >= 400 }
    : { ...rights, mayBe: () => true }
}

function isAgencys({ verb, template }: FuzzRequest): boolean {
  return (
    /^\/v1\/(users|clients|undelivered-texts|home|log|progress|program-tokens|mail-state|templates)/.test(
      template,
    ) ||
    template === '/v1/hand-ins' ||
    (template === '/v1/articles' && verb !== 'patch') ||
    /^\/v1\/articles\/(admin|bulk|list)/.test(template) ||
    (verb === 'delete' && template === '/v1/articles/{id}')
  )
}

const isAccounts = ({ verb, template }: FuzzRequest) =>
  verb !== 'get' && /^\/v1\/(users|program-tokens)/.test(template)

/** The own password, the own second step and the own mails. */
function isOwnAccess(viewer: Viewer, { verb, path, body }: FuzzRequest): boolean {
  if (path.startsWith(`/v1/users/${viewer.id}/second-step`)) return true
  if (path === `/v1/users/${viewer.id}/mails`) return true
  const isOwn = verb === 'patch' && path === `/v1/users/${viewer.id}`
  return isOwn && Object.keys(body ?? {}).every((key) => key === 'password')
}

async function sessionOf(db: World['db'], id: string) {
  const session = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.user_id', 'sessions.role', 'users.role as current'])
    .where('sessions.id', '=', id)
    .executeTakeFirst()
  return session ?? null
}

async function articleOf(db: World['db'], id: string) {
  const article = await db
    .selectFrom('articles')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (article === undefined) return null
  const users = await db
    .selectFrom('client_users')
    .select('user_id')
    .where('client_id', '=', article.client_id ?? '')
    .execute()
  return { users: users.map((row) => row.user_id) }
}

/** Null when this response may be given to this caller. */
function forbiddenFault(
  { people }: World,
  caller: TestUser | null,
  { mayBe, isAdmin }: Rights,
  { status, text }: { status: number; text: string },
): string | null {
  if (!mayBe(status)) return 'is forbidden'
  if (/\$2[aby]\$|password_?hash/i.test(text)) return 'tells a hash'
  if (isAdmin || status >= 400 || !text.includes('"results"')) return null
  const others = people.filter(({ id }) => id !== caller?.id)
  return others.some(({ email }) => text.includes(email)) ? 'tells an address' : null
}
