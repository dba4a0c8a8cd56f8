import { gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

const paragraph = {
  type: 'paragraph',
  content: [{ type: 'text', text: 'Ein schöner Satz. '.repeat(99) }],
}
const articleText = { type: 'doc' as const, content: [paragraph] }

let app: TestApp
let writer: TestUser
let article: { id: string }

beforeEach(async () => {
  app = await createTestApp()
  writer = await app.user({ role: 'admin' })
  article = await app.article({ articleText, client: await app.client({ users: [writer] }) })
})

async function ask(path: string, encodings: string | undefined, init: RequestInit = {}) {
  const { access } = await app.signIn(writer)
  const headers = new Headers(init.headers)
  headers.set('Authorization', `Bearer ${access.token}`)
  if (encodings !== undefined) headers.set('Accept-Encoding', encodings)
  const response = await app.app.request(path, { ...init, headers })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

describe('a long response', () => {
  it.each(['gzip', 'br, gzip', 'GZIP;q=0.5', '*', 'deflate, *;q=0.1'])(
    'is gzipped for %s',
    async (encodings) => {
      for (const path of [
        `/v1/articles/${article.id}`,
        '/v1/articles?fields=text',
        '/v1/articles/client/myArticles?fields=text',
        `/v1/articles/${article.id}/revisions/1`,
      ]) {
        const plain = await ask(path, undefined)
        const { response, bytes } = await ask(path, encodings)
        expect(response.headers.get('content-encoding')).toBe('gzip')
        expect(response.headers.get('vary')).toBe('Accept-Encoding')
        expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
        expect(response.headers.get('etag')).toBe(plain.response.headers.get('etag'))
        expect(bytes.length).toBeLessThan(plain.bytes.length / 2)
        expect(gunzipSync(bytes)).toEqual(plain.bytes)
      }
    },
  )

  it.each([undefined, '', 'identity', 'br', 'gzip;q=0', 'gzip;q=0, *', '*;q=0'])(
    'stays plain for %s',
    async (encodings) => {
      const { response, bytes } = await ask(`/v1/articles/${article.id}`, encodings)
      expect(response.headers.get('content-encoding')).toBe(null)
      expect(response.headers.get('vary')).toBe('Accept-Encoding')
      expect(JSON.parse(bytes.toString()).articleText).toEqual(articleText)
    },
  )

  it('is gzipped after a save', async () => {
    const { response, bytes } = await ask(`/v1/articles/${article.id}`, 'gzip', {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ articleText: { type: 'doc', content: [paragraph, paragraph] } }),
    })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(JSON.parse(gunzipSync(bytes).toString()).textVersion).toBe(2)
  })
})

it('a short response, and one with tokens, are never gzipped', async () => {
  const { response } = await ask('/v1/users?limit=1', 'gzip')
  expect([...response.headers.keys()]).not.toContain('content-encoding')
  expect([...response.headers.keys()]).not.toContain('vary')
  const login = await app.app.request('/v1/auth/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Accept-Encoding': 'gzip' },
    body: JSON.stringify({ email: writer.email, password: writer.password }),
  })
  expect(login.status).toBe(200)
  expect(login.headers.get('content-encoding')).toBe(null)
})
