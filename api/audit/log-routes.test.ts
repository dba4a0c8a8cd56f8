import { beforeEach, describe, expect, it } from 'vitest'
import { LOG_ACTIONS, LOG_KINDS, type LogEntry } from '../../domain/wire/log.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

const MINUTE = 60_000
const text = (words: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
})
const keyword = (name: string, category = 'Must Use') => ({
  keyword: name,
  source: 'E',
  score: 4,
  category,
})

let app: TestApp
let admin: TestUser
let writer: TestUser
let other: TestUser
let client: { id: string; name: string }

beforeEach(async () => {
  app = await createTestApp()
  admin = await app.user({ name: 'Ada Ferris', role: 'admin', email: 'ada@contun.example' })
  writer = await app.user({ name: 'Imogen Hale', email: 'imogen@contun.example' })
  other = await app.user({ name: 'Tobias Wren', email: 'tobias@contun.example' })
  client = await app.client({ name: 'Larkspur Gardens', users: [writer, other] })
})

async function create(name = 'Garden Paths', clientId: string | null = client.id) {
  const article = { name, clientId, wordMinimum: 700 }
  return (await (await app.as(admin).post('/v1/articles', article)).json()) as { id: string }
}
const change = (id: string, body: unknown) => app.as(admin).patch(`/v1/articles/admin/${id}`, body)
const patch = (person: TestUser, id: string, body: unknown, headers = {}) =>
  app.as(person).patch(`/v1/articles/${id}`, body, headers)
const merge = async (person: TestUser, id: string, words: string) => {
  const { headers } = await app.as(person).get(`/v1/articles/${id}`)
  return patch(
    person,
    id,
    { articleText: text(words) },
    { 'If-Match': headers.get('etag') ?? '', 'Contun-Reason': 'merge' },
  )
}
type Page = { results: LogEntry[]; totalResults: number; totalPages: number }
const ofArticle = async (id: string, person = writer, query = 'limit=100'): Promise<Page> =>
  (await app.as(person).get(`/v1/articles/${id}/log?${query}`)).json()
const agency = async (query = ''): Promise<Page> =>
  (await app.as(admin).get(`/v1/log?limit=100&${query}`)).json()
const actions = ({ results }: Page) => results.map(({ action }) => action)
const short = ({ results }: Page) =>
  results.map(({ by, action, subject }) => `${by?.name} ${action} ${subject.name}`)

describe('GET /articles/{id}/log', () => {
  it('is what happened to the article, newest first', { tags: ['@VL-01'] }, async () => {
    const { id } = await create()
    const bakery = await app.client({ name: 'Closed Bakery', users: [writer] })
    await change(id, { keywordList: [keyword('lamp'), keyword('path'), keyword('gate')] })
    await change(id, {
      keywordList: [keyword('lamp', 'Need to Use'), keyword('timer'), keyword('lux')],
    })
    await change(id, { name: 'Garden Path Lighting', wordMinimum: 900 })
    await patch(writer, id, { articleText: text('First words.') })
    app.clock.advance(MINUTE)
    await patch(writer, id, { articleText: text('Second words.'), completed: true })
    await patch(admin, id, { completed: false })
    await app.as(writer).post(`/v1/articles/${id}/revisions/2/restore`)
    await patch(writer, id, { completed: true })
    await change(id, { clientId: bakery.id })
    expect(
      (await ofArticle(id)).results.map(({ id: _, at: __, subject: ___, ...rest }) => rest),
    ).toEqual([
      {
        action: 'article.changed',
        by: { id: admin.id, name: 'Ada Ferris' },
        changed: ['clientId'],
        client: { id: bakery.id, name: 'Closed Bakery' },
      },
      {
        action: 'article.completed',
        by: { id: writer.id, name: 'Imogen Hale' },
        textVersion: 4,
        handIn: 2,
      },
      {
        action: 'article.text-restored',
        by: { id: writer.id, name: 'Imogen Hale' },
        restored: { textVersion: 2, at: '2026-03-02T09:00:00.004Z' },
      },
      { action: 'article.reopened', by: { id: admin.id, name: 'Ada Ferris' }, textVersion: 3 },
      {
        action: 'article.completed',
        by: { id: writer.id, name: 'Imogen Hale' },
        textVersion: 3,
        handIn: 1,
      },
      {
        action: 'article.changed',
        by: { id: admin.id, name: 'Ada Ferris' },
        changed: ['name', 'wordMinimum'],
        formerName: 'Garden Paths',
        wordMinimum: { now: 900, before: 700 },
      },
      {
        action: 'article.changed',
        by: { id: admin.id, name: 'Ada Ferris' },
        changed: ['keywordList'],
        entities: { now: 3, before: 3, added: 2, removed: 2 },
      },
      {
        action: 'article.changed',
        by: { id: admin.id, name: 'Ada Ferris' },
        changed: ['keywordList'],
        entities: { now: 3, before: 0, added: 3, removed: 0 },
      },
      {
        action: 'article.created',
        by: { id: admin.id, name: 'Ada Ferris' },
        client: { id: client.id, name: 'Larkspur Gardens' },
      },
    ])
  })

  it('has a deletion and its restoration, with the name of that moment', async () => {
    const { id } = await create('Old Name')
    await change(id, { name: 'New Name' })
    await app.as(admin).delete(`/v1/articles/${id}`)
    await app.as(admin).post(`/v1/articles/admin/${id}/restore`, {})
    expect(short(await ofArticle(id))).toEqual([
      'Ada Ferris article.restored New Name',
      'Ada Ferris article.deleted New Name',
      'Ada Ferris article.changed New Name',
      'Ada Ferris article.created Old Name',
    ])
  })

  it('has one entry for the merges of a sitting, and names the other writer', async () => {
    const { id } = await create()
    const merged = async () =>
      (await ofArticle(id)).results
        .filter(({ action }) => action === 'article.merged')
        .map(({ by, mergedWith }) => `${by?.name} with ${mergedWith?.name}`)
    await patch(other, id, { articleText: text('Theirs.') })
    await merge(writer, id, 'Both.')
    await patch(other, id, { articleText: text('Theirs again.') })
    app.clock.advance(29 * MINUTE)
    await merge(writer, id, 'Both again.')
    expect(await merged()).toEqual(['Imogen Hale with Tobias Wren'])
    await merge(other, id, 'Another.')
    expect(await merged()).toEqual(['Tobias Wren with Imogen Hale', 'Imogen Hale with Tobias Wren'])
    app.clock.advance(2 * MINUTE)
    await app.signIn(writer)
    await merge(writer, id, 'Later.')
    expect(await merged()).toHaveLength(3)
  })

  it('of a merge with a text of the same user or of a gone one', async () => {
    const { id } = await create()
    await patch(writer, id, { articleText: text('On the laptop.') })
    await merge(writer, id, 'On both.')
    await patch(other, id, { articleText: text('Theirs.') })
    await app.as(admin).delete(`/v1/users/${other.id}`)
    await merge(writer, id, 'With a former user.')
    const [gone, own] = (await ofArticle(id)).results
    expect([gone?.mergedWith, own?.mergedWith]).toEqual([
      null,
      { id: writer.id, name: 'Imogen Hale' },
    ])
  })

  it('restored by a save has the version, unless no version has that text', async () => {
    const { id } = await create()
    const restoreBySave = async (words: string) => {
      const { headers } = await app.as(writer).get(`/v1/articles/${id}`)
      const condition = { 'If-Match': headers.get('etag') ?? '', 'Contun-Reason': 'restore' }
      await patch(writer, id, { articleText: text(words) }, condition)
      return (await ofArticle(id)).results[0]
    }
    await patch(writer, id, { articleText: text('Two words.') })
    await patch(writer, id, { articleText: text('Two more.') })
    expect((await restoreBySave('Two words.'))?.restored?.textVersion).toBe(2)
    expect(await restoreBySave('Never saved.')).not.toHaveProperty('restored')
  })

  it('names who is gone, and shows entries of an earlier release without what they lack', {
    tags: ['@VL-04'],
  }, async () => {
    const { id } = await create()
    await patch(writer, id, { completed: true })
    await app.as(admin).delete(`/v1/users/${writer.id}`)
    expect(short(await ofArticle(id, admin))[0]).toBe('Imogen Hale article.completed Garden Paths')
    await app.db
      .updateTable('audit')
      .set({ actor_name: null, subject_name: null, detail: '{"textVersion":1}' })
      .execute()
    const [completed, created] = (await ofArticle(id, admin)).results
    expect(completed).toMatchObject({ by: { id: writer.id, name: null }, handIn: 1 })
    expect(created?.by).toEqual({ id: admin.id, name: 'Ada Ferris' })
  })

  it('shows readers no address, no account and no previous client', {
    tags: ['@VL-02'],
  }, async () => {
    const { id } = await create()
    const bakery = await app.client({ name: 'Closed Bakery', users: [writer] })
    await change(id, { clientId: bakery.id })
    await app.as(admin).patch(`/v1/users/${writer.id}`, { email: 'new@contun.example' })
    const answer = JSON.stringify(await ofArticle(id))
    expect(answer).not.toMatch(/@contun|user\.|formerClient/)
    const [moved] = (await agency('kind=changed')).results
    expect(moved?.formerClient).toEqual(client)
  })

  it('comes in pages', async () => {
    const { id } = await create()
    for (const minimum of [1, 2, 3, 4]) await change(id, { wordMinimum: minimum })
    const pages = [1, 2, 3, 4].map((page) => ofArticle(id, writer, `limit=2&page=${page}`))
    expect(
      (await Promise.all(pages)).map(({ results, totalResults, totalPages }) => [
        results.map(({ wordMinimum }) => wordMinimum?.now),
        totalResults,
        totalPages,
      ]),
    ).toEqual([
      [[4, 3], 5, 3],
      [[2, 1], 5, 3],
      [[undefined], 5, 3],
      [[], 5, 3],
    ])
  })
})

describe('GET /log', () => {
  it('has what happened to accounts and clients too', async () => {
    const rosa = { name: 'Rosa Winther', email: 'rosa@contun.example', password: 'a river of ink' }
    const user = await (await app.as(admin).post('/v1/users', rosa)).json()
    const made = await (await app.as(admin).post('/v1/clients', { name: 'Mill' })).json()
    await app.as(admin).patch(`/v1/clients/${made.id}`, { name: 'Old Mill', users: [user.id] })
    await app.as(admin).patch(`/v1/users/${user.id}`, { name: 'Rosa Winter', role: 'admin' })
    await app.as(admin).delete(`/v1/users/${user.id}`)
    await app.as(admin).delete(`/v1/clients/${made.id}`)
    const { results } = await agency()
    expect(short({ results } as Page)).toEqual([
      'Ada Ferris client.deleted Old Mill',
      'Ada Ferris user.deleted Rosa Winter',
      'Ada Ferris user.changed Rosa Winter',
      'Ada Ferris client.changed Old Mill',
      'Ada Ferris client.created Mill',
      'Ada Ferris user.created Rosa Winther',
    ])
    expect(results[3]).toMatchObject({
      formerName: 'Mill',
      joined: { count: 1, first: [{ id: user.id, name: null }] },
    })
    expect(results[2]).toMatchObject({ formerName: 'Rosa Winther', role: 'admin' })
  })

  it('is filtered by person, kind, article and a part of a name, alone and together', {
    tags: ['@VL-03'],
  }, async () => {
    const { id } = await create('Über Öl')
    await create('Oats')
    await patch(writer, id, { articleText: text('Words.') })
    await patch(writer, id, { completed: true })
    await patch(admin, id, { completed: false })
    await app.as(admin).delete(`/v1/users/${other.id}`)
    expect(short(await agency(`userId=${writer.id}`))).toEqual([
      'Imogen Hale article.completed Über Öl',
    ])
    expect(actions(await agency('kind=users'))).toEqual(['user.deleted'])
    expect(actions(await agency(`articleId=${id}`))).toHaveLength(3)
    expect(short(await agency('name=uber'))).toEqual([
      'Ada Ferris article.reopened Über Öl',
      'Imogen Hale article.completed Über Öl',
      'Ada Ferris article.created Über Öl',
    ])
    expect(actions(await agency(`name=uber&userId=${admin.id}&kind=created`))).toEqual([
      'article.created',
    ])
    expect(await agency('name=%25')).toMatchObject({ results: [], totalResults: 0 })
  })

  it('continues before an entry, whatever was added since', async () => {
    const { id } = await create()
    for (const minimum of [1, 2, 3]) await change(id, { wordMinimum: minimum })
    const first = await agency()
    const [newest, second] = first.results
    await change(id, { wordMinimum: 4 })
    expect((await agency(`before=${newest?.id}`)).results).toEqual(first.results.slice(1))
    expect((await agency(`before=${second?.id}&kind=changed`)).totalResults).toBe(1)
  })

  it('says of which articles nothing is left to open', async () => {
    const { id } = await create('Oats')
    await create('Rye')
    await app.as(admin).delete(`/v1/articles/${id}`)
    const { results } = await agency()
    expect(results.map(({ subject }) => [subject.name, subject.gone])).toEqual([
      ['Oats', true],
      ['Rye', undefined],
      ['Oats', true],
    ])
  })

  it('reads the far pages from the end', async () => {
    const { id } = await create()
    for (let minimum = 1; minimum < 8; minimum += 1) await change(id, { wordMinimum: minimum })
    const all = (await agency()).results
    const paged = []
    for (let page = 1; page <= 3; page += 1) {
      const { results } = await (await app.as(admin).get(`/v1/log?limit=3&page=${page}`)).json()
      paged.push(...results)
    }
    expect(paged).toEqual(all)
  })

  it('has every action under one kind', () => {
    expect(Object.values(LOG_KINDS).flat().sort()).toEqual([...LOG_ACTIONS].sort())
  })
})

it('a revision says by which hand-in its text was handed in', { tags: ['@VL-08'] }, async () => {
  const { id } = await create()
  await patch(writer, id, { articleText: text('Words.'), completed: true })
  await patch(admin, id, { completed: false })
  await patch(writer, id, { completed: true })
  const { results } = await (await app.as(writer).get(`/v1/articles/${id}/revisions`)).json()
  expect(results.map((one: { handIn: number | null }) => one.handIn)).toEqual([2, null])
})
