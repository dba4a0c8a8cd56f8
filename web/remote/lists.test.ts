import { describe, expect, it } from 'vitest'
import { type HttpRequest, NoAnswer } from '../../sync/ports.ts'
import { createArticles } from './articles.ts'
import { createClients } from './clients.ts'
import { Refused } from './http.ts'
import { createUndeliveredTexts } from './undelivered-texts.ts'
import { createUsers } from './users.ts'

const EMPTY = { results: [], page: 1, limit: 10, totalPages: 0, totalResults: 0 }
const FIRST = { name: '', sort: { field: 'id', direction: 'asc' }, page: 1, limit: 10 } as const

/** A server that always returns the same response and records the requests. */
function answering(json: unknown, status = 200) {
  const asked: string[] = []
  const send = async ({ method, path, body }: HttpRequest) => {
    asked.push([method, decodeURIComponent(path), body].filter(Boolean).join(' '))
    return { status, json, header: () => null }
  }
  return { asked, send }
}

describe('the calls of the lists', () => {
  it('leaves name and clientId out when there are none', {
    tags: ['@AA-29', '@AA-30', '@AP-12'],
  }, async () => {
    const { asked, send } = answering(EMPTY)
    await createArticles(send).list({ ...FIRST, clientIds: [], lacks: [] })
    expect(asked).toEqual(['GET /articles?sortBy=id&limit=10&page=1'])
  })

  it('sends what was searched for and chosen', { tags: ['@AA-29', '@AA-30', '@Q67'] }, async () => {
    const { asked, send } = answering(EMPTY)
    await createArticles(send).list({
      name: 'oak & ash',
      sort: { field: 'client', direction: 'desc' },
      page: 3,
      limit: 10,
      clientIds: ['a', 'b'],
      lacks: [],
    })
    expect(asked).toEqual([
      'GET /articles?name=oak+&+ash&clientId=a,b&sortBy=client:desc&limit=10&page=3',
    ])
  })

  it('asks for the articles that lack something, and how many lack what', async () => {
    const { asked, send } = answering({ ...EMPTY, notComplete: 1 })
    const articles = createArticles(send)
    await articles.list({ ...FIRST, clientIds: [], lacks: ['completion', 'entities', 'client'] })
    await articles.counts({ name: '', clientIds: [] })
    await articles.counts({ name: 'oak', clientIds: ['a', 'b'] })
    expect(asked).toEqual([
      'GET /articles?completed=false&hasEntities=false&hasClient=false&sortBy=id&limit=10&page=1',
      'GET /articles/admin/counts?',
      'GET /articles/admin/counts?name=oak&clientId=a,b',
    ])
    await expect(
      createArticles(answering('<html>').send).counts({ name: '', clientIds: [] }),
    ).rejects.toThrow(NoAnswer)
  })

  it('asks for one kind of clients, or for all of them', {
    tags: ['@AC-14', '@AA-05', '@Q63'],
  }, async () => {
    const { asked, send } = answering(EMPTY)
    const clients = createClients(send)
    await clients.list({ ...FIRST, moonOwlClient: false })
    await clients.list({ ...FIRST, moonOwlClient: true })
    await clients.list({ ...FIRST, limit: 999 })
    expect(asked).toEqual([
      'GET /clients?moonOwlClient=false&sortBy=id&limit=10&page=1',
      'GET /clients?moonOwlClient=true&sortBy=id&limit=10&page=1',
      'GET /clients?sortBy=id&limit=999&page=1',
    ])
  })

  it('asks for the texts that writers sent, all of them or those that wait', async () => {
    const { asked, send } = answering(EMPTY)
    await createUndeliveredTexts(send).list({ page: 2, limit: 10 })
    await createUndeliveredTexts(send).list({ page: 1, limit: 1, done: false })
    expect(asked).toEqual([
      'GET /undelivered-texts?limit=10&page=2',
      'GET /undelivered-texts?limit=1&page=1&done=false',
    ])
  })

  it('passes on the deadline of the response', async () => {
    const heard: unknown[] = []
    const send = ({ abandoned }: HttpRequest) => {
      heard.push(abandoned)
      return answering(EMPTY).send({ method: 'GET', path: '' })
    }
    const abandoned = new Promise<void>(() => {})
    await createArticles(send).list({ ...FIRST, clientIds: [], lacks: [] }, abandoned)
    await createClients(send).list(FIRST, abandoned)
    await createUsers(send).list(FIRST, abandoned)
    await createUndeliveredTexts(send).list({ page: 1, limit: 10 }, abandoned)
    await createUsers(send).list(FIRST)
    expect(heard).toEqual([abandoned, abandoned, abandoned, abandoned, undefined])
  })

  it.each([undefined, null, '<html>', {}, { results: 'none' }])(
    'rejects %o as a response of the server',
    async (json) => {
      await expect(createUsers(answering(json).send).list(FIRST)).rejects.toThrow(NoAnswer)
    },
  )

  it('rejects with the message of the server', { tags: ['@ER-04'] }, async () => {
    const { send } = answering({ code: 403, message: 'Forbidden' }, 403)
    await expect(createUsers(send).list(FIRST)).rejects.toEqual(new Refused(403, 'Forbidden'))
  })
})

describe('the calls that change something', () => {
  it('of users', { tags: ['@AU-08', '@AU-11', '@AU-12'] }, async () => {
    const { asked, send } = answering(undefined, 204)
    const users = createUsers(send)
    const person = { name: 'Ada', email: 'ada@example.com' }
    await users.create({ ...person, password: 'oak-and-brass', role: 'user' })
    await users.modify('u/1', { ...person, role: 'admin' })
    await users.setPassword('u1', 'oak-and-brass')
    await users.signOutEverywhere('u1')
    await users.invite('u1')
    await users.remove('u1')
    expect(asked).toEqual([
      'POST /users {"name":"Ada","email":"ada@example.com","password":"oak-and-brass","role":"user"}',
      'PATCH /users/u/1 {"name":"Ada","email":"ada@example.com","role":"admin"}',
      'PATCH /users/u1 {"password":"oak-and-brass"}',
      'DELETE /users/u1/sessions',
      'POST /users/u1/invitation',
      'DELETE /users/u1',
    ])
  })

  it('of clients', { tags: ['@AC-08', '@AC-13', '@Q60'] }, async () => {
    const { asked, send } = answering({ id: 'c1' })
    const clients = createClients(send)
    await clients.create({ name: 'Larkspur' })
    await clients.modify('c1', { name: 'Larkspur', moonOwlClient: true, users: ['u1'] })
    await clients.remove('c1')
    expect(asked).toEqual([
      'POST /clients {"name":"Larkspur"}',
      'PATCH /clients/c1 {"name":"Larkspur","moonOwlClient":true,"users":["u1"]}',
      'DELETE /clients/c1',
    ])
  })

  it('of articles', { tags: ['@AF-07', '@AF-08', '@AF-25'] }, async () => {
    const { asked, send } = answering({ id: 'a1' })
    const articles = createArticles(send)
    await articles.create({ name: 'Oak', clientId: null, wordMinimum: 0, articleText: {} })
    await articles.modify('a1', { wordMinimum: 1900 })
    await articles.remove('a1')
    expect(asked).toEqual([
      'POST /articles {"name":"Oak","clientId":null,"wordMinimum":0,"articleText":{}}',
      'PATCH /articles/admin/a1 {"wordMinimum":1900}',
      'DELETE /articles/a1',
    ])
  })
})
