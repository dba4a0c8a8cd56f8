import { describe, expect, it } from 'vitest'
import type { Article } from '../../domain/wire/articles.ts'
import type { List } from '../../domain/wire/fields.ts'
import type { Session } from '../../domain/wire/users.ts'
import { createTestApp, type TestApp, type TestOptions } from '../testing/test-app.ts'
import { DEMO_USERS } from './agency.ts'
import { loginTable } from './login-table.ts'
import { type DemoLogin, seedDemo } from './seed.ts'

const WRITER = 'imogen@larkspurgardens.example'

async function seededApp(options?: TestOptions) {
  const app = await createTestApp(options)
  return { ...app, logins: await seedDemo(app.deps) }
}

/** Signs in with the printed password and returns a reader of the API. */
async function signIn({ app }: Pick<TestApp, 'app'>, { email, password }: DemoLogin) {
  const answer = await app.request('/v1/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  expect(answer.status).toBe(200)
  const { user, tokens } = (await answer.json()) as Session
  const get = (path: string) =>
    app.request(path, { headers: { authorization: `Bearer ${tokens.access.token}` } })
  return { user, get }
}

async function myArticles(app: TestApp & { logins: DemoLogin[] }, email: string) {
  const login = app.logins.find((one) => one.email === email)
  if (!login) throw new Error(`No login for ${email}`)
  const { get } = await signIn(app, login)
  const answer = await get('/v1/articles/client/myArticles?fields=text&limit=50')
  return ((await answer.json()) as List<Article>).results
}

/** Everything about an article that does not depend on an id. */
function withoutIds({ id: _id, _id: _alias, clientId, completion, ...rest }: Article) {
  const completed = completion && { at: completion.at, by: completion.by?.name }
  return { ...rest, client: clientId?.name, users: clientId?.users.length, completed }
}

describe('the demo agency', () => {
  it('lets every printed login in, with its role and its clients', async () => {
    const app = await seededApp()
    for (const login of app.logins) {
      const { user } = await signIn(app, login)
      const articles = await myArticles(app, login.email)
      const clients = new Set(articles.map((article) => article.clientId?.name))
      expect(user).toMatchObject({ name: login.name, email: login.email, role: login.role })
      expect([...clients].sort()).toEqual([...login.clients].sort())
    }
    const roles = app.logins.map((login) => login.role)
    expect(roles.filter((role) => role === 'admin')).toHaveLength(2)
    expect(roles.filter((role) => role === 'user')).toHaveLength(4)
  })

  it('prints every login on a line of its own, the password last', async () => {
    const { logins } = await seededApp()
    const lines = loginTable(logins).split('\n')
    const places = logins.map(({ name, email, password }) => {
      const line = lines.find((one) => one.includes(email)) ?? ''
      expect(line.trim()).toMatch(new RegExp(`^${name} .* ${email} +${password}$`))
      return line.indexOf(password)
    })
    expect(new Set(places).size).toBe(1)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(110)
  })

  it('has passwords that are easy to type and long enough', () => {
    for (const { password } of DEMO_USERS) expect(password).toMatch(/^[a-z-]{8,}$/)
  })

  it('gives its main writer two full lists that end in the recent past', async () => {
    const app = await seededApp()
    const articles = await myArticles(app, WRITER)
    const times = articles.map((article) => Date.parse(article.updatedAt))
    expect(articles.filter((article) => !article.completed)).toHaveLength(13)
    expect(articles.filter((article) => article.completed)).toHaveLength(8)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    expect(app.clock.now() - (times[0] ?? 0)).toBe(8_640_000)
    expect(articles[0]?.name).toBe('A Quiet Guide to Garden Path Lighting')
  })

  it('plans articles from the day on that it is in the time zone of the agency', async () => {
    const app = await seededApp({ config: { timeZone: 'Pacific/Pago_Pago' } })
    const articles = await myArticles(app, WRITER)
    const due = (name: string) => articles.find((one) => one.name.startsWith(name))?.plan
    // At 9:00 UTC on 2 March it is 22:00 on 1 March there.
    expect(due('A Quiet Guide')).toEqual({ counter: 1, dueOn: '2026-03-09' })
    expect(due('Twelve Ferns')).toEqual({ counter: 1, dueOn: '2026-02-25' })
    expect(due('Compost')).toBeUndefined()
  })

  it('keeps the article without a client for admins', { tags: ['@PE-11'] }, async () => {
    const app = await seededApp()
    const campaign = await app.db
      .selectFrom('articles')
      .select(['id', 'client_id'])
      .where('name', '=', 'Outline: Winter Campaign')
      .executeTakeFirstOrThrow()
    const answers = new Map<string, number>()
    for (const login of app.logins) {
      const { get } = await signIn(app, login)
      answers.set(login.name, (await get(`/v1/articles/${campaign.id}`)).status)
    }
    expect(campaign.client_id).toBeNull()
    expect(Object.fromEntries(answers)).toEqual({
      'Rowan Ashdown': 200,
      'Clara Whitlock': 200,
      'Imogen Hale': 404,
      'Tobias Wren': 404,
      'Ada Fenwick': 404,
      'Esther Lindqvist': 404,
    })
  })

  it('keeps the article of a deleted client open to its user by link alone', {
    tags: ['@Q32'],
  }, async () => {
    const app = await seededApp()
    const tobias = app.logins.find((login) => login.name === 'Tobias Wren')
    if (!tobias) throw new Error('No Tobias')
    const name = 'Caulking a Clinker Dinghy, Plank by Plank'
    const { id } = await app.db
      .selectFrom('articles')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    const { get } = await signIn(app, tobias)
    const listed = (await myArticles(app, tobias.email)).map((article) => article.name)
    const opened = (await (await get(`/v1/articles/${id}`)).json()) as Article
    expect(listed).not.toContain(name)
    expect(opened).toMatchObject({ name, clientId: { name: 'Aldersea Boatworks', deleted: true } })
  })

  it('writes one revision per article, the one it was created with', async () => {
    const { db } = await seededApp()
    const revisions = await db
      .selectFrom('article_revisions')
      .innerJoin('articles', 'articles.id', 'article_revisions.article_id')
      .select(['reason', 'article_revisions.text_version', 'articles.words as articleWords'])
      .select('article_revisions.words')
      .execute()
    expect(revisions).toHaveLength(30)
    for (const revision of revisions) {
      expect(revision).toMatchObject({ reason: 'created', text_version: 1 })
      expect(revision.words).toBe(revision.articleWords)
    }
  })

  it('is the same agency every time, apart from ids', async () => {
    let count = 0
    const newId = () => `0195b000-0000-7000-8000-${String(++count).padStart(12, '0')}`
    const first = await myArticles(await seededApp(), WRITER)
    const second = await myArticles(await seededApp({ deps: { newId } }), WRITER)
    expect(second[0]?.id).not.toBe(first[0]?.id)
    expect(second.map(withoutIds)).toEqual(first.map(withoutIds))
  })

  it('leaves an agency that is there already as it is', async () => {
    const app = await seededApp()
    await app.db.updateTable('articles').set({ name: 'Renamed' }).execute()
    expect(await seedDemo(app.deps)).toEqual(app.logins)
    const names = await app.db.selectFrom('articles').select('name').execute()
    expect(names).toHaveLength(30)
    expect(new Set(names.map(({ name }) => name))).toEqual(new Set(['Renamed']))
  })

  it('does not add its accounts to existing data', async () => {
    const app = await createTestApp()
    await app.user({ role: 'admin' })
    await expect(seedDemo(app.deps)).rejects.toThrow(
      'DATA_DIR holds accounts that are not the demo’s',
    )
    expect(await app.db.selectFrom('users').select('id').execute()).toHaveLength(1)
    expect(await app.db.selectFrom('articles').select('id').execute()).toHaveLength(0)
  })
})
