import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestUser } from '../test-app.ts'
import {
  articleCalls,
  type Filled,
  fill,
  type StartedServer,
  startServer,
  text,
} from './started-server.ts'

let server: StartedServer
let all: Filled

beforeEach(async () => {
  server = await startServer()
  all = await fill(server)
})
afterEach(async () => {
  await server.expectHealthy()
  await server.stop()
})

const { get, read, patch } = articleCalls(() => ({ server, all }))
const put = (articleText: unknown) => patch({ articleText })
const refusal = async (answer: Response) => {
  const { code, reason, message } = await answer.json()
  return { status: answer.status, code, reason, said: message !== '' }
}

async function bearerOf(person: TestUser) {
  return { authorization: `Bearer ${(await server.signIn(person)).access.token}` }
}

describe('the protocol', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/json; charset=utf-16',
    '',
  ])('refuses a body of type %j', async (type) => {
    const answer = await patch({ completed: true }, { 'content-type': type })
    expect(await refusal(answer)).toMatchObject({ status: 415, code: 415 })
  })

  it('refuses a body that is compressed in another way than by gzip', async () => {
    const answer = await patch({ completed: true }, { 'content-encoding': 'br' })
    expect(await refusal(answer)).toMatchObject({ status: 415 })
  })

  it('a body that breaks off writes nothing', async () => {
    expect((await patchInParts(['{"comp', 'leted":'])).status).toBe(400)
    expect(await read()).toMatchObject({ completed: false, version: 1 })
  })

  it.each(['PUT', 'OPTIONS'])('%s is not served', async (method) => {
    const headers = { ...(await bearerOf(all.U1)), origin: 'https://elsewhere.example' }
    const answer = await server.app.request(`/v1/articles/${all.P1}`, { method, headers })
    expect([404, 405]).toContain(answer.status)
    expect(answer.headers.get('access-control-allow-origin')).toBe(null)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  })

  it.each([
    '%2e%2e%2f',
    '..%2F..%2Fetc%2Fpasswd',
    '%00',
    `%20`,
    'client',
    'client/',
    '%E0%A4%A',
    'a'.repeat(10_000),
  ])('the path %s finds nothing and answers JSON', async (path) => {
    const answer = await server.as(all.U1).get(`/v1/articles/${path}`)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  })

  it('every response forbids caching, sniffing and running', async () => {
    const answers = [
      await get(all.U1, all.P1),
      await server.as(all.U1).get(`/v1/articles/${all.P1}`, { 'if-none-match': '*' }),
      await patch('{'),
      await get(null, all.P1),
      await patch({ completed: false }),
      await get(all.U2, all.P1),
      await patch({ articleText: text('x') }, { 'if-match': '"v9.t9"' }),
      await patch('{}', { 'content-type': 'text/plain' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 304, 400, 401, 403, 404, 412, 415])
    for (const { headers } of answers) {
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    }
  })

  it('no log line contains a token or a word of a text', async () => {
    await put(text('An unmistakable sentence.'))
    await patch({ articleText: { type: 'doc', content: [{ type: 'unmistakable' }] } })
    await patch(
      { articleText: text('An unmistakable sentence, again.') },
      { 'if-match': '"v9.t9"' },
    )
    const log = JSON.stringify(server.logLines)
    expect(server.logLines.length).toBeGreaterThan(0)
    expect(log).not.toContain('unmistakable')
    expect(log).not.toMatch(/eyJ|Bearer/)
  })

  it('one key is one write for its user, and none for another request', async () => {
    const key = { 'idempotency-key': 'k' }
    const answers = [
      await patch({ articleText: text('Once.') }, key),
      await patch({ articleText: text('Once.') }, key),
      await patch({ articleText: text('Otherwise.') }, key),
      await patch({ articleText: text('By another.') }, key, all.P1, all.A1),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 422, 200])
    expect((await read()).textVersion).toBe(3)
  })

  it('under 429s a queue of 200 obeys Retry-After, and every article ends with its last text', async () => {
    const limited = await startServer({ config: { rateLimits: true } })
    try {
      const people = await fill(limited)
      const { patch: send, get: read } = limited.as(people.U1)
      const waits: number[] = []
      for (let at = 0; at < 200; at++) {
        const path = `/v1/articles/${at % 2 === 0 ? people.P1 : people.PD}`
        const body = { articleText: text(`Version ${at}`) }
        for (;;) {
          const answer = await send(path, body, { 'idempotency-key': `k${at}` })
          if (answer.status === 200) break
          expect(answer.status).toBe(429)
          waits.push(Number(answer.headers.get('retry-after')))
          limited.clock.advance(Number(answer.headers.get('retry-after')) * 1_000)
        }
      }
      expect(waits.length).toBeGreaterThan(1)
      for (const [id, last] of [
        [people.P1, 198],
        [people.PD, 199],
      ] as const) {
        const article = await (await read(`/v1/articles/${id}`)).json()
        expect(article).toMatchObject({ articleText: text(`Version ${last}`), textVersion: 101 })
      }
    } finally {
      await limited.stop()
    }
  })

  it('a replayed queue of 200 ends with the last text', async () => {
    for (const round of ['first', 'again']) {
      for (let at = 0; at < 200; at++) {
        const answer = await patch(
          { articleText: text(`Version ${at}`) },
          { 'idempotency-key': `k${at}` },
        )
        expect([answer.status, round, answer.headers.get('idempotency-replayed')]).toEqual([
          200,
          round,
          round === 'again' ? 'true' : null,
        ])
      }
    }
    expect(await read()).toMatchObject({ articleText: text('Version 199'), textVersion: 201 })
  })

  it('what is no proper HTTP is refused, and nothing smuggled is answered', async () => {
    const post = 'POST /v1/auth/login HTTP/1.1\r\nHost: x\r\n'
    const second = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
    const get = 'GET /healthz HTTP/1.1\r\nHost: x\r\n'
    const many = Array.from({ length: 2_000 }, (_, at) => `H-${at}: x\r\n`).join('')
    const cases: [string, RegExp][] = [
      [
        `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${second}`,
        /^HTTP\/1\.1 400 /,
      ],
      [`${post}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd${second}`, /^HTTP\/1\.1 400 /],
      [`${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${second}`, /^HTTP\/1\.1 400 /],
      [`${get}X-One: a\rX-Two: b\r\n\r\n${second}`, /^HTTP\/1\.1 400 /],
      [`GET /healthz HTTP/1.1\r\n\r\n${second}`, /^HTTP\/1\.1 400 /],
      [`${get}${many}\r\n`, /^HTTP\/1\.1 431 /],
      [`${get}X-Long: ${'x'.repeat(66_000)}\r\n\r\n`, /^HTTP\/1\.1 431 /],
      [
        'TRACE /healthz HTTP/1.1\r\nHost: x\r\nX-Echo: hushed\r\n\r\n',
        /^HTTP\/1\.1 (404|405|501) /,
      ],
      [
        'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n',
        /^(HTTP\/1\.1 (400|404|405|501) .*)?$/s,
      ],
      ['FOO /healthz HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1\.1 400 /],
      [
        'GET http://evil.example/healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n',
        /^HTTP\/1\.1 (200|400|421) /,
      ],
    ]
    for (const [request, expected] of cases) {
      const answer = await server.raw(request)
      expect(answer).toMatch(expected)
      expect(answer).not.toMatch(/hushed|evil\.example|"status":"ok"[\s\S]*"status":"ok"/)
      if (request.endsWith(second)) expect(answer).not.toContain('"status":"ok"')
    }
  })

  it('a body longer than it may be is refused without a declared length too', async () => {
    const { authorization } = await bearerOf(all.U1)
    const part = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`
    const answer = await server.raw(
      `PATCH /v1/articles/${all.P1} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n` +
        `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${part.repeat(40)}0\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(await read()).toMatchObject({ version: 1 })
  })

  it('a body that never comes in full writes nothing', async () => {
    const { authorization } = await bearerOf(all.U1)
    const answer = await server.raw(
      `PATCH /v1/articles/${all.P1} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 30\r\n\r\n{"completed":true}',
      500,
    )
    expect(answer).toBe('')
    expect(await read()).toMatchObject({ completed: false, version: 1 })
  })

  it('HEAD answers as GET does, without the body', async () => {
    const answer = await fetch(`${server.url}/healthz`, { method: 'HEAD' })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  })

  it.each([
    '/.env',
    '/.git/config',
    '/package.json',
    '/contun.sqlite',
    '/v1/docs',
    '/v1/%2e%2e%2fpackage.json',
    '/assets/x.js.map',
  ])('%s is not there', async (path) => {
    const answer = await server.as(null).get(path)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).not.toContain('html')
  })

  it('no other site is allowed to read anything', async () => {
    for (const origin of ['https://elsewhere.example', 'null']) {
      const headers = { origin, 'access-control-request-method': 'PATCH' }
      const answer = await server.app.request(`/v1/articles/${all.P1}`, {
        method: 'OPTIONS',
        headers,
      })
      const simple = await server.as(all.U1).get(`/v1/articles/${all.P1}`, { origin })
      for (const { headers } of [answer, simple])
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  it('where the public address is https, a call by plain http is refused and not redirected', async () => {
    const publicUrl = 'https://articles.example'
    const behindProxy = async (trustedProxies: string[], scheme?: string) => {
      const secure = await startServer({ config: { publicUrl, trustedProxies } })
      try {
        const headers: Record<string, string> = scheme ? { 'x-forwarded-proto': scheme } : {}
        const body = JSON.stringify({ email: 'a@b.example', password: 'not the one' })
        const json = { ...headers, 'content-type': 'application/json' }
        const url = `${secure.url}/v1/auth/login`
        const answer = await fetch(url, { method: 'POST', redirect: 'manual', headers: json, body })
        const { reason } = await answer.json()
        expect((await fetch(`${secure.url}/healthz`, { headers })).status).toBe(200)
        return [answer.status, reason]
      } finally {
        await secure.stop()
      }
    }
    const [refused, answered] = [
      [421, 'https_required'],
      [401, undefined],
    ]
    expect(await behindProxy(['127.0.0.1'], 'http')).toEqual(refused)
    expect(await behindProxy(['127.0.0.1'], 'https, http')).toEqual(refused)
    expect(await behindProxy(['127.0.0.1'], 'https')).toEqual(answered)
    expect(await behindProxy(['127.0.0.1'])).toEqual(answered)
    expect(await behindProxy(['192.0.2.1'], 'https')).toEqual(refused)
    expect(await behindProxy([], 'http')).toEqual(answered)
  })

  it('whatever is sent, a password or token reaches no log and a line stays one', async () => {
    const tokens = await server.login(all.U1)
    const { post } = server.as(null)
    await post('/v1/auth/login', { email: all.U1.email, password: 'hunter2-unmistakable' })
    await post('/v1/auth/login', { email: 'a\r\nb\u001b[31m', password: 'hunter2-unmistakable' })
    await post('/v1/auth/refresh-tokens', { refreshToken: tokens.refresh.token })
    await server.as(null).get('/v1/nothing%0d%0a%1b[31mhere')
    const log = JSON.stringify(server.logLines)
    for (const secret of ['unmistakable', tokens.access.token, tokens.refresh.token, 'Bearer'])
      expect(log).not.toContain(secret)
    for (const { message } of server.logLines) expect(message).not.toMatch(/\p{Cc}/u)
  })

  it('a stopping server reports it to the load balancer and on every connection', async () => {
    let draining = false
    const stopping = await startServer({ deps: { isDraining: () => draining } })
    try {
      const at = (path: string) => fetch(stopping.url + path)
      expect((await at('/readyz')).status).toBe(200)
      draining = true
      const [ready, alive] = [await at('/readyz'), await at('/healthz')]
      expect([ready.status, alive.status]).toEqual([503, 200])
      expect(await ready.json()).toEqual({ status: 'unavailable' })
      expect([ready, alive].map(({ headers }) => headers.get('connection'))).toEqual([
        'close',
        'close',
      ])
    } finally {
      await stopping.stop()
    }
  })

  it('a storage fault is reported without its details', async () => {
    const headers = await bearerOf(all.U1)
    await server.db.destroy()
    const answer = await fetch(`${server.url}/v1/articles/${all.P1}`, { headers })
    expect([500, 503]).toContain(answer.status)
    const told = await answer.text()
    expect(told).not.toMatch(/sql|stack|driver|destroy|\.ts|\.js|node/i)
    expect(JSON.parse(told)).toEqual({
      code: answer.status,
      message: expect.any(String),
      requestId: expect.any(String),
    })
    const [alive, ready] = await Promise.all([
      fetch(`${server.url}/healthz`),
      fetch(`${server.url}/readyz`),
    ])
    expect([alive.status, ready.status]).toEqual([200, 503])
    expect(await ready.json()).toEqual({ status: 'unavailable' })
    await server.stop()
    server = await startServer()
  })
})

/** A body that comes in parts and declares no length. */
async function patchInParts(parts: string[]): Promise<Response> {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    pull(stream) {
      const part = parts.shift()
      if (part === undefined) stream.close()
      else stream.enqueue(encoder.encode(part))
    },
  })
  const headers = { ...(await bearerOf(all.U1)), 'content-type': 'application/json' }
  const init = { method: 'PATCH', headers, body, duplex: 'half' }
  return server.app.request(`/v1/articles/${all.P1}`, init as RequestInit)
}
