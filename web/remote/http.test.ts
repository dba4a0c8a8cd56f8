import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type Clock, type HttpRequest, NoAnswer } from '../../sync/ports.ts'
import { createAccounts } from './accounts.ts'
import { accepted, createTransport } from './http.ts'

type Answering = (request: Request) => Promise<Response>

/** A network of one server, and a clock that moves only on request. */
function network(answering: Answering) {
  const due: (() => void)[] = []
  const clock: Clock = {
    now: () => 0,
    after: (_, task) => {
      due.push(task)
      return () => due.splice(due.indexOf(task), 1)
    },
  }
  const exchanges: boolean[] = []
  const seen: Request[] = []
  const transport = createTransport({
    clock,
    origin: 'https://articles.example',
    begin: () => (answered) => exchanges.push(answered),
    fetch: ((request: Request) => {
      seen.push(request)
      return answering(request)
    }) as typeof fetch,
  })
  return { transport, seen, exchanges, timers: due, passTime: () => due.map((task) => task()) }
}

const json = (body: unknown, status = 200) => Response.json(body, { status })
const GET: HttpRequest = { method: 'GET', path: '/articles/a1' }

/** As a browser does: an aborted exchange rejects with the reason. */
const never: Answering = ({ signal }) =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
  })

describe('one exchange', () => {
  test('goes to /v1 of this origin with the bearer token', {
    tags: ['@AP-01', '@AP-02'],
  }, async () => {
    const { transport, seen } = network(async () => json({ id: 'a1' }))
    const answer = await transport({ ...GET, bearer: 'token', headers: { 'If-Match': '"t1"' } })
    expect(answer).toMatchObject({ status: 200, json: { id: 'a1' } })
    expect(seen[0]?.url).toBe('https://articles.example/v1/articles/a1')
    expect(seen[0]?.headers.get('authorization')).toBe('Bearer token')
    expect(seen[0]?.headers.get('if-match')).toBe('"t1"')
  })

  test('leaves the header out without a token', { tags: ['@LO-14', '@Q87'] }, async () => {
    const { transport, seen } = network(async () => json({}))
    await transport({ method: 'POST', path: '/auth/login', body: '{}' })
    expect(seen[0]?.headers.get('authorization')).toBeNull()
    expect(seen[0]?.headers.get('content-type')).toBe('application/json')
  })

  test.each([408, 413, 429, 500, 503])(
    'returns %i unchanged, requested once',
    { tags: ['@Q93'] },
    async (status) => {
      const { transport, seen } = network(async () => json({ code: status, message: 'no' }, status))
      expect((await transport(GET)).status).toBe(status)
      expect(seen).toHaveLength(1)
    },
  )

  test('what is not JSON has no body', async () => {
    const { transport } = network(async () => new Response('<html>Log in to the hotel</html>'))
    expect((await transport(GET)).json).toBeUndefined()
  })

  test('a failed connection is a Network Error', { tags: ['@ER-21'] }, async () => {
    const { transport, exchanges } = network(() => Promise.reject(new TypeError('Failed to fetch')))
    await expect(transport(GET)).rejects.toMatchObject({
      name: 'NoAnswer',
      message: 'Network Error',
    })
    expect(exchanges).toEqual([false])
  })

  test('a cancelled request is aborted, and does not affect the connection status', {
    tags: ['@ER-22'],
  }, async () => {
    const { transport, exchanges } = network(never)
    const answer = transport({ ...GET, abandoned: Promise.resolve() })
    await expect(answer).rejects.toMatchObject({ name: 'NoAnswer', message: 'Request aborted' })
    expect(exchanges).toEqual([])
  })

  test('a request with a limit ends when its time is over', { tags: ['@ER-23'] }, async () => {
    const { transport, passTime, timers } = network(never)
    const answer = transport({ ...GET, timeoutMs: 20_000 })
    passTime()
    await expect(answer).rejects.toMatchObject({ message: 'timeout of 20000ms exceeded' })
    expect(timers).toEqual([])
  })

  test('without a limit no time is measured', { tags: ['@AP-35', '@CN-13', '@Q93'] }, async () => {
    const { transport, timers } = network(async () => json({}))
    await transport(GET)
    expect(timers).toEqual([])
  })
})

describe('a long body', () => {
  const body = JSON.stringify({ articleText: 'ö'.repeat(20_000) })
  const patch: HttpRequest = { method: 'PATCH', path: '/articles/a1', body }
  const packable: HttpRequest = { ...patch, mayPack: true }

  /** A server that does or does not read packed bodies, and records what arrived. */
  function server(readsPacked: boolean) {
    const heard: [encoding: string | null, body: string][] = []
    const { transport } = network(async (request) => {
      const encoding = request.headers.get('content-encoding')
      const bytes = new Uint8Array(await request.arrayBuffer())
      const text = encoding === 'gzip' ? gunzipSync(bytes) : Buffer.from(bytes)
      heard.push([encoding, text.toString('utf8')])
      return encoding && !readsPacked ? json({ code: 415, message: 'no' }, 415) : json({})
    })
    return { transport, heard }
  }

  test('is compressed where the server supports it', async () => {
    const { transport, heard } = server(true)
    expect((await transport(packable)).status).toBe(200)
    expect(heard).toEqual([['gzip', body]])
  })

  test('is uncompressed where the server may not support it, and when it is short', async () => {
    const { transport, heard } = server(true)
    await transport(patch)
    await transport({ ...packable, body: '{"completed":true}' })
    expect(heard).toEqual([
      [null, body],
      [null, '{"completed":true}'],
    ])
  })

  test('is sent again uncompressed to a server that does not read it, and from then on', async () => {
    const { transport, heard } = server(false)
    expect((await transport(packable)).status).toBe(200)
    expect((await transport(packable)).status).toBe(200)
    expect(heard).toEqual([
      ['gzip', body],
      [null, body],
      [null, body],
    ])
  })
})

describe('what counts as a success', () => {
  const answer = (status: number, body: unknown) => ({ status, json: body, header: () => null })

  test.each([200, 201, 204, 299])('%i does', { tags: ['@AP-35'] }, (status) => {
    expect(accepted(answer(status, undefined)).status).toBe(status)
  })

  test.each([
    [400, { code: 400, message: '"email" is required' }, '"email" is required'],
    [502, undefined, 'Request failed with status code 502'],
    [404, { message: '' }, 'Request failed with status code 404'],
    [304, null, 'Request failed with status code 304'],
  ])('%i does not: %j says %j', { tags: ['@ER-04', '@ER-24'] }, (status, body, message) => {
    expect(() => accepted(answer(status, body))).toThrow(message)
  })
})

describe('account calls', () => {
  const SESSION = {
    user: { id: 'u1' },
    tokens: { access: { token: 'a', expires: '' }, refresh: { token: 'r', expires: '' } },
  }

  test('send what the contract names', {
    tags: ['@AP-03', '@AP-04', '@AP-07', '@AP-08', '@AP-26'],
  }, async () => {
    const sent: string[] = []
    const accounts = createAccounts(async ({ method, path, body }) => {
      sent.push(`${method} ${path} ${body}`)
      return { status: 200, json: SESSION, header: () => null }
    })
    await accounts.login('a@b.example', 'secret')
    await accounts.register('Imogen Hale', 'a@b.example', 'secret')
    await accounts.logout({ refreshToken: 'r' })
    await accounts.forgotPassword('a@b.example')
    await accounts.resetPassword('t', 'secret')
    await accounts.changePassword('u1', 'secret')
    expect(sent).toEqual([
      'POST /auth/login {"email":"a@b.example","password":"secret"}',
      'POST /auth/register {"name":"Imogen Hale","email":"a@b.example","password":"secret"}',
      'POST /auth/logout {"refreshToken":"r"}',
      'POST /auth/forgot-password {"email":"a@b.example"}',
      'POST /auth/reset-password {"token":"t","password":"secret"}',
      'PATCH /users/u1 {"password":"secret"}',
    ])
  })

  test.each([
    [204, null, true],
    [200, null, true],
    [400, 'application/json', true],
    [401, 'application/json', true],
    [200, 'text/html', false],
    [401, 'text/html; charset=utf-8', false],
    [403, 'application/json', false],
    [404, null, false],
    [426, null, false],
    [429, 'application/json', false],
    [500, null, false],
    [503, 'application/json', false],
    [507, 'application/json', false],
  ])(
    'a logout with response %i (%s) is settled: %s',
    { tags: ['@Q84'] },
    async (status, type, isSettled) => {
      const header = (name: string) => (name === 'Content-Type' ? type : null)
      const accounts = createAccounts(async () => ({ status, json: undefined, header }))
      expect(await accounts.logout({ logoutToken: 't' })).toBe(isSettled)
    },
  )

  test('a logout without a response is not settled', { tags: ['@Q84'] }, async () => {
    const accounts = createAccounts(() => Promise.reject(new NoAnswer()))
    expect(await accounts.logout({ logoutToken: 't' })).toBe(false)
  })

  test('a login page of a hotel is no session', async () => {
    const accounts = createAccounts(async () => ({
      status: 200,
      json: undefined,
      header: () => null,
    }))
    await expect(accounts.login('a@b.example', 'secret')).rejects.toMatchObject({
      name: 'NoAnswer',
    })
  })
})
