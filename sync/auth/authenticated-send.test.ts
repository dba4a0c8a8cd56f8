import { describe, expect, test } from 'vitest'
import type { Session } from '../../domain/wire/users.ts'
import {
  type HttpAnswer,
  type HttpRequest,
  NoAnswer,
  type SessionStore,
  type Transport,
} from '../ports.ts'
import { clockOn, createTimeline } from '../simulation/timeline.ts'
import { createProfileLocks } from '../simulation/virtual-locks.ts'
import { createSend, RequestCallFailed } from './authenticated-send.ts'

type Sent = HttpRequest & { bearer?: string }

const tokens = (generation: number) => ({
  access: { token: `access-${generation}`, expires: '2026-03-02T09:30:00.000Z' },
  refresh: { token: `refresh-${generation}`, expires: '2026-04-01T09:00:00.000Z' },
})

function sessionOf(id: string, generation: number): Session {
  const name = 'Imogen Hale'
  const user = { id, name, fullName: name, email: 'imogen@hale.example', role: 'user' as const }
  return { user: { ...user, isEmailVerified: false }, tokens: tokens(generation) }
}

const answer = (status: number, json: unknown = {}): HttpAnswer => ({
  status,
  json,
  header: () => null,
})
const refusal = (status: number) => answer(status, { code: status, message: 'Please authenticate' })

/** One browser profile against a server that accepts `access-2` and scripts its responses to a refresh. */
function profile(initial: Session | null = sessionOf('u1', 1)) {
  const timeline = createTimeline(Date.parse('2026-03-02T09:00:00.000Z'))
  const locks = createProfileLocks(timeline)
  const log: string[] = []
  const world = {
    stored: initial,
    refresh: (): Promise<HttpAnswer> | HttpAnswer => answer(200, tokens(2)),
    accepts: new Set(['access-2']),
  }
  const session: SessionStore = {
    read: () => world.stored,
    write: (value) => {
      world.stored = value
    },
  }
  const transport: Transport = async (request: Sent) => {
    const sent = `${request.path} ${request.bearer ?? '-'}`
    log.push(request.path === '/auth/refresh-tokens' ? `refresh ${request.body}` : sent)
    if (request.path === '/auth/refresh-tokens') return world.refresh()
    if (request.path.startsWith('/auth/')) return refusal(401)
    return world.accepts.has(request.bearer ?? '-') ? answer(200) : refusal(401)
  }
  const tab = (name: string, userId?: string) =>
    createSend({
      transport,
      session,
      locks: locks.of(name),
      clock: clockOn(timeline),
      onSignedOut: () => log.push(`${name} signed out`),
      ...(userId === undefined ? {} : { userId }),
    })
  const pass = (ms: number) => timeline.runUntil(timeline.now() + ms, turn)
  return { world, session, log, tab, pass, locks }
}

/** Lets every promise that can settle do so. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const get = (path: string): HttpRequest => ({ method: 'GET', path })
const refreshWith = (generation: number) => `refresh {"refreshToken":"refresh-${generation}"}`

/** A promise and the way to settle it. */
function pending<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

describe('the bearer', () => {
  test('is the access token of the stored session', { tags: ['@ST-03'] }, async () => {
    const { tab, log } = profile(sessionOf('u1', 2))
    expect((await tab('t1')(get('/articles/a1'))).status).toBe(200)
    expect(log).toEqual(['/articles/a1 access-2'])
  })

  test('is left out when signed out, and a 401 then refreshes nothing', {
    tags: ['@Q87'],
  }, async () => {
    const { tab, log } = profile(null)
    expect((await tab('t1')(get('/articles/a1'))).status).toBe(401)
    expect(log).toEqual(['/articles/a1 -'])
  })

  test.each([
    ['/auth/login', '-'],
    ['/auth/logout', 'access-1'],
    ['/auth/forgot-password', 'access-1'],
  ])(
    '%s is sent with token %s, and its 401 refreshes nothing',
    { tags: ['@LO-13', '@LO-14', '@ST-15', '@AP-02', '@Q26'] },
    async (path, bearer) => {
      const { tab, log } = profile()
      const sent = await tab('t1')({ method: 'POST', path, body: '{}' })
      expect(sent.status).toBe(401)
      expect(log).toEqual([`${path} ${bearer}`])
    },
  )
})

describe('a 401', () => {
  test('leads to new tokens, both stored, and one retry', {
    tags: ['@ST-08', '@ST-09', '@ST-10'],
  }, async () => {
    const { tab, log, world } = profile()
    const request: HttpRequest = {
      method: 'PATCH',
      path: '/articles/a1',
      body: '{"completed":true}',
    }
    expect((await tab('t1')(request)).status).toBe(200)
    expect(log).toEqual(['/articles/a1 access-1', refreshWith(1), '/articles/a1 access-2'])
    expect(world.stored).toEqual(sessionOf('u1', 2))
  })

  test('on the retry is final: there is no second refresh', { tags: ['@ST-10'] }, async () => {
    const { tab, log, world } = profile()
    world.accepts.clear()
    expect((await tab('t1')(get('/articles/a1'))).status).toBe(401)
    expect(log).toEqual(['/articles/a1 access-1', refreshWith(1), '/articles/a1 access-2'])
  })

  test('uses the token that another request has just fetched', async () => {
    const { tab, log, world } = profile()
    const send = tab('t1')
    const refused = send(get('/articles/a1'))
    world.stored = sessionOf('u1', 2)
    expect((await refused).status).toBe(200)
    expect(log).toEqual(['/articles/a1 access-1', '/articles/a1 access-2'])
  })

  test.each([400, 403, 404, 409, 412, 429, 500, 503])(
    'is the only trigger: %i passes as it is',
    { tags: ['@ST-11'] },
    async (status) => {
      const log: string[] = []
      const timeline = createTimeline(0)
      const send = createSend({
        transport: async (request) => {
          log.push(request.path)
          return answer(status)
        },
        session: { read: () => sessionOf('u1', 1), write: () => log.push('written') },
        locks: createProfileLocks(timeline).of('t1'),
        clock: clockOn(timeline),
        onSignedOut: () => log.push('signed out'),
      })
      expect((await send(get('/users'))).status).toBe(status)
      expect(log).toEqual(['/users'])
    },
  )
})

describe('one refresh at a time', () => {
  test('requests that start while it runs wait for it and go out with the new token', {
    tags: ['@ST-14'],
  }, async () => {
    const { tab, log, world } = profile()
    const refresh = pending<HttpAnswer>()
    world.refresh = () => refresh.promise
    const send = tab('t1')
    const answers = [send(get('/a')), send(get('/b'))]
    await turn()
    answers.push(send(get('/c')))
    await turn()
    expect(log).toEqual(['/a access-1', '/b access-1', refreshWith(1)])
    refresh.resolve(answer(200, tokens(2)))
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(log.slice(3).sort()).toEqual(['/a access-2', '/b access-2', '/c access-2'])
  })

  test('over all tabs: the second finds the new token in the stored session', {
    tags: ['@Q86'],
  }, async () => {
    const { tab, log } = profile()
    const both = await Promise.all([tab('t1')(get('/a')), tab('t2')(get('/b'))])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(log.filter((line) => line.startsWith('refresh'))).toEqual([refreshWith(1)])
  })

  test('goes ahead without the lock when a frozen tab keeps it for 10 s', async () => {
    const { tab, log, locks, pass } = profile()
    void locks.of('frozen').hold('contun-auth', () => new Promise(() => {}))
    const sent = tab('t1')(get('/a'))
    await turn()
    await pass(9_999)
    expect(log).toEqual(['/a access-1'])
    await pass(1)
    expect((await sent).status).toBe(200)
  })
})

describe('when the refresh brings no tokens', () => {
  const html = answer(200, undefined)
  test.each<[string, () => Promise<HttpAnswer>]>([
    ['nothing comes back', () => Promise.reject(new NoAnswer())],
    ['the server fails', async () => refusal(500)],
    ['the server is busy', async () => refusal(503)],
    ['there were too many', async () => refusal(429)],
    ['it is forbidden', async () => refusal(403)],
    ['a captive portal answers', async () => html],
    ['a middlebox answers 401 in its own words', async () => answer(401, undefined)],
  ])(
    'waiting requests fail and no user is signed out: %s',
    { tags: ['@ST-12', '@ST-13', '@ER-20', '@Q85'] },
    async (_, refresh) => {
      const { tab, log, world } = profile()
      world.refresh = refresh
      const send = tab('t1')
      const outcomes = await Promise.allSettled([send(get('/a')), send(get('/b'))])
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ reason: { message: 'Request call failed' } })
      }
      expect(world.stored).toEqual(sessionOf('u1', 1))
      expect(log).not.toContain('t1 signed out')
    },
  )

  test('the next request tries again', { tags: ['@fault-33'] }, async () => {
    const { tab, world } = profile()
    world.refresh = () => Promise.reject(new NoAnswer())
    const send = tab('t1')
    await expect(send(get('/a'))).rejects.toThrow(RequestCallFailed)
    world.refresh = () => answer(200, tokens(2))
    expect((await send(get('/a'))).status).toBe(200)
  })

  test('the server’s own 401 ends the session, once for all tabs', {
    tags: ['@ST-12', '@ST-13'],
  }, async () => {
    const { tab, log, world } = profile()
    world.refresh = () => refusal(401)
    const waiting = [tab('t1')(get('/a')), tab('t2')(get('/b'))]
    const outcomes = await Promise.allSettled(waiting)
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(world.stored).toBeNull()
    expect(log.filter((line) => line.includes('signed out'))).toEqual(['t1 signed out'])
  })

  test('a 401 for tokens that have been replaced ends no session', {
    tags: ['@ST-12'],
  }, async () => {
    const { tab, log, world } = profile()
    world.refresh = () => {
      world.stored = sessionOf('u1', 2)
      return refusal(401)
    }
    expect((await tab('t1')(get('/a'))).status).toBe(200)
    expect(log).not.toContain('t1 signed out')
  })
})

describe('another user in the same browser', () => {
  test('a request that waited for a refresh is not sent with the other token', async () => {
    const { tab, log, world } = profile()
    const refresh = pending<HttpAnswer>()
    world.refresh = () => refresh.promise
    const sent = tab('t1')(get('/a'))
    await turn()
    world.stored = sessionOf('u2', 2)
    refresh.resolve(answer(200, tokens(3)))
    await expect(sent).rejects.toThrow('Request call failed')
    expect(world.stored).toEqual(sessionOf('u2', 2))
    expect(log).toEqual(['/a access-1', refreshWith(1)])
  })

  test('a tab that outlived the sign-in sends nothing', async () => {
    const { tab, log } = profile(sessionOf('u2', 2))
    await expect(tab('t1', 'u1')(get('/a'))).rejects.toThrow('Request call failed')
    expect(log).toEqual([])
  })

  test('a sign-out during the refresh stays one', async () => {
    const { tab, world } = profile()
    world.refresh = () => {
      world.stored = null
      return answer(200, tokens(2))
    }
    expect((await tab('t1')(get('/a'))).status).toBe(401)
    expect(world.stored).toBeNull()
  })
})

describe('the time limit of a request', () => {
  test('covers the wait for a refresh', async () => {
    const { tab, world, pass } = profile()
    world.refresh = () => new Promise(() => {})
    const sent = tab('t1')({ ...get('/a'), timeoutMs: 5_000 })
    const late = expect(sent).rejects.toThrow(NoAnswer)
    await turn()
    await pass(5_000)
    await late
  })

  test('an aborted request stops waiting immediately', async () => {
    const { tab, world } = profile()
    world.refresh = () => new Promise(() => {})
    const abandoned = pending<void>()
    const sent = tab('t1')({ ...get('/a'), abandoned: abandoned.promise })
    await turn()
    abandoned.resolve()
    await expect(sent).rejects.toThrow(NoAnswer)
  })
})
