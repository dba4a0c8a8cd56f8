import { describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from './testing/test-app.ts'

const login = '/v1/auth/login'
const valid = { email: 'nobody@contun.example', password: 'a river of ink' }

const post = (app: TestApp, body: unknown, headers: Record<string, string> = {}) =>
  app.as(null).post(login, body, headers)

describe('a response', () => {
  it('of the API may not be run, framed, sniffed or cached', async () => {
    const { app } = await createTestApp()
    for (const path of [login, '/v1', '/v1/unknown', '/v1/articles/client/myArticles']) {
      const { headers } = await app.request(path)
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        'cache-control': 'no-store',
        'content-type': 'application/json; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
      })
      expect(headers.get('strict-transport-security')).toBeNull()
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  it('asks for https only where the public address is https', async () => {
    const { app } = await createTestApp({ config: { publicUrl: 'https://articles.example' } })
    const { headers } = await app.request('/v1/unknown')
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
  })

  it('of an unknown route or method is 404 in the one shape of errors', {
    tags: ['@AP-33'],
  }, async () => {
    const { app } = await createTestApp()
    const id = '0195a000-0000-7000-8000-000000000001'
    for (const [method, path] of [
      ['GET', '/v1/nothing'],
      ['GET', '/v1/auth/login'],
      ['PUT', `/v1/articles/${id}`],
      ['FOO', '/v1/auth/login'],
      ['POST', '/v1/auth/login/'],
      ['POST', '/V1/auth/login'],
      ['POST', '//v1/auth/login'],
      ['GET', '/v1/docs'],
    ] as const) {
      const response = await app.request(path, { method })
      const requestId = response.headers.get('x-request-id')
      expect(response.status).toBe(404)
      expect(await response.json()).toEqual({ code: 404, message: 'Not found', requestId })
    }
  })

  it('to a foreign origin allows nothing', async () => {
    const { app } = await createTestApp()
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    const response = await app.request(login, { method: 'OPTIONS', headers })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(response.status).toBe(404)
  })

  it('to HEAD is that to GET without its body', async () => {
    const { app } = await createTestApp()
    const response = await app.request('/healthz', { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })

  it.each([
    ['SQLITE_BUSY', 503, undefined],
    ['SQLITE_FULL', 507, 'storage_full'],
    ['SQLITE_IOERR_WRITE', 503, undefined],
    ['SQLITE_CONSTRAINT', 500, undefined],
  ])(
    'after the fault %s is %i and reveals no internals',
    { tags: ['@fault-27'] },
    async (code, status, reason) => {
      const fault = Object.assign(new Error('secret inside'), { code })
      const passwords = { hash: () => Promise.reject(fault), verify: () => Promise.reject(fault) }
      const app = await createTestApp()
      const broken = await createTestApp({
        db: app.db,
        deps: { passwords: { ...app.deps.passwords, verify: passwords.verify } },
      })
      const response = await post(broken, valid)
      const body = (await response.json()) as Record<string, unknown>
      expect([response.status, body.code, body.reason]).toEqual([status, status, reason])
      expect(JSON.stringify(body)).not.toContain('inside')
      expect(response.headers.get('retry-after')).toBe(status === 503 ? '2' : null)
      expect(broken.logLines.find((line) => line.level === 'error')?.fields).toMatchObject({
        requestId: body.requestId,
        err: fault,
      })
    },
  )
})

describe('a body', () => {
  it.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/xml'],
    ['application/jsonp'],
    ['application/json; charset=latin1'],
    [''],
  ])('of type %j is refused with 415', async (type) => {
    const app = await createTestApp()
    const response = await post(app, JSON.stringify(valid), { 'content-type': type })
    expect(response.status).toBe(415)
  })

  it('whose Content-Type was stripped is read where a token came with it', async () => {
    const app = await createTestApp()
    const writer = await app.user()
    const { access, refresh } = await app.signIn(writer)
    const ask = (headers: Record<string, string>) =>
      app.app.request('/v1/auth/refresh-tokens', {
        method: 'POST',
        headers,
        body: new TextEncoder().encode(JSON.stringify({ refreshToken: refresh.token })),
      })
    expect((await ask({})).status).toBe(415)
    expect((await ask({ authorization: `Bearer ${access.token}` })).status).toBe(200)
  })

  it('that is compressed is refused with 415', async () => {
    const app = await createTestApp()
    expect((await post(app, valid, { 'content-encoding': 'gzip' })).status).toBe(415)
  })

  it.each([
    ['nothing', ''],
    ['blanks', '   '],
    ['two objects', '{}{}'],
    ['an open object', '{"email":'],
    ['a comma too many', '{"email":"a@b.example","password":"x",}'],
    ['NaN', '{"email":NaN}'],
    ['a byte order mark', `\uFEFF${JSON.stringify(valid)}`],
    ['an array', '[]'],
    ['null', 'null'],
    ['a text', '"x"'],
    ['a number', '1'],
    ['an empty object', '{}'],
    ['__proto__', '{"__proto__":{"role":"admin"},"email":"a@b.example","password":"x"}'],
    ['__proto__ in other letters', '{"\\u005f_proto__":{},"email":"a@b.example","password":"x"}'],
    ['a constructor deep inside', '{"email":{"a":[{"constructor":1}]}}'],
    ['a prototype', '{"prototype":1}'],
  ])('of %s is refused with 400', async (_, body) => {
    const app = await createTestApp()
    const response = await post(app, body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 400, message: expect.any(String) })
  })

  it('accepts the word constructor as a value', async () => {
    const app = await createTestApp()
    expect((await post(app, { ...valid, password: 'constructor \\u0041' })).status).toBe(401)
  })

  it('whose bytes are no UTF-8 is refused, not repaired', async () => {
    const app = await createTestApp()
    const bytes = Buffer.from(JSON.stringify({ ...valid, password: 'xxxxxxxx\u00ff' }), 'latin1')
    const response = await post(app, new Uint8Array(bytes))
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { message: 'The request is not valid UTF-8' },
    ])
  })

  it('with the same key twice has the last one', async () => {
    const app = await createTestApp()
    const user = await app.user()
    const body = `{"email":"${user.email}","password":"wrong","password":"${user.password}"}`
    expect((await post(app, body)).status).toBe(200)
  })

  it.each([201, 5_000, 100_000])('nested %i deep is refused before it is parsed', async (depth) => {
    const app = await createTestApp()
    const person = await app.user()
    const path = `/v1/articles/${person.id}`
    const body = `{"articleText":${'['.repeat(depth)}${']'.repeat(depth)}}`
    const article = await app.article({ client: await app.client({ users: [person] }) })
    for (const target of [path, `/v1/articles/${article.id}`]) {
      const response = await app.as(person).patch(target, body)
      expect([400, 404]).toContain(response.status)
    }
    expect((await post(app, `{"email":${'['.repeat(500)}${']'.repeat(500)}}`)).status).toBe(400)
  })

  it('with brackets and escaped quotes inside a text is not deep', async () => {
    const app = await createTestApp()
    const password = `${'[{"'.repeat(60)}\\`
    expect((await post(app, { ...valid, password })).status).toBe(401)
  })

  it('over the limit is refused with 413, whether the length is declared or not', async () => {
    const app = await createTestApp()
    const long = JSON.stringify({ ...valid, password: 'x'.repeat(90_000) })
    const told = await post(app, long, { 'content-length': String(long.length) })
    expect(told.status).toBe(413)
    const chunks = chunked(long)
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: chunks.stream, duplex: 'half' as const }
    expect((await app.app.request(login, init)).status).toBe(413)
    expect(chunks.sent()).toBeLessThan(long.length)
  })

  it('in small chunks that split letters is read whole', async () => {
    const app = await createTestApp()
    const user = await app.user({ password: 'Ein stiller Fluß 🌠' })
    const { stream } = chunked(JSON.stringify({ email: user.email, password: user.password }), 1)
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: stream, duplex: 'half' as const }
    expect((await app.app.request(login, init)).status).toBe(200)
  })
})

/** A body that declares no length and comes in parts. */
function chunked(text: string, size = 1024) {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + size))
      at += size
    },
  })
  return { stream, sent: () => at }
}

describe('health', () => {
  it('is ready with its tables', async () => {
    const { app } = await createTestApp()
    expect((await app.request('/healthz')).status).toBe(200)
    expect((await app.request('/readyz')).status).toBe(200)
  })

  it('is alive but not ready while draining', async () => {
    const { app } = await createTestApp({ deps: { isDraining: () => true } })
    const response = await app.request('/readyz')
    expect([response.status, response.headers.get('connection')]).toEqual([503, 'close'])
    expect((await app.request('/healthz')).status).toBe(200)
  })

  it('is alive but not ready before its tables are made, and when the database is dead', async () => {
    const { app, db } = await createTestApp()
    await db.schema.dropTable('meta').execute()
    expect((await app.request('/readyz')).status).toBe(503)
    await db.destroy()
    expect((await app.request('/readyz')).status).toBe(503)
    expect((await app.request('/healthz')).status).toBe(200)
  })
})

describe('the log', () => {
  it('has one line per request, with the route and the user, and no secret', async () => {
    const app = await createTestApp()
    const user = await app.user()
    const { refresh, access } = await app.signIn(user)
    await app.as(user).get('/v1/articles/client/myArticles')
    await app
      .as(null)
      .post('/v1/auth/reset-password?token=my-secret-token', { password: 'my new password' })
    await post(app, { email: user.email, password: 'my wrong password' })
    await app.as(null).post('/v1/auth/refresh-tokens', { refreshToken: refresh.token })
    const lines = app.logLines.filter((line) => line.message === 'Request')
    expect(lines.map(({ fields }) => [fields.method, fields.route, fields.status])).toEqual([
      ['GET', '/v1/articles/client/myArticles', 200],
      ['POST', '/v1/auth/reset-password', 401],
      ['POST', '/v1/auth/login', 401],
      ['POST', '/v1/auth/refresh-tokens', 200],
    ])
    expect(lines[0]?.fields).toMatchObject({
      actorId: user.id,
      requestId: expect.any(String),
      ms: 0,
    })
    const everything = JSON.stringify(app.logLines)
    for (const secret of [access.token, refresh.token, 'my-secret', 'my new', 'my wrong']) {
      expect(everything).not.toContain(secret)
    }
  })
})
