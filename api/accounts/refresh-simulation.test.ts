import { describe, expect, it } from 'vitest'
import type { Session, Tokens } from '../../domain/wire/users.ts'
import { runCount } from '../../scripts/test-depth.ts'
import { createSend } from '../../sync/auth/authenticated-send.ts'
import { type HttpAnswer, NoAnswer, type SessionStore, type Transport } from '../../sync/ports.ts'
import { clockOn, createTimeline } from '../../sync/simulation/timeline.ts'
import { createProfileLocks } from '../../sync/simulation/virtual-locks.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

const SESSIONS = runCount('SIMULATED_SESSIONS')
const SEED = Number(process.env.SIMULATED_SEED ?? 20_260_302)
const LOST_ANSWERS = 0.3
const SLEEPS = 4

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

type Browser = {
  session: SessionStore
  signedOut: number
  /** Every refresh token that the server ever gave, whether it arrived or not, oldest first. */
  given: string[]
  lost: number
  tabs: ReturnType<typeof createSend>[]
  wake(): Promise<void>
}

/** One browser profile with 1 to 5 tabs, whose refresh responses are lost three times in ten. */
async function openBrowser(app: TestApp, user: TestUser, random: () => number): Promise<Browser> {
  const timeline = createTimeline(app.clock.now())
  const locks = createProfileLocks(timeline)
  const tokens = await app.signIn(user)
  const { id, name, email, role } = user
  let stored: Session | null = {
    user: { id, name, fullName: name, email, role, isEmailVerified: false },
    tokens,
  }
  const session: SessionStore = {
    read: () => stored,
    write: (next) => {
      stored = next
    },
  }
  const transport: Transport = async ({ method, path, body, bearer }) => {
    const response = await app.app.request(`/v1${path}`, {
      method,
      headers: {
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        'content-type': 'application/json',
      },
      ...(body !== undefined && { body }),
    })
    const json: unknown = await response.json()
    if (path === '/auth/refresh-tokens' && response.status === 200) {
      browser.given.push((json as Tokens).refresh.token)
      if (random() < LOST_ANSWERS) {
        browser.lost++
        throw new NoAnswer()
      }
    }
    return { status: response.status, json, header: (key) => response.headers.get(key) }
  }
  const tab = (at: number) =>
    createSend({
      transport,
      session,
      locks: locks.of(`tab ${at}`),
      clock: clockOn(timeline),
      onSignedOut: () => browser.signedOut++,
      userId: id,
    })
  const browser: Browser = {
    session,
    signedOut: 0,
    given: [tokens.refresh.token],
    lost: 0,
    tabs: Array.from({ length: 1 + Math.floor(random() * 5) }, (_, at) => tab(at)),
    wake: () => timeline.runUntil(app.clock.now(), async () => {}),
  }
  return browser
}

const ask = (send: Browser['tabs'][number]): Promise<HttpAnswer | null> =>
  send({ method: 'GET', path: '/articles/client/myArticles' }).catch((fault: unknown) => {
    if (fault instanceof NoAnswer) return null
    throw fault
  })

/** All tabs ask at once after each sleep, of seconds to days, some of them again after a failure. */
async function live(app: TestApp, browser: Browser, random: () => number): Promise<void> {
  let left = 25 * DAY
  for (let sleep = 0; sleep < SLEEPS; sleep++) {
    const ms = Math.min(sleepOf(random), left)
    left -= ms
    app.clock.advance(ms)
    await browser.wake()
    const awake = browser.tabs.filter(() => random() < 0.8)
    const answers = await Promise.all(awake.map(ask))
    expect(answers.filter((answer) => answer !== null && answer.status !== 200)).toEqual([])
    if (answers.includes(null) && random() < 0.5) await Promise.all(browser.tabs.map(ask))
  }
}

function sleepOf(random: () => number): number {
  const kind = random()
  if (kind < 0.3) return random() * 2 * MINUTE
  if (kind < 0.7) return 30 * MINUTE + random() * 2 * HOUR
  return HOUR + random() * 4 * DAY
}

/** The page gets tokens again eventually, however many responses are lost before. */
async function comeBack(app: TestApp, browser: Browser): Promise<HttpAnswer | null> {
  app.clock.advance(31 * MINUTE)
  await browser.wake()
  const [send] = browser.tabs
  let answer: HttpAnswer | null = null
  for (let tries = 0; send && answer === null && tries < 100; tries++) answer = await ask(send)
  return answer
}

const replay = async (app: TestApp, refreshToken: string) =>
  (await app.as(null).post('/v1/auth/refresh-tokens', { refreshToken })).status

describe(`${SESSIONS} sessions of 1 to 5 tabs that sleep long and lose 30 % of their refresh answers`, () => {
  it('no user is ever logged out, and a stolen older token ends the whole session', {
    tags: ['@Q86', '@fault-31', '@fault-32'],
    timeout: 3_600_000,
  }, async () => {
    const app = await createTestApp()
    const random = seeded(SEED)
    let lost = 0
    let refreshes = 0
    let stolen = 0
    for (let at = 0; at < SESSIONS; at++) {
      const browser = await openBrowser(app, await app.user(), random)
      await live(app, browser, random)
      expect([at, (await comeBack(app, browser))?.status, browser.signedOut]).toEqual([at, 200, 0])
      lost += browser.lost
      refreshes += browser.given.length - 1
      if (await thiefEndsIt(app, browser, random)) stolen++
    }
    expect(lost / refreshes).toBeGreaterThan(0.2)
    expect(stolen).toBe(SESSIONS)
    expect(app.logLines.filter(({ level }) => level === 'error')).toEqual([])
    process.stdout.write(`${SESSIONS} sessions, ${refreshes} refreshes, ${lost} answers lost\n`)
  })
})

/** Replays a token other than the current one, as a thief would, after the grace period for other tabs. */
async function thiefEndsIt(app: TestApp, browser: Browser, random: () => number): Promise<boolean> {
  const current = browser.session.read()?.tokens
  const older = [...new Set(browser.given)].filter((token) => token !== current?.refresh.token)
  app.clock.advance(2 * MINUTE)
  const status = await replay(app, older[Math.floor(random() * older.length)] ?? '')
  const after = await replay(app, current?.refresh.token ?? '')
  const authorization = `Bearer ${current?.access.token}`
  const use = await app.app.request('/v1/articles/client/myArticles', {
    headers: { authorization },
  })
  return status === 401 && after === 401 && use.status === 401
}

/** The same numbers for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
