import { SignJWT, UnsecuredJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Tokens } from '../../../domain/wire/users.ts'
import { signingKey } from '../../accounts/keys.ts'
import { TEST_PASSWORD } from '../test-app.ts'
import {
  bearer,
  type Filled,
  fill,
  refresh,
  resetTokens,
  type StartedServer,
  startServer,
  statusWith,
} from './started-server.ts'

let server: StartedServer
let all: Filled
let guest: ReturnType<StartedServer['as']>

beforeEach(async () => {
  server = await startServer()
  all = await fill(server)
  guest = server.as(null)
})
afterEach(async () => {
  await server.expectHealthy()
  await server.stop()
})

const NEW = 'a lamp in the reeds'
const MINUTE = 60_000

const reset = async (token: string, password = NEW) =>
  (await guest.post('/v1/auth/reset-password', { token, password })).status

async function askedFor() {
  expect((await guest.post('/v1/auth/forgot-password', { email: all.U1.email })).status).toBe(204)
  return (await resetTokens(server, all.U1)).at(-1) ?? ''
}

describe('a reset token', () => {
  it('works once, also when it comes 20 times at once', async () => {
    const token = await askedFor()
    expect([await reset(token), await reset(token)]).toEqual([204, 401])
    const another = await askedFor()
    const statuses = await Promise.all(Array.from({ length: 20 }, () => reset(another)))
    expect(statuses.sort()).toEqual([204, ...Array<number>(19).fill(401)])
  })

  it('ends with a newer one, with its time, and with one other character', async () => {
    const older = await askedFor()
    const newer = await askedFor()
    const flipped = `${newer.startsWith('A') ? 'B' : 'A'}${newer.slice(1)}`
    expect([await reset(older), await reset(flipped)]).toEqual([401, 401])
    server.clock.advance(31 * MINUTE)
    expect(await reset(newer)).toBe(401)
    expect(await reset(await askedFor())).toBe(204)
  })

  it('ends with a change of password or e-mail and with the account', async () => {
    const path = `/v1/users/${all.U1.id}`
    const { patch, delete: remove } = server.as(all.A1)
    const first = await askedFor()
    expect((await server.as(all.U1).patch(path, { password: 'another one' })).status).toBe(200)
    expect(await reset(first)).toBe(401)
    const second = await askedFor()
    expect((await patch(path, { email: 'i@hale.example' })).status).toBe(200)
    expect(await reset(second)).toBe(401)
    expect((await patch(path, { email: all.U1.email })).status).toBe(200)
    const third = await askedFor()
    expect((await remove(path)).status).toBe(204)
    expect(await reset(third)).toBe(401)
  })

  it('ends every session and the old password, and opens no session', async () => {
    const old = await server.login(all.U1)
    const answer = await guest.post('/v1/auth/reset-password', {
      token: await askedFor(),
      password: NEW,
    })
    expect([answer.status, await answer.text()]).toEqual([204, ''])
    expect(await statusWith(server, bearer(old))).toBe(401)
    expect((await refresh(server, old.refresh.token)).status).toBe(401)
    const login = (password: string) =>
      guest.post('/v1/auth/login', { email: all.U1.email, password })
    expect((await login(TEST_PASSWORD)).status).toBe(401)
    const again = await login(NEW)
    expect([again.status, (await again.json()).user.isEmailVerified]).toEqual([200, true])
  })
})

describe('a token', () => {
  it('is good for one thing only', async () => {
    const mine = await server.login(all.U1)
    const link = await askedFor()
    for (const token of [mine.refresh.token, link])
      expect(await statusWith(server, { authorization: `Bearer ${token}` })).toBe(401)
    for (const token of [mine.access.token, link])
      expect((await refresh(server, token)).status).toBe(401)
    for (const token of [mine.access.token, mine.refresh.token])
      expect(await reset(token)).toBe(401)
  })

  it('is taken only as it was signed here', async () => {
    const tokens = await server.login(all.U1)
    for (const [what, token] of await forged(tokens))
      expect([what, await statusWith(server, { authorization: `Bearer ${token}` })]).toEqual([
        what,
        401,
      ])
    expect(await statusWith(server, bearer(tokens))).toBe(200)
    const long = await statusWith(server, { authorization: `Bearer ${'x'.repeat(60_000)}` })
    expect([401, 431]).toContain(long)
  })

  it('is over when its time is', async () => {
    const tokens = await server.login(all.U1)
    server.clock.advance(31 * MINUTE)
    expect(await statusWith(server, bearer(tokens))).toBe(401)
  })
})

async function forged({ access }: Tokens): Promise<[string, string][]> {
  const [head = '', payload = '', signature = ''] = access.token.split('.')
  const part = (json: unknown) => Buffer.from(JSON.stringify(json)).toString('base64url')
  const parsed = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())
  const header = parsed(head) as { alg: string; typ: string; kid: string }
  const claims = parsed(payload) as Record<string, unknown>
  const [{ access: key }] = server.deps.keys.signing
  const signed = (change: object, headers: object = {}, by: Uint8Array = key) =>
    new SignJWT({ ...claims, ...change }).setProtectedHeader({ ...header, ...headers }).sign(by)
  expect(await statusWith(server, { authorization: `Bearer ${await signed({})}` })).toBe(200)
  const renamed = (change: object) => `${part({ ...header, ...change })}.${payload}.${signature}`
  return [
    ['alg none', new UnsecuredJWT(claims).encode()],
    ['alg none, signed', renamed({ alg: 'none' })],
    ['RS256', renamed({ alg: 'RS256' })],
    ['ES256', renamed({ alg: 'ES256' })],
    ['another HMAC', await signed({}, { alg: 'HS512' })],
    ['an empty key', await signed({}, {}, new Uint8Array(32))],
    ['a foreign key', await signed({}, {}, signingKey('x'.repeat(32)).access)],
    ['edited sub', `${head}.${part({ ...claims, sub: all.A1.id })}.${signature}`],
    ['edited role', `${head}.${part({ ...claims, role: 'admin' })}.${signature}`],
    ['edited exp', `${head}.${part({ ...claims, exp: 9e9 })}.${signature}`],
    ['another sub for this session', await signed({ sub: all.A1.id })],
    ['no exp', await signed({ exp: undefined })],
    ['no sid', await signed({ sid: undefined })],
    ['wrong typ', await signed({}, { typ: 'JWT' })],
    ['wrong iss', await signed({ iss: 'somebody' })],
    ['wrong aud', await signed({ aud: 'something' })],
    ['kid as a path', await signed({}, { kid: '../x' })],
    ['jku', renamed({ jku: 'https://evil.example' })],
    ['jwk', renamed({ jwk: { kty: 'oct', k: 'AA' } })],
    ['extra dots', `${access.token}.x`],
    ['payload array', `${head}.${part([claims])}.${signature}`],
  ]
}
