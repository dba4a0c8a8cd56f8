import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Tokens } from '../../../domain/wire/users.ts'
import { openFile } from '../../database/open-database.ts'
import Sqlite from '../../database/sqlite/better-sqlite3.ts'
import { TEST_START } from '../test-app.ts'
import {
  bearer,
  type Filled,
  fill,
  refresh,
  type StartedServer,
  startServer,
  statusWith,
  text,
} from './started-server.ts'

let server: StartedServer
let all: Filled

beforeEach(async () => {
  server = await startServer({ config: { refreshGraceSeconds: 2 } })
  all = await fill(server)
})
afterEach(async () => {
  await server.expectHealthy()
  await server.stop()
})

const SECOND = 1_000
const HOUR = 3_600 * SECOND
const DAY = 24 * HOUR

const use = (tokens: Tokens) => statusWith(server, bearer(tokens))
const renew = (tokens: Tokens) => refresh(server, tokens.refresh.token)
const asBearer = (method: string, path: string, tokens: Tokens, body?: object) =>
  server.app.request(path, {
    method,
    headers: { ...bearer(tokens), 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })

describe('refresh', () => {
  it('ends the whole session when an old token comes after its successor was used', async () => {
    const first = await server.login(all.U1)
    const { status, tokens: next } = await renew(first)
    expect([status, await use(next)]).toEqual([200, 200])
    server.clock.advance(2 * SECOND + 1)
    expect((await renew(first)).status).toBe(401)
    expect([(await renew(next)).status, await use(next)]).toEqual([401, 401])
    expect(server.logLines.map(({ message }) => message)).toContain('Old refresh token reused')
  })

  it.each([3 * SECOND, 2 * HOUR])('a lost response ends no session, %i ms later', async (later) => {
    const first = await server.login(all.U1)
    expect((await renew(first)).status).toBe(200)
    server.clock.advance(later)
    const again = await renew(first)
    expect([again.status, await use(again.tokens)]).toEqual([200, 200])
  })

  it('ten tabs at once get one new generation, and each can work', async () => {
    const first = await server.login(all.U1)
    const answers = await Promise.all(Array.from({ length: 10 }, () => renew(first)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ tokens }) => tokens.refresh.token)).size).toBe(1)
    for (const { tokens } of answers) expect(await use(tokens)).toBe(200)
  })

  it('a forged token is refused and ends no session', async () => {
    const first = await server.login(all.U1)
    const [id, , signature = ''] = first.refresh.token.split('.')
    expect((await refresh(server, `${id}.99.${signature}`)).status).toBe(401)
    expect((await refresh(server, `${id}.1.${'A'.repeat(43)}`)).status).toBe(401)
    const { post } = server.as(null)
    const status = async (body: object) => (await post('/v1/auth/refresh-tokens', body)).status
    expect(await status({})).toBe(400)
    expect(await status({ refreshToken: [first.refresh.token] })).toBe(400)
    expect(await status({ refreshToken: 'x'.repeat(1 << 20) })).toBe(413)
    expect([await use(first), (await renew(first)).status]).toEqual([200, 200])
  })

  it('too many at once get Retry-After, never the end of the session', async () => {
    const busy = await startServer({ config: { rateLimits: true } })
    try {
      let tokens = await busy.login(await busy.user())
      for (let time = 0; time < 30; time++) ({ tokens } = await refresh(busy, tokens.refresh.token))
      expect((await refresh(busy, tokens.refresh.token)).status).toBe(429)
      busy.clock.advance(5 * 60 * SECOND)
      expect((await refresh(busy, tokens.refresh.token)).status).toBe(200)
    } finally {
      await busy.stop()
    }
  })

  it('never lasts longer than 30 days from the login, after 50 rotations too', async () => {
    let tokens = await server.login(all.U1)
    const end = tokens.refresh.expires
    expect(Date.parse(end)).toBe(server.clock.now() + 30 * DAY)
    for (let time = 0; time < 50; time++) {
      server.clock.advance(14 * HOUR)
      tokens = (await renew(tokens)).tokens
      expect(tokens.refresh.expires).toBe(end)
    }
    server.clock.advance(20 * HOUR + 1)
    expect([(await renew(tokens)).status, await use(tokens)]).toEqual([401, 401])
  })
})

describe('while another process holds the database', () => {
  it('refresh and save are asked to come again, nothing is half done, and both work afterwards', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'contun-locked-'))
    const file = join(folder, 'contun.sqlite')
    const opened = await openFile(file, {
      now: new Date(TEST_START).toISOString(),
      newId: randomUUID,
    })
    const locked = await startServer({ db: opened.db })
    const foreign = new Sqlite(file)
    try {
      const people = await fill(locked)
      const tokens = await locked.login(people.U1)
      const path = `${locked.url}/v1/articles/${people.P1}`
      const save = () =>
        fetch(path, {
          method: 'PATCH',
          headers: { ...bearer(tokens), 'content-type': 'application/json' },
          body: JSON.stringify({ articleText: text('Written meanwhile.'), completed: true }),
        })
      const renewed = () =>
        fetch(`${locked.url}/v1/auth/refresh-tokens`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ refreshToken: tokens.refresh.token }),
        })
      const before = foreign.prepare('select * from sessions').all()
      foreign.exec('begin immediate')
      const refused = await Promise.all([renewed(), save()])
      expect(refused.map(({ status }) => status)).toEqual([503, 503])
      expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(['2', '2'])
      expect(foreign.prepare('select * from sessions').all()).toEqual(before)
      foreign.exec('rollback')
      const read = await (await fetch(path, { headers: bearer(tokens) })).json()
      expect(read).toMatchObject({ completed: false, version: 1 })
      expect([(await renewed()).status, (await save()).status]).toEqual([200, 200])
    } finally {
      foreign.close()
      await locked.stop()
      await opened.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('the end of a session', () => {
  it('logout acts on the next call, may be repeated, and ends the session it names', async () => {
    const mine = await server.login(all.U1)
    const other = await server.login(all.U2)
    const logout = async (by: Tokens, of: Tokens) =>
      (await asBearer('POST', '/v1/auth/logout', by, { refreshToken: of.refresh.token })).status
    expect(await logout(mine, other)).toBe(204)
    expect([await use(mine), await use(other)]).toEqual([200, 401])
    expect(await logout(mine, mine)).toBe(204)
    expect([await use(mine), (await renew(mine)).status]).toEqual([401, 401])
    expect(await logout(mine, mine)).toBe(204)
  })

  it('a new password ends the other sessions, by an admin all of them', async () => {
    const [here, there] = [await server.login(all.U1), await server.login(all.U1)]
    const path = `/v1/users/${all.U1.id}`
    expect((await asBearer('PATCH', path, here, { password: 'another one' })).status).toBe(200)
    expect([await use(here), await use(there), (await renew(there)).status]).toEqual([
      200, 401, 401,
    ])
    expect((await server.as(all.A1).patch(path, { password: 'and a third' })).status).toBe(200)
    expect([await use(here), (await renew(here)).status]).toEqual([401, 401])
  })

  it('a deleted user is out at the next call, and a slow upload writes nothing', async () => {
    const mine = await server.login(all.U1)
    let proceed = () => {}
    const deleted = new Promise<void>((go) => {
      proceed = go
    })
    const body = new ReadableStream<Uint8Array>({
      async start(stream) {
        stream.enqueue(Buffer.from('{"articleText":'))
        await deleted
        stream.enqueue(Buffer.from(`${JSON.stringify(text('Too late.'))}}`))
        stream.close()
      },
    })
    const headers = { ...bearer(mine), 'content-type': 'application/json' }
    const init = { method: 'PATCH', headers, body, duplex: 'half' }
    const slow = server.app.request(`/v1/articles/${all.P1}`, init as RequestInit)
    await expect.poll(() => use(mine)).toBe(200)
    expect((await server.as(all.A1).delete(`/v1/users/${all.U1.id}`)).status).toBe(204)
    proceed()
    expect((await slow).status).toBe(401)
    expect(await use(mine)).toBe(401)
    const read = await (await server.as(all.A1).get(`/v1/articles/${all.P1}`)).json()
    expect(read).toMatchObject({ articleText: {}, textVersion: 1 })
  })

  it('the 21st login ends the first session and no other', async () => {
    const sessions: Tokens[] = []
    for (let time = 0; time < 21; time++) {
      server.clock.advance(SECOND)
      sessions.push(await server.login(all.U1))
    }
    const statuses = []
    for (const session of sessions) statuses.push(await use(session))
    expect(statuses).toEqual([401, ...Array<number>(20).fill(200)])
  })

  it('a role counts from the login on, but a demoted admin changes no account', async () => {
    const path = `/v1/users/${all.A2.id}`
    const before = await server.login(all.A2)
    expect((await server.as(all.A1).patch(path, { role: 'user' })).status).toBe(200)
    const users = async (tokens: Tokens) => (await asBearer('GET', '/v1/users', tokens)).status
    const added = {
      name: 'Rowan Ash',
      email: 'rowan@ash.example',
      password: 'a lamp in the reeds',
    }
    expect(await users(before)).toBe(200)
    expect((await asBearer('POST', '/v1/users', before, added)).status).toBe(403)
    expect((await asBearer('PATCH', path, before, { role: 'admin' })).status).toBe(403)
    const { tokens } = await renew(before)
    expect(await users(tokens)).toBe(200)
    expect(await users(await server.login(all.A2))).toBe(403)
    const promoted = await server.login(all.U0)
    await server.as(all.A1).patch(`/v1/users/${all.U0.id}`, { role: 'admin' })
    expect(await users(promoted)).toBe(403)
    expect(await users(await server.login(all.U0))).toBe(200)
  })
})
