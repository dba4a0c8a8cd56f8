import { generateSync } from 'otplib'
import { describe, expect, it } from 'vitest'
import type { ArticleListAnswer } from '../../domain/wire/article-lists.ts'
import type { Receipt } from '../../domain/wire/hand-ins.ts'
import type { PeopleListAnswer } from '../../domain/wire/people-lists.ts'
import type { NewProgramToken } from '../../domain/wire/program-tokens.ts'
import type { PasskeyCreation, SecondStepAsked } from '../../domain/wire/second-step.ts'
import { deleteArticle } from '../articles/deleted-article-rows.ts'
import { isPostgres } from '../database/engine.ts'
import { countChange } from '../events/change-rows.ts'
import { stopKey } from '../mail/stop-links.ts'
import { describeApi } from '../openapi/description.ts'
import { costOf } from './count-statements.ts'
import { softwarePasskey } from './software-passkey.ts'
import { STATEMENT_BUDGET } from './statement-budget.ts'
import { createTestApp, TEST_PASSWORD, type TestApp, type TestUser } from './test-app.ts'

const text = (words: string) => ({
  type: 'doc' as const,
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
})
const keyword = { keyword: 'green coffee', source: 'E', score: 4, category: 'Must Use' }

type World = Awaited<ReturnType<typeof createWorld>>
type Usual = (world: World) => Promise<unknown>

/** A client with a writer, an article that was saved, completed, reopened, noted and planned, and five others. */
async function createWorld() {
  const app = await createTestApp()
  const admin = await app.user({ name: 'Ada Ferris', role: 'admin' })
  const writer = await app.user({ name: 'Imogen Hale' })
  const other = await app.user({ name: 'Rosa Winther' })
  const client = await app.client({ users: [writer] })
  const empty = await app.client({ name: 'Closed Bakery' })
  const article = await app.article({ client, articleText: text('One.'), keywordList: [keyword] })
  const others = []
  for (let count = 0; count < 5; count += 1) others.push(await app.article({ client }))
  const { id } = article
  const path = `/v1/articles/${id}`
  const [asAdmin, asWriter] = [app.as(admin), app.as(writer)]
  await asWriter.patch(path, { articleText: text('One two.') }, { 'idempotency-key': 'first' })
  await asWriter.patch(path, { completed: true })
  await asAdmin.patch(path, { completed: false })
  await asAdmin.post(`${path}/notes`, { kind: 'reopened', body: 'More.', handIn: 1 }, key('note'))
  await asAdmin.put(`${path}/plan`, { brief: 'Prices.', dueOn: '2026-12-03' })
  const sent = await asWriter.post(
    `${path}/undelivered-texts`,
    { articleText: text('Lost.'), reason: 'revoked' },
    key('lost'),
  )
  const undelivered = ((await sent.json()) as { id: string }).id
  const deleted = await app.article({ client })
  await app.db
    .transaction()
    .execute((db) => deleteArticle(db, deleted.id, { now: app.clock.now(), deletedBy: admin.id }))
  const ids = others.map((one) => one.id)
  const tokens = await app.signIn(other)
  await app.settled()
  return { app, admin, writer, other, client, empty, id, ids, undelivered, deleted, tokens }
}

const MARGIN_NOTE = {
  kind: 'note',
  body: 'Which one?',
  ref: 'margin',
  anchor: { quote: 'word', before: '', after: '', block: 0, textVersion: 1 },
}

const key = (name: string) => ({ 'idempotency-key': name })
const tagOf = async ({ app, writer, id }: World) =>
  (await app.as(writer).get(`/v1/articles/${id}`)).headers.get('etag') ?? ''

const as =
  (who: 'admin' | 'writer' | null) =>
  ({ app, ...people }: World) =>
    app.as(who === null ? null : people[who])
const [anonymous, writer, admin] = [as(null), as('writer'), as('admin')]

/** Steps before a request that are no part of it return what the request needs. */
type Prepared = {
  before(world: World): Promise<unknown>
  request(world: World, given: never): Promise<unknown>
}
const after = <Given>(
  before: (world: World) => Promise<Given>,
  request: (world: World, given: Given) => Promise<unknown>,
): Prepared => ({ before, request })

const save = (headers: Record<string, string>) => (world: World) =>
  writer(world).patch(`/v1/articles/${world.id}`, { articleText: text('One two three.') }, headers)

const secondStep = ({ writer: { id } }: World, path = '') => `/v1/users/${id}/second-step${path}`
const codeOf = ({ app }: World, secret: string, ahead = 0) =>
  generateSync({ secret, epoch: app.clock.now() / 1000 + ahead })
async function beginApp(w: World): Promise<string> {
  const begun = await writer(w).post(secondStep(w, '/app'), { password: TEST_PASSWORD })
  return ((await begun.json()) as { secret: string }).secret
}
/** Returns a code that was not used yet. */
async function addApp(w: World): Promise<string> {
  const secret = await beginApp(w)
  await writer(w).put(secondStep(w, '/app'), { code: codeOf(w, secret) })
  return codeOf(w, secret, 30)
}
async function proofOf(w: World) {
  const code = await addApp(w)
  const asked = await writer(w).post(secondStep(w, '/tickets'), {})
  return { ticket: ((await asked.json()) as SecondStepAsked).ticket, code }
}

const keyOf = ({ app, writer: { id } }: World) => stopKey(app.deps.keys, id)
const list = { articles: [{ name: 'New' }] }
const PEOPLE = [{ name: 'New', email: 'new@contun.example', client: 'Closed Bakery' }]

const templateOf = (w: World) =>
  admin(w).post('/v1/templates', { name: 'Garden guide', articleId: w.id })

const tokenOf = async (world: World): Promise<NewProgramToken> => {
  const body = { name: 'Website', clientIds: [world.client.id], days: 90 }
  return (await admin(world).post('/v1/program-tokens', body)).json()
}
const readHandOvers = (world: World, token: string) =>
  anonymous(world).get('/v1/hand-overs', { authorization: `Bearer ${token}` })

const USUAL: Record<string, Usual | Prepared> = {
  'GET /healthz': (w) => anonymous(w).get('/healthz'),
  'GET /readyz': (w) => anonymous(w).get('/readyz'),
  'GET /openapi.json': (w) => anonymous(w).get('/openapi.json'),
  'GET /.well-known/contun-key': (w) => anonymous(w).get('/.well-known/contun-key'),
  'POST /v1/auth/login': (w) =>
    anonymous(w).post('/v1/auth/login', { email: w.writer.email, password: TEST_PASSWORD }),
  'POST /v1/auth/second-step': after(
    async (w) => {
      const code = await addApp(w)
      const { email } = w.writer
      const refused = await anonymous(w).post('/v1/auth/login', { email, password: TEST_PASSWORD })
      const { secondStep } = (await refused.json()) as { secondStep: SecondStepAsked }
      return { ticket: secondStep.ticket, code }
    },
    (w, proof) => anonymous(w).post('/v1/auth/second-step', proof),
  ),
  'POST /v1/auth/register': (w) =>
    anonymous(w).post('/v1/auth/register', {
      name: 'New',
      email: 'new@contun.example',
      password: TEST_PASSWORD,
    }),
  'POST /v1/auth/refresh-tokens': (w) =>
    anonymous(w).post('/v1/auth/refresh-tokens', { refreshToken: w.tokens.refresh.token }),
  'POST /v1/auth/logout': (w) =>
    anonymous(w).post('/v1/auth/logout', { refreshToken: w.tokens.refresh.token }),
  'POST /v1/auth/forgot-password': (w) => forgotPassword(w),
  'POST /v1/auth/reset-password': after(
    async (w) => {
      await forgotPassword(w)
      return /token=([\w-]+)/.exec(JSON.stringify(w.app.sentMail.at(-1)))?.[1] ?? ''
    },
    (w, token) =>
      anonymous(w).post('/v1/auth/reset-password', { token, password: 'another river of ink' }),
  ),
  'POST /v1/auth/invitation': after(
    async (w) => {
      await admin(w).post(`/v1/users/${w.other.id}/invitation`, {})
      await w.app.settled()
      return /token=([\w-]+)/.exec(w.app.sentMail.at(-1)?.text ?? '')?.[1] ?? ''
    },
    (w, token) => anonymous(w).post('/v1/auth/invitation', { token }),
  ),
  'GET /v1/users': (w) => admin(w).get('/v1/users'),
  'GET /v1/users/invitations': after(
    (w) => admin(w).post(`/v1/users/${w.other.id}/invitation`, {}),
    (w) => admin(w).get(`/v1/users/invitations?ids=${w.other.id}`),
  ),
  'POST /v1/users': (w) =>
    admin(w).post('/v1/users', {
      name: 'New',
      email: 'new@contun.example',
      password: TEST_PASSWORD,
      role: 'user',
    }),
  'POST /v1/users/list': after(
    async (w) => {
      const answer = await admin(w).post('/v1/users/list', { people: PEOPLE, dryRun: true })
      return ((await answer.json()) as PeopleListAnswer).plan
    },
    (w, plan) => admin(w).post('/v1/users/list', { people: PEOPLE, dryRun: false, plan }, key('k')),
  ),
  'PATCH /v1/users/{userId}': (w) => admin(w).patch(`/v1/users/${w.other.id}`, { name: 'Rosa W.' }),
  'DELETE /v1/users/{userId}': (w) => admin(w).delete(`/v1/users/${w.other.id}`),
  'DELETE /v1/users/{userId}/sessions': (w) => admin(w).delete(`/v1/users/${w.other.id}/sessions`),
  'POST /v1/users/{userId}/invitation': (w) =>
    admin(w).post(`/v1/users/${w.other.id}/invitation`, {}),
  'GET /v1/users/{userId}/mails': (w) => writer(w).get(`/v1/users/${w.writer.id}/mails`),
  'PUT /v1/users/{userId}/mails': (w) =>
    admin(w).put(`/v1/users/${w.admin.id}/mails`, { choice: 'none', follows: [w.client.id] }),
  'GET /v1/mails': (w) => anonymous(w).get(`/v1/mails?key=${keyOf(w)}`),
  'PUT /v1/mails': (w) => anonymous(w).put(`/v1/mails?key=${keyOf(w)}`, { choice: 'none' }),
  'POST /mails/stop': (w) => anonymous(w).post(`/mails/stop?key=${keyOf(w)}`),
  'GET /v1/mail-state': (w) => admin(w).get('/v1/mail-state'),
  'GET /v1/users/{userId}/second-step': (w) => writer(w).get(secondStep(w)),
  'DELETE /v1/users/{userId}/second-step': after(addApp, (w) => admin(w).delete(secondStep(w))),
  'POST /v1/users/{userId}/second-step/app': (w) =>
    writer(w).post(secondStep(w, '/app'), { password: TEST_PASSWORD }),
  'PUT /v1/users/{userId}/second-step/app': after(beginApp, (w, secret) =>
    writer(w).put(secondStep(w, '/app'), { code: codeOf(w, secret) }),
  ),
  'POST /v1/users/{userId}/second-step/passkeys/options': (w) =>
    writer(w).post(secondStep(w, '/passkeys/options'), { password: TEST_PASSWORD }),
  'POST /v1/users/{userId}/second-step/passkeys': after(
    async (w) => {
      const path = secondStep(w, '/passkeys/options')
      const begun = await writer(w).post(path, { password: TEST_PASSWORD })
      const { ticket, options } = (await begun.json()) as PasskeyCreation
      const prompt = { challenge: String(options.challenge), origin: 'http://localhost:3000' }
      return { ticket, name: 'Laptop', response: softwarePasskey('Laptop').create(prompt) }
    },
    (w, body) => writer(w).post(secondStep(w, '/passkeys'), body),
  ),
  'POST /v1/users/{userId}/second-step/tickets': after(addApp, (w) =>
    writer(w).post(secondStep(w, '/tickets'), {}),
  ),
  'POST /v1/users/{userId}/second-step/removal': after(proofOf, (w, proof) =>
    writer(w).post(secondStep(w, '/removal'), { what: 'app', ...proof }),
  ),
  'POST /v1/users/{userId}/second-step/recovery-codes': after(proofOf, (w, proof) =>
    writer(w).post(secondStep(w, '/recovery-codes'), proof),
  ),
  'GET /v1/clients': (w) => admin(w).get('/v1/clients'),
  'POST /v1/clients': (w) => admin(w).post('/v1/clients', { name: 'New' }),
  'PATCH /v1/clients/{id}': (w) => admin(w).patch(`/v1/clients/${w.client.id}`, { name: 'New' }),
  'DELETE /v1/clients/{id}': (w) => admin(w).delete(`/v1/clients/${w.empty.id}`),
  'GET /v1/articles/client/myArticles': (w) => writer(w).get('/v1/articles/client/myArticles'),
  'GET /v1/articles/client/myArticles, with texts': (w) =>
    writer(w).get('/v1/articles/client/myArticles?fields=text&page=1&limit=10'),
  'GET /v1/articles/client/copies': (w) =>
    writer(w).get(`/v1/articles/client/copies?ids=${[w.id, ...w.ids].join(',')}`),
  'GET /v1/articles/{id}': (w) => writer(w).get(`/v1/articles/${w.id}`),
  'GET /v1/articles/{id}, by an admin': (w) => admin(w).get(`/v1/articles/${w.id}`),
  'GET /v1/articles/{id}, unchanged': after(tagOf, (w, tag) =>
    writer(w).get(`/v1/articles/${w.id}`, { 'if-none-match': tag }),
  ),
  'PATCH /v1/articles/{id}': after(tagOf, (w, tag) => save({ ...key('k'), 'if-match': tag })(w)),
  'PATCH /v1/articles/{id}, without a key': save({}),
  'PATCH /v1/articles/{id}, again': after(save(key('k')), save(key('k'))),
  'PATCH /v1/articles/{id}, complete': (w) =>
    writer(w).patch(`/v1/articles/${w.id}`, { completed: true }, key('k')),
  'PATCH /v1/articles/{id}, reopen': after(
    (w) => writer(w).patch(`/v1/articles/${w.id}`, { completed: true }),
    (w) => admin(w).patch(`/v1/articles/${w.id}`, { completed: false }, key('k')),
  ),
  'DELETE /v1/articles/{id}': (w) => admin(w).delete(`/v1/articles/${w.id}`),
  'PATCH /v1/articles': (w) =>
    writer(w).patch('/v1/articles', {
      changes: w.ids.slice(0, 2).map((id) => ({
        id,
        headers: { 'Idempotency-Key': `k${id}` },
        body: { articleText: text('Offline.') },
      })),
    }),
  'GET /v1/articles': (w) => admin(w).get('/v1/articles'),
  'GET /v1/articles, search': (w) => admin(w).get('/v1/articles?name=coffee'),
  'POST /v1/articles': (w) =>
    admin(w).post('/v1/articles', {
      name: 'New',
      clientId: w.client.id,
      wordMinimum: 1900,
      articleText: {},
    }),
  'GET /v1/articles/{id}/revisions': (w) => writer(w).get(`/v1/articles/${w.id}/revisions`),
  'GET /v1/articles/{id}/revisions/{textVersion}': (w) =>
    writer(w).get(`/v1/articles/${w.id}/revisions/1`),
  'POST /v1/articles/{id}/revisions/{textVersion}/restore': (w) =>
    writer(w).post(`/v1/articles/${w.id}/revisions/1/restore`, {}, key('k')),
  'GET /v1/articles/{id}/hand-ins': (w) => writer(w).get(`/v1/articles/${w.id}/hand-ins`),
  'POST /v1/hand-ins/verify': after(
    async (w) => {
      const answer = await writer(w).get(`/v1/articles/${w.id}/hand-ins`)
      const { results } = (await answer.json()) as { results: { receipt: Receipt }[] }
      return results[0]?.receipt
    },
    (w, receipt) => writer(w).post('/v1/hand-ins/verify', { receipt }),
  ),
  'GET /v1/articles/{id}/notes': (w) => writer(w).get(`/v1/articles/${w.id}/notes`),
  'POST /v1/articles/{id}/notes': (w) =>
    writer(w).post(
      `/v1/articles/${w.id}/notes`,
      { kind: 'answer', body: 'I will.', handIn: 1 },
      key('k'),
    ),
  'PATCH /v1/articles/{id}/notes/{ref}': after(
    (w) => admin(w).post(`/v1/articles/${w.id}/notes`, MARGIN_NOTE, key('margin')),
    (w) => writer(w).patch(`/v1/articles/${w.id}/notes/margin`, { done: true }, key('done')),
  ),
  'GET /v1/articles/{id}/plan': (w) => writer(w).get(`/v1/articles/${w.id}/plan`),
  'PUT /v1/articles/{id}/plan': (w) =>
    admin(w).put(`/v1/articles/${w.id}/plan`, { brief: 'Prices.', dueOn: '2026-12-04' }),
  'POST /v1/articles/list': after(
    async (w) => {
      const answer = await admin(w).post('/v1/articles/list', { ...list, dryRun: true })
      return ((await answer.json()) as ArticleListAnswer).plan
    },
    (w, plan) => admin(w).post('/v1/articles/list', { ...list, dryRun: false, plan }, key('k')),
  ),
  'PATCH /v1/articles/admin/{id}': (w) =>
    admin(w).patch(`/v1/articles/admin/${w.id}`, { name: 'Theirs' }, key('k')),
  'POST /v1/articles/bulk': (w) =>
    admin(w).post(
      '/v1/articles/bulk',
      { dryRun: false, ids: w.ids, change: { dueOn: '2026-12-03' } },
      key('k'),
    ),
  'POST /v1/articles/admin/{id}/restore': (w) =>
    admin(w).post(`/v1/articles/admin/${w.deleted.id}/restore`, {}),
  'GET /v1/articles/admin/counts': (w) => admin(w).get('/v1/articles/admin/counts'),
  'GET /v1/home': (w) => admin(w).get('/v1/home?today=2026-03-02T00:00:00Z'),
  'GET /v1/progress': (w) => admin(w).get('/v1/progress'),
  'GET /v1/hand-ins': (w) => admin(w).get('/v1/hand-ins?month=2026-03'),
  'GET /v1/events': (w) => writer(w).get('/v1/events'),
  'GET /v1/events, one change': after(
    async (w) => {
      await writer(w).get('/v1/events')
      await w.app.db.transaction().execute((db) => countChange(db, w.id))
    },
    (w) => w.app.deps.changes.look(),
  ),
  'PUT /v1/presence': (w) =>
    writer(w).put('/v1/presence', { articles: [{ id: w.id, writing: true, blocks: [] }] }),
  'GET /v1/articles/{id}/log': (w) => writer(w).get(`/v1/articles/${w.id}/log`),
  'GET /v1/log': (w) => admin(w).get('/v1/log'),
  'POST /v1/articles/{id}/undelivered-texts': (w) =>
    writer(w).post(
      `/v1/articles/${w.id}/undelivered-texts`,
      { articleText: text('Words.'), reason: 'revoked' },
      key('k'),
    ),
  'GET /v1/undelivered-texts': (w) => admin(w).get('/v1/undelivered-texts'),
  'GET /v1/undelivered-texts/{id}': (w) => admin(w).get(`/v1/undelivered-texts/${w.undelivered}`),
  'PATCH /v1/undelivered-texts/{id}': (w) =>
    admin(w).patch(`/v1/undelivered-texts/${w.undelivered}`, { done: true }),
  'GET /v1/hand-overs': after(tokenOf, (w, { token }) => readHandOvers(w, token)),
  'GET /v1/hand-overs, again on the same day': after(
    async (w) => {
      const made = await tokenOf(w)
      await readHandOvers(w, made.token)
      return made
    },
    (w, { token }) => readHandOvers(w, token),
  ),
  'GET /v1/templates': after(templateOf, (w) => admin(w).get('/v1/templates')),
  'POST /v1/templates': templateOf,
  'DELETE /v1/templates/{id}': after(
    async (w) => (await (await templateOf(w)).json()).id,
    (w, id) => admin(w).delete(`/v1/templates/${id}`),
  ),
  'GET /v1/program-tokens': after(tokenOf, (w) => admin(w).get('/v1/program-tokens')),
  'POST /v1/program-tokens': tokenOf,
  'DELETE /v1/program-tokens/{id}': after(tokenOf, (w, { id }) =>
    admin(w).delete(`/v1/program-tokens/${id}`),
  ),
  'POST /v1/program-tokens/{id}/owner': after(
    async (w) => {
      const made = await tokenOf(w)
      await w.app.db
        .updateTable('users')
        .set({ role: 'admin' })
        .where('id', '=', w.other.id)
        .execute()
      await w.app.db.updateTable('program_tokens').set({ owner_id: w.other.id }).execute()
      return made
    },
    (w, { id }) => admin(w).post(`/v1/program-tokens/${id}/owner`),
  ),
}

/** What is done after the response belongs to it. */
async function forgotPassword({ app, other }: { app: TestApp; other: TestUser }): Promise<void> {
  await app.as(null).post('/v1/auth/forgot-password', { email: other.email })
  await app.settled()
}

const { paths } = describeApi('http://localhost')
const routes = Object.entries(paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
)

describe('a usual request costs the database what the budget says', () => {
  it('for every route', () => {
    const known = Object.keys(USUAL)
    expect(routes.filter((route) => !known.includes(route))).toEqual([])
    expect(Object.keys(STATEMENT_BUDGET)).toEqual(known)
  })

  it.each(Object.entries(USUAL))('%s', async (route, usual) => {
    const world = await createWorld()
    const { before, request } = typeof usual === 'function' ? after(async () => null, usual) : usual
    const given = await before(world)
    await world.app.settled()
    const { db } = world.app
    let status: unknown
    const cost = await costOf(async () => {
      const answer = await request(world, given as never)
      if (answer instanceof Response) status = answer.status
    })
    expect([undefined, 200, 201, 204, 304]).toContain(status)
    expect(cost).toEqual(STATEMENT_BUDGET[route]?.[isPostgres(db) ? 'postgres' : 'sqlite'])
  })
})
