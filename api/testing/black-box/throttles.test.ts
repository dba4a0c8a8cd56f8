import { afterEach, beforeEach, expect, it } from 'vitest'
import { TEST_PASSWORD, type TestUser } from '../test-app.ts'
import { resetTokens, type StartedServer, startServer } from './started-server.ts'

/** The peer of the socket is a trusted proxy, so that one computer can play many. */
let server: StartedServer
let U1: TestUser

beforeEach(async () => {
  server = await startServer({
    config: { rateLimits: true, trustedProxies: ['127.0.0.1'], loginAccountDaily: 40 },
  })
  U1 = await server.user({ name: 'Imogen Hale', email: 'imogen@hale.example' })
})
afterEach(async () => {
  await server.expectHealthy()
  await server.stop()
})

const from = (address: string) => ({ 'x-forwarded-for': address })
const login = (password: string, headers: object, email = U1.email, path = '/v1/auth/login') =>
  server.as(null).post(path, { email, password }, { ...headers })
const fails = async (headers: object, email?: string, path?: string) =>
  (await login('not the one', headers, email, path)).status

it('the sixth try after five failures waits, with the right password too, but not on another network', async () => {
  const here = from('198.51.100.1')
  const statuses = []
  for (let time = 0; time < 5; time++) statuses.push(await fails(here))
  expect(statuses).toEqual([401, 401, 401, 401, 401])
  const sixth = await login('not the one', here)
  expect(sixth.status).toBe(429)
  expect(sixth.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  expect((await login(TEST_PASSWORD, here)).status).toBe(429)
  expect((await login(TEST_PASSWORD, from('203.0.113.9'))).status).toBe(200)
})

it('failures from everywhere lock strangers out, not the owner at a known device', async () => {
  const known = await login(TEST_PASSWORD, from('192.0.2.1'))
  const cookie = (known.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  expect(cookie).toContain('=')
  for (let at = 1; at <= 20; at++)
    for (let time = 0; time < 3; time++) await fails(from(`198.51.${at}.7`))
  expect((await login(TEST_PASSWORD, from('203.0.113.9'))).status).toBe(429)
  expect((await login(TEST_PASSWORD, { ...from('203.0.113.9'), cookie })).status).toBe(200)
  const forgot = await server.as(null).post('/v1/auth/forgot-password', { email: U1.email })
  expect(forgot.status).toBe(204)
  expect(await resetTokens(server, U1)).toHaveLength(1)
})

it('an address that only a header claims opens no new count', async () => {
  const direct = await startServer({ config: { rateLimits: true } })
  try {
    const body = { email: (await direct.user()).email, password: 'not the one' }
    const statuses = []
    for (let time = 1; time <= 6; time++) {
      const address = `198.51.100.${time}`
      const headers = {
        ...from(address),
        'x-real-ip': address,
        forwarded: `for=${address}`,
        'cf-connecting-ip': address,
      }
      statuses.push((await direct.as(null).post('/v1/auth/login', body, headers)).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  } finally {
    await direct.stop()
  }
})

it('no other spelling of address or e-mail opens a new count', async () => {
  const here = from('198.51.100.1')
  for (let time = 0; time < 5; time++) await fails(here)
  for (const path of [
    '/v1/auth/login/',
    '/V1/auth/login',
    '/v1/auth/LOGIN',
    '/v1/auth%2flogin',
    '//v1/auth/login',
    '/v1/auth/login?x=1',
    '/v1/./auth/login',
  ])
    expect([path, await fails(here, U1.email, path)]).toEqual([
      path,
      path.endsWith('?x=1') || path.includes('/./') ? 429 : 404,
    ])
  expect(await fails(here, ` ${U1.email.toUpperCase()} `)).toBe(429)
})

it('a network has 30 failures, whatever accounts it tries', async () => {
  const statuses = []
  for (let at = 0; at < 100; at++)
    statuses.push(await fails(from('198.51.100.1'), `u${at}@hale.example`))
  expect(statuses).toEqual([...Array<number>(30).fill(401), ...Array<number>(70).fill(429)])
})

it('a network registers five accounts an hour', async () => {
  const register = async (at: number) =>
    (
      await server
        .as(null)
        .post(
          '/v1/auth/register',
          { name: 'Rowan Ash', email: `r${at}@ash.example`, password: 'a lamp in the reeds' },
          from('198.51.100.1'),
        )
    ).status
  const statuses = []
  for (let at = 0; at < 6; at++) statuses.push(await register(at))
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429])
  server.clock.advance(3_600_000)
  expect(await register(6)).toBe(201)
})

it('forgot-password responds alike for every address, and mails an account three times an hour', async () => {
  const asked = async (email: string) => {
    const answer = await server.as(null).post('/v1/auth/forgot-password', { email })
    return [answer.status, await answer.text(), [...answer.headers.keys()].sort().join()]
  }
  const unknown = await asked('nobody@hale.example')
  expect(unknown[0]).toBe(204)
  for (let time = 0; time < 4; time++) {
    expect(await asked(U1.email)).toEqual(unknown)
    await server.settled()
  }
  expect(await resetTokens(server, U1)).toHaveLength(3)
  expect(server.sentMail.map(({ to }) => to)).not.toContain('nobody@hale.example')
})
