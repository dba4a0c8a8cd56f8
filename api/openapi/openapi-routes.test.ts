import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { createTestApp } from '../testing/test-app.ts'
import { answerFault, headersFault } from '../testing/test-description.ts'
import { describeApi } from './description.ts'

type Call = {
  operationId: string
  tags: string[]
  summary: string
  security: Record<string, string[]>[]
  parameters: { name: string; in: string }[]
  responses: Record<string, { description?: string }>
}

const doc = (...content: object[]) => ({ type: 'doc', content })
const paragraph = { type: 'paragraph', content: [{ type: 'text', text: 'Words.' }] }

describe('the description of the API', () => {
  it('has every route that is served, and serves every route that it has', async () => {
    const { app } = await createTestApp()
    const served = app.routes
      .filter(({ method, path }) => method !== 'ALL' && !/\/strays\b/.test(path))
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    const described = Object.entries(describeApi('https://articles.example').paths).flatMap(
      ([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(described.sort()).toEqual([...new Set(served)].sort())
  })

  it('has the address of the server, and for every call a name, a tag and its permission', () => {
    const { servers, tags, paths, components } = describeApi('https://articles.example')
    expect(servers).toEqual([{ url: 'https://articles.example' }])
    const calls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).map((call) => ({ path, call: call as Call })),
    )
    const names = calls.map(({ call }) => call.operationId)
    expect(new Set(names).size).toBe(calls.length)
    expect(names.filter((name) => !/^[a-z][A-Za-z]+$/.test(name))).toEqual([])
    const known = tags.map(({ name }) => name)
    expect(new Set(calls.flatMap(({ call }) => call.tags))).toEqual(new Set(known))
    const schemes = ({ security }: Call) => security.flatMap((asked) => Object.keys(asked))
    expect(new Set(calls.flatMap(({ call }) => schemes(call)))).toEqual(
      new Set(Object.keys(components.securitySchemes)),
    )
    for (const { path, call } of calls) {
      expect(call.tags).toHaveLength(1)
      expect(call.summary).not.toBe('')
      expect(schemes(call)).toHaveLength(call.security.length === 0 ? 0 : 1)
      const inPath = call.parameters.filter((one) => one.in === 'path')
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
      const named = call.parameters.map((one) => `${one.in} ${one.name}`)
      expect(new Set(named).size).toBe(named.length)
      const answers = Object.entries(call.responses)
      expect(answers.filter(([status]) => /^2\d\d$/.test(status))).toHaveLength(1)
      expect(answers.filter(([, { description }]) => !description)).toEqual([])
    }
  })

  it('asks for a token where the server does, and for none where it needs none', async () => {
    const { app } = await createTestApp()
    const calls = Object.entries(describeApi('https://articles.example').paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, call]) => ({ path, method, call: call as Call })),
    )
    for (const { path, method, call } of calls) {
      const address = path.replace(/\{\w+\}/g, '1')
      const { status } = await app.request(address, { method: method.toUpperCase() })
      expect([call.operationId, status === 401]).toEqual([
        call.operationId,
        call.security.length > 0,
      ])
    }
  })

  it('is served with PUBLIC_URL as its server', async () => {
    const { app } = await createTestApp({ config: { publicUrl: 'https://words.example' } })
    const description = await (await app.request('/openapi.json')).json()
    expect(description.servers).toEqual([{ url: 'https://words.example' }])
  })

  it('is served as OpenAPI 3.1', { tags: ['@AP-37'] }, async () => {
    const { app } = await createTestApp()
    const answer = await app.request('/openapi.json')
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect((await answer.json()).openapi).toBe('3.1.0')
  })

  it.each([
    [{}, true],
    [{ PUBLIC_URL: 'https://articles.example' }, false],
    [{ PUBLIC_URL: 'https://articles.example', API_DOCS: 'on' }, true],
    [{ API_DOCS: 'off' }, false],
  ])('with %j it is served: %s', async (env, isServed) => {
    const { deps } = await createTestApp()
    const { apiDocs } = readConfig(env)
    const app = createApp({ ...deps, config: { ...deps.config, apiDocs } })
    expect((await app.request('/openapi.json')).status).toBe(isServed ? 200 : 404)
  })

  it('has a schema behind every reference', () => {
    const description = describeApi('https://articles.example')
    const references = JSON.stringify(description).matchAll(/"#\/components\/schemas\/([\w.]+)"/g)
    const names = new Set([...references].map(([, name]) => name))
    expect([...names].sort()).toEqual(Object.keys(description.components.schemas).sort())
  })

  it('has what every header means that it names', () => {
    const { paths, components } = describeApi('https://articles.example')
    const names = [...JSON.stringify(paths).matchAll(/"#\/components\/headers\/([\w-]+)"/g)]
    const named = new Set(names.map(([, name]) => name))
    expect([...named].sort()).toEqual(Object.keys(components.headers).sort())
  })

  it.each([
    ['nothing', {}, true],
    ['a paragraph', doc(paragraph), true],
    ['a heading', doc({ type: 'heading', attrs: { level: 2 } }), true],
    [
      'a list',
      doc({ type: 'bulletList', content: [{ type: 'listItem', content: [paragraph] }] }),
      true,
    ],
    ['a heading of level 7', doc({ type: 'heading', attrs: { level: 7 } }), false],
    ['an image', doc({ type: 'image' }), false],
    ['a list without items', doc({ type: 'bulletList', content: [] }), false],
    [
      'an item that starts with a rule',
      doc({
        type: 'bulletList',
        content: [{ type: 'listItem', content: [{ type: 'horizontalRule' }] }],
      }),
      false,
    ],
    ['a document without blocks', { type: 'doc' }, false],
    ['a text in the document itself', doc({ type: 'text', text: 'Words.' }), false],
  ])('says of %s whether it is a text', (_name, text, isText) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema(describeApi('https://articles.example'), 'api')
    expect(ajv.validate('api#/components/schemas/ArticleText', text)).toBe(isText)
  })
})

describe('the check of every response', () => {
  const refusal = JSON.stringify({ code: 404, message: 'Not found', requestId: 'r' })
  it.each([
    ['GET', '/v1/users', 404, refusal, 'the status is not described'],
    ['PUT', '/v1/users', 200, '{}', 'the operation is not described'],
    ['PUT', '/v1/users', 404, refusal, null],
    ['DELETE', '/v1/users/1', 204, '', null],
    ['DELETE', '/v1/users/1', 204, '{}', 'there is a body'],
    ['DELETE', '/v1/users/1', 404, refusal, null],
    ['DELETE', '/v1/users/1', 404, '{}', "data must have required property 'code'"],
    [
      'GET',
      '/v1/users',
      200,
      '{"results":[{"id":"1","password":"x"}],"page":1,"limit":1,"totalPages":1,"totalResults":1}',
      "data/results/0 must have required property 'name'",
    ],
  ])('%s %s as %i %s: %s', (method, path, status, body, fault) => {
    expect(answerFault(method, path, status, body)).toBe(fault)
  })

  const id = { 'X-Request-Id': 'r' }
  const state = { 'Server-Epoch': 'e', 'Change-Seq': '1' }
  it.each([
    ['GET', '/v1/articles/1', 200, { ...id, ...state, ETag: '"1"' }, null],
    ['GET', '/v1/articles/1', 200, { ...id, ...state }, 'the header ETag is missing'],
    ['GET', '/v1/articles/1', 304, { ...id, ...state }, 'the header ETag is missing'],
    ['GET', '/v1/articles/1', 404, { ...id, ...state }, null],
    ['GET', '/v1/articles/1', 503, { ...id, 'Retry-After': '2' }, null],
    [
      'GET',
      '/v1/articles/1',
      404,
      { ...id, 'Retry-After': '2' },
      'the header Retry-After is not described',
    ],
    [
      'GET',
      '/v1/users',
      200,
      { ...id, 'Server-Epoch': 'e' },
      'the header Server-Epoch is not described',
    ],
    ['GET', '/v1/users', 200, {}, 'the header X-Request-Id is missing'],
  ])('%s %s as %i with %j: %s', (method, path, status, headers, fault) => {
    expect(headersFault(method, path, status, new Headers(headers as Record<string, string>))).toBe(
      fault,
    )
  })
})
