import { sql } from 'kysely'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { NOTES_MAX, SESSIONS_PER_USER_MAX } from '../../../domain/limits.ts'
import { runCount } from '../../../scripts/test-depth.ts'
import { createRandom } from '../../../sync/simulation/random.ts'
import { startSession } from '../../accounts/sessions.ts'
import { tokensOf } from '../../accounts/tokens.ts'
import type { Database } from '../../deps.ts'
import { type Interleaving, openInterleaving } from '../../testing/interleaving.ts'
import { createTestApp, type TestApp, type TestUser } from '../../testing/test-app.ts'
import { newPostgresDatabase, openForTest } from '../../testing/test-database.ts'
import { makeEmptying } from '../../testing/test-postgres.ts'
import { type Lock, lockOf } from '../locks.ts'
import { ALONE, TOGETHER, taking } from './postgres-driver.ts'

/**
 * What every rule of the server promises, whatever happens at the same moment: the responses of concurrent requests, and
 * all rows after them, are those of the same requests one after another, in some order. And without the lock of its rule
 * they are not.
 */

const INTERLEAVINGS = runCount('INTERLEAVINGS')
const HAS_EVERY_ORDER = runCount('EVERY_ORDER') > 0
/** In so many orders at most, a missing lock shows. */
const LOOKS_MAX = 400

type Call = { method: string; path: string; body?: object; headers?: Record<string, string> }
type Scene = Awaited<ReturnType<typeof makeScene>>
type Rule = {
  name: string
  /** The first two, and all three, are run at the same time. */
  calls(scene: Scene): [Call, Call, Call] | Promise<[Call, Call, Call]>
  /** What keeps it; 'alone' where no other transaction may write at the same time. */
  lock(scene: Scene): readonly Lock[] | 'alone'
}

const text = (words: string) => ({
  articleText: {
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
  },
})

async function makeScene(db: Database) {
  const app = await createTestApp({ db, isLasting: true })
  const person = (name: string, role: 'admin' | 'user') => app.user({ name, role })
  const [ada, otto] = [await person('Ada Ferris', 'admin'), await person('Otto Lind', 'admin')]
  const [imogen, ines] = [await person('Imogen Hale', 'user'), await person('Ines Duarte', 'user')]
  const client = await app.client({ users: [imogen, ines] })
  const other = await app.client({ name: 'Inkwell', users: [ines] })
  const [oats, rye, full] = [
    await app.article({ name: 'Oats', client }),
    await app.article({ name: 'Rye', client }),
    await app.article({ name: 'Full', client }),
  ]
  for (let count = 1; count < NOTES_MAX; count += 1) {
    await db
      .insertInto('article_notes')
      .values({
        id: `note ${String(count).padStart(5, '0')}`,
        article_id: full.id,
        kind: 'answer',
        body: 'Known.',
        author_id: ines.id,
        author_name: ines.name,
        hand_in: null,
        created_at: '2026-03-02T09:00:00.000Z',
      })
      .execute()
  }
  const bearers = new Map<string, string>()
  for (const one of [ada, otto, imogen, ines]) {
    const tokens = await app.signIn(one)
    bearers.set(one.id, `Bearer ${tokens.access.token}`)
    // The first use of a token is noted, which would be a statement more in the first run.
    await app.as(null).get('/v1/articles/client/myArticles', as(one))
  }
  for (let count = 1; count < SESSIONS_PER_USER_MAX; count += 1) {
    await db.transaction().execute((inside) => startSession(app.deps, inside, imogen))
  }
  await app.as(ines).patch(`/v1/articles/${oats.id}`, text('First words.'), as(ines))
  const sessionsOfInes = db.selectFrom('sessions').selectAll().where('user_id', '=', ines.id)
  const sessionOfInes = await sessionsOfInes.executeTakeFirstOrThrow()
  function as({ id }: TestUser) {
    return { authorization: bearers.get(id) ?? '' }
  }
  const call =
    (method: string, path: string) =>
    (by: TestUser, body?: object, headers: Record<string, string> = {}): Call => ({
      method,
      path: `/v1${path}`,
      headers: { ...as(by), ...headers },
      ...(body && { body }),
    })
  return {
    ...{ ada, otto, imogen, ines, client, other, oats, rye, full, sessionOfInes },
    /** As a page has it after the server went back to a backup of when the session was at its first. */
    refreshTokenOfInes: async (generation: number) =>
      (await tokensOf(app.deps, { ...sessionOfInes, counter: generation })).refresh.token,
    save: (article: { id: string }) => call('PATCH', `/articles/${article.id}`),
    settings: (article: { id: string }) => call('PATCH', `/articles/admin/${article.id}`),
    note: (article: { id: string }) => call('POST', `/articles/${article.id}/notes`),
    undelivered: (article: { id: string }) =>
      call('POST', `/articles/${article.id}/undelivered-texts`),
    restoreText: (article: { id: string }, version: number) =>
      call('POST', `/articles/${article.id}/revisions/${version}/restore`),
    remove: (article: { id: string }) => call('DELETE', `/articles/${article.id}`),
    changeClient: (one: { id: string }) => call('PATCH', `/clients/${one.id}`),
    removeClient: (one: { id: string }) => call('DELETE', `/clients/${one.id}`),
    changeUser: (one: { id: string }) => call('PATCH', `/users/${one.id}`),
    removeUser: (one: { id: string }) => call('DELETE', `/users/${one.id}`),
    logIn: ({ email, password }: TestUser): Call => ({
      method: 'POST',
      path: '/v1/auth/login',
      body: { email, password },
    }),
    auth: (path: string, body: object): Call => ({
      method: 'POST',
      path: `/v1/auth/${path}`,
      body,
    }),
  }
}

const RULES: Rule[] = [
  {
    name: 'of texts with one condition one is taken, and each text has a version of its own',
    calls: ({ save, oats, imogen, ines }) => [
      save(oats)(imogen, text('Of Imogen.'), { 'if-match': '"v2.t2"' }),
      save(oats)(ines, text('Of Ines.'), { 'if-match': '"v2.t2"' }),
      save(oats)(ines, text('Without a condition.')),
    ],
    lock: ({ oats }) => [lockOf.article(oats.id)],
  },
  {
    name: 'no text is saved into a complete article',
    calls: ({ save, oats, imogen, ines, ada }) => [
      save(oats)(imogen, text('Too late?')),
      save(oats)(ines, { completed: true }),
      save(oats)(ada, { completed: false }),
    ],
    lock: ({ oats }) => [lockOf.article(oats.id)],
  },
  {
    name: 'each hand-in has its number and receipt, and is reopened at most once',
    calls: ({ save, oats, imogen, ines, ada }) => [
      save(oats)(imogen, { completed: true }),
      save(oats)(ines, { ...text('Handed in.'), completed: true }),
      save(oats)(ada, { completed: false }),
    ],
    lock: ({ oats }) => [lockOf.article(oats.id)],
  },
  {
    name: 'settings and texts count one version each, and an earlier text is restored over the last one',
    calls: ({ save, settings, restoreText, oats, imogen, ines, ada }) => [
      settings(oats)(ada, { name: 'Oats again' }, { 'if-match': '"v2.t2"' }),
      restoreText(oats, 1)(imogen, undefined, { 'if-match': '"v2.t2"' }),
      save(oats)(ines, text('Later.'), { 'if-match': '"v2.t2"' }),
    ],
    lock: ({ oats }) => [lockOf.article(oats.id)],
  },
  {
    name: 'a key is used once, whatever article it is for',
    calls: ({ save, oats, rye, imogen }) => [
      save(oats)(imogen, text('One.'), { 'idempotency-key': 'key-0001' }),
      save(rye)(imogen, text('Two.'), { 'idempotency-key': 'key-0001' }),
      save(rye)(imogen, text('Two.'), { 'idempotency-key': 'key-0001' }),
    ],
    lock: ({ imogen }) => [lockOf.key(imogen.id, 'key-0001')],
  },
  {
    name: 'a save is superseded, or has arrived, and never both',
    calls: ({ save, oats, rye, imogen }) => [
      save(rye)(imogen, text('One.'), { 'idempotency-key': 'key-0001' }),
      save(oats)(imogen, text('Two.'), {
        'idempotency-key': 'key-0002',
        'contun-supersedes': 'key-0001',
      }),
      save(rye)(imogen, text('One.'), { 'idempotency-key': 'key-0001' }),
    ],
    lock: ({ imogen }) => [lockOf.key(imogen.id, 'key-0001')],
  },
  {
    name: 'an article has no more notes than there is room for',
    calls: ({ note, full, imogen, ines, ada }) => [
      note(full)(imogen, { kind: 'answer', body: 'The last one.' }),
      note(full)(ines, { kind: 'answer', body: 'One too many.' }),
      note(full)(ada, { kind: 'answer', body: 'Two too many.' }),
    ],
    lock: ({ full }) => [lockOf.article(full.id)],
  },
  {
    name: 'an undelivered text is kept once for each key',
    calls: ({ undelivered, oats, imogen }) => {
      const sent = undelivered(oats)(
        imogen,
        { ...text('Not taken.'), reason: 'completed' },
        { 'idempotency-key': 'key-0001' },
      )
      return [sent, sent, sent]
    },
    lock: ({ imogen }) => [lockOf.key(imogen.id, 'key-0001')],
  },
  {
    name: 'an account has no more sessions than are allowed',
    calls: ({ logIn, imogen }) => [logIn(imogen), logIn(imogen), logIn(imogen)],
    lock: ({ imogen }) => [lockOf.account(imogen.id)],
  },
  {
    name: 'a refreshed session is as far as the tokens it gave out, or over',
    calls: async ({ auth, refreshTokenOfInes }) => {
      const refreshed = async (generation: number) =>
        auth('refresh-tokens', { refreshToken: await refreshTokenOfInes(generation) })
      return [await refreshed(5), await refreshed(7), await refreshed(6)]
    },
    lock: ({ sessionOfInes }) => [lockOf.session(sessionOfInes.id)],
  },
  {
    name: 'the last admin stays an admin',
    calls: ({ changeUser, removeUser, ada, otto }) => [
      changeUser(ada)(otto, { role: 'user' }),
      changeUser(otto)(ada, { role: 'user' }),
      removeUser(otto)(ada),
    ],
    lock: () => 'alone',
  },
  {
    name: 'a client that changes is newer than all its articles, for those who ask whether it changed',
    calls: ({ changeClient, save, client, oats, ada, imogen, ines }) => [
      changeClient(client)(ada, { users: [ines.id] }),
      save(oats)(imogen, text('While leaving.')),
      save(oats)(ines, text('Staying.')),
    ],
    lock: () => 'alone',
  },
  {
    name: 'an article goes to the deleted ones with every text that was saved',
    calls: ({ remove, save, oats, ada, imogen, ines }) => [
      remove(oats)(ada),
      save(oats)(imogen, text('Just before.')),
      save(oats)(ines, text('Or just after.')),
    ],
    lock: () => 'alone',
  },
  {
    name: 'an article gets no client that is deleted, and the name of its client follows',
    calls: ({ settings, removeClient, changeClient, oats, other, ada, otto }) => [
      settings(oats)(ada, { clientId: other.id }),
      removeClient(other)(otto),
      changeClient(other)(ada, { name: 'Inkwell Press' }),
    ],
    lock: () => 'alone',
  },
  {
    name: 'a deleted account writes no more, and what it wrote stays',
    calls: ({ removeUser, save, oats, rye, ada, imogen }) => [
      removeUser(imogen)(ada),
      save(oats)(imogen, text('My last words.')),
      save(rye)(imogen, { ...text('And these.'), completed: true }),
    ],
    lock: () => 'alone',
  },
  {
    name: 'a changed password ends the other sessions, also those that begin at that moment',
    calls: ({ changeUser, logIn, ines, ada }) => [
      changeUser(ines)(ada, { password: 'another river of ink' }),
      logIn(ines),
      logIn(ines),
    ],
    lock: () => 'alone',
  },
]

let scene: Scene
let interleaving: Interleaving
let apps: TestApp[]
let db: Database
const counts = [0, 0, 0]

beforeAll(async () => {
  const postgres = inject('postgres')
  if (postgres === undefined) throw new Error('These tests are of the project postgres')
  const url = await newPostgresDatabase(postgres)
  const opened = openForTest(url)
  db = opened.db
  scene = await makeScene(db)
  await makeEmptying(db, 'scene')
  interleaving = await openInterleaving(url, 3)
  apps = await Promise.all(
    interleaving.databases.map((own, at) =>
      createTestApp({
        db: own,
        isLasting: true,
        deps: { newId: () => idOf(at), background: () => {} },
      }),
    ),
  )
  return async () => {
    await interleaving.close()
    await opened.close()
  }
})

function idOf(actor: number): string {
  counts[actor] = (counts[actor] ?? 0) + 1
  return `0195a000-0000-7000-9${actor}00-${String(counts[actor]).padStart(12, '0')}`
}

/** The rows of each table, without hashes, which are random. */
const ROWS = [
  ...['users', 'clients', 'client_users', 'articles', 'article_revisions', 'idempotency'],
  ...['sessions', 'reset_tokens', 'mail_outbox', 'deleted_articles', 'deleted_revisions'],
  ...['hand_ins', 'article_notes', 'article_plans', 'undelivered_texts', 'audit'],
].map(
  (table) =>
    `(select '${table}' as name, (to_jsonb(t) - 'password_hash')::text as row from ${table} t)`,
)
const ALL = `select name, row from (${[
  ...ROWS,
  `(select 'changes', coalesce(article_id, '') from changes_after(0))`,
  `(select 'article_counts', concat_ws(' ', client_id, completed, has_entities, sum(articles))
    from article_counts group by client_id, completed, has_entities having sum(articles) <> 0)`,
].join(' union all ')}) as everything (name, row) order by name, row collate "C"`

/** The database as it was, and what the requests and the rows are after them. */
async function outcomeOf(
  run: (requests: (() => Promise<string>)[]) => Promise<string[]>,
  calls: Call[],
) {
  await sql`select scene.empty()`.execute(db)
  counts.fill(0)
  const requests = calls.map((call, at) => async () => {
    const { method, path, body, headers } = call
    const answer = await (apps[at] as TestApp).app.request(path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return `${answer.status} ${await answer.text()}`
  })
  const responses = await run(requests)
  const { rows } = await sql<{ name: string; row: string }>`${sql.raw(ALL)}`.execute(db)
  return [...responses, ...rows.map(({ name, row }) => `${name} ${row}`)].join('\n')
}

function ordersOf(items: number[]): number[][] {
  if (items.length <= 1) return [items]
  return items.flatMap((first) =>
    ordersOf(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  )
}

/** What comes of the calls one after another, in every order. */
async function serialOutcomes(calls: Call[]): Promise<Set<string>> {
  const outcomes = new Set<string>()
  for (const order of ordersOf(calls.map((_, at) => at))) {
    const inTurn = async (requests: (() => Promise<string>)[]) => {
      const responses: string[] = []
      for (const at of order) responses[at] = (await requests[at]?.()) ?? ''
      return responses
    }
    outcomes.add(await outcomeOf(inTurn, calls))
  }
  return outcomes
}

function interleaved(calls: Call[], seed: number): Promise<string> {
  const random = createRandom(seed)
  return outcomeIn(calls, (count) => random.between(0, count - 1))
}

const outcomeIn = (calls: Call[], pick: (count: number) => number): Promise<string> =>
  outcomeOf((requests) => interleaving.run(requests, pick), calls)

type Judge = (outcome: string, order: string) => void

async function inRandomOrders(calls: Call[], judge: Judge): Promise<void> {
  for (let seed = 1; seed <= INTERLEAVINGS; seed += 1)
    judge(await interleaved(calls, seed), `seed ${seed}`)
}

/**
 * Depth first: each run repeats the choices of the previous run up to the last one with an untried alternative, and takes
 * that alternative.
 */
async function inEveryOrder(calls: Call[], judge: Judge): Promise<void> {
  let order: number[] = []
  for (let isOver = false; !isOver; ) {
    const choices: { taken: number; of: number }[] = []
    const outcome = await outcomeIn(calls, (count) => {
      const taken = Math.min(order[choices.length] ?? 0, count - 1)
      choices.push({ taken, of: count })
      return taken
    })
    const taken = choices.map((choice) => choice.taken)
    judge(outcome, `order ${taken.join('')}`)
    const last = choices.findLastIndex((choice) => choice.taken + 1 < choice.of)
    isOver = last < 0
    order = [...taken.slice(0, last), (taken[last] ?? 0) + 1]
  }
}

const TIME_LIMIT_MS = Math.max(HAS_EVERY_ORDER ? 1_200_000 : 120_000, INTERLEAVINGS * 200)

describe.each(RULES)('$name', { timeout: TIME_LIMIT_MS }, ({ calls, lock }) => {
  it.for([2, 3])('with %i at the same time', async (count, { annotate }) => {
    const some = (await calls(scene)).slice(0, count)
    const serial = await serialOutcomes(some)
    const run = HAS_EVERY_ORDER && count === 2 ? inEveryOrder : inRandomOrders
    let orders = 0
    await run(some, (outcome, order) => {
      orders += 1
      if (!serial.has(outcome)) expect(`${order}\n${outcome}`).toBe([...serial][0])
    })
    await annotate(`${orders} orders`)
  })

  it('is broken without its lock', async () => {
    const some = await calls(scene)
    const serial = await serialOutcomes(some)
    const without = lock(scene)
    interleaving.rewrite((statement) =>
      without === 'alone'
        ? statement.replace(ALONE, TOGETHER)
        : without.reduce((rest, name) => rest.replace(taking(name), 'null'), statement),
    )
    try {
      for (let seed = 1; seed <= LOOKS_MAX; seed += 1) {
        if (!serial.has(await interleaved(some, seed))) return
      }
      expect.fail('Its lock keeps nothing')
    } finally {
      interleaving.rewrite(null)
    }
  })
})
