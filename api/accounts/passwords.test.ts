import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PASSWORD_MAX, PASSWORD_MIN } from '../../domain/limits.ts'
import { ApiError } from '../http/errors.ts'
import { createTestApp, testConfig } from '../testing/test-app.ts'
import { ensureUncommon, isCommon } from './common-passwords.ts'
import { makeFirstAdmin } from './first-admin.ts'
import { type HashWorker, passwordPool } from './password-pool.ts'
import { passwordHasher, type SlowHash, slowHash } from './passwords.ts'

describe('a hashed password', () => {
  const hasher = passwordHasher(Buffer.from('pepper'), 4, slowHash)

  it('says how it was made and matches only itself', async () => {
    const stored = await hasher.hash('a river of ink')
    expect(stored).toMatch(/^hs384:\$2b\$04\$/)
    expect(await hasher.verify('a river of ink', stored)).toBe('right')
    expect(await hasher.verify('a river of inc', stored)).toBe('wrong')
  })

  it('counts every character: bcrypt alone would stop at byte 72', { tags: ['@Q19'] }, async () => {
    const stored = await hasher.hash(`${'x'.repeat(255)}a`)
    expect(await hasher.verify(`${'x'.repeat(255)}b`, stored)).toBe('wrong')
  })

  /** Each in NFC and in another Unicode form. */
  it.each([
    ['caf\u00e9 in june', 'cafe\u0301 in june'],
    ['\u1ec7n \u1ec7n \u1ec7n', 'e\u0323\u0302n e\u0302\u0323n \u1eb9\u0302n'],
    [
      '\ud55c\uae00\ud55c\uae00\ud55c\uae00\ud55c\uae00',
      '\ud55c\uae00\ud55c\uae00\ud55c\uae00\ud55c\uae00'.normalize('NFD'),
    ],
    ['\u00e5ngstr\u00f6m', 'a\u030angstr\u00f6m'],
  ])('is the same in every spelling: %j', { tags: ['@Q19'] }, async (composed, other) => {
    for (const [set, typed] of [
      [composed, other],
      [other, composed],
      [other, other],
    ] as const) {
      expect(await hasher.verify(typed, await hasher.hash(set))).toBe('right')
    }
    expect(await hasher.verify('cafe in june', await hasher.hash(composed))).toBe('wrong')
  })

  it('is outdated when it was made of the text as it was typed, or with less work', {
    tags: ['@Q19'],
  }, async () => {
    const typed = 'cafe\u0301 in june'
    const digest = createHmac('sha384', 'pepper').update(typed).digest('base64url')
    const raw = `hs384:${await slowHash.hash(digest, 4)}`
    expect(await hasher.verify(typed, raw)).toBe('outdated')
    expect(await hasher.verify('cafe\u0301 in july', raw)).toBe('wrong')
    const costly = passwordHasher(Buffer.from('pepper'), 5, slowHash)
    expect(await costly.verify('a river of ink', await hasher.hash('a river of ink'))).toBe(
      'outdated',
    )
  })

  it('is worth nothing without the pepper', async () => {
    const stored = await hasher.hash('a river of ink')
    const other = passwordHasher(Buffer.from('another pepper'), 4, slowHash)
    expect(await other.verify('a river of ink', stored)).toBe('wrong')
  })

  it('does one comparison of the same cost for an unknown user, who is always refused', async () => {
    const compared: string[] = []
    const slow: SlowHash = {
      hash: slowHash.hash,
      compare: async (text, hash) => {
        compared.push(hash.slice(0, 7))
        return (await slowHash.compare(text, hash)) || true
      },
    }
    const watched = passwordHasher(Buffer.from('pepper'), 5, slow)
    const stored = await watched.hash('a river of ink')
    await watched.verify('a river of ink', stored)
    expect(await watched.verify('a river of ink', null)).toBe('wrong')
    expect(await watched.verify('a river of ink', 'a scheme of other times')).toBe('wrong')
    expect(compared).toEqual(['$2b$05$', '$2b$05$', '$2b$05$'])
    compared.length = 0
    // A password that is not in NFC takes two comparisons.
    await watched.verify('cafe\u0301 in june', stored)
    await watched.verify('cafe\u0301 in june', null)
    expect(compared).toEqual(['$2b$05$', '$2b$05$', '$2b$05$', '$2b$05$'])
  })

  it('compares for unknown users again once there is capacity', async () => {
    let isFull = true
    const hash: SlowHash['hash'] = async (text, cost) => {
      if (isFull) throw new ApiError(503, 'The server is busy.')
      return slowHash.hash(text, cost)
    }
    const crowded = passwordHasher(Buffer.from('pepper'), 4, { ...slowHash, hash })
    await expect(crowded.verify('a river of ink', null)).rejects.toThrow('busy')
    isFull = false
    expect(await crowded.verify('a river of ink', null)).toBe('wrong')
  })
})

describe('the pool of hashing threads', () => {
  /** Worker threads that reply when the test says so. */
  function scriptedWorkers() {
    const log: string[] = []
    const timers: { ms: number; ring(): void }[] = []
    const spawned: { answer(outcome: unknown): void; crash(): void }[] = []
    function spawn(): HashWorker {
      const name = `w${spawned.length + 1}`
      const listeners = new Map<string, (value: never) => void>()
      const emit = (event: string, value: unknown) => listeners.get(event)?.(value as never)
      spawned.push({
        answer: (outcome) => emit('message', outcome),
        crash: () => emit('error', new Error('out of memory')),
      })
      return {
        postMessage: ({ text }) => void log.push(`${name} ${text}`),
        on: (event: string, listener: (value: never) => void) => listeners.set(event, listener),
        terminate: () => log.push(`${name} ends`),
      }
    }
    const after = (ms: number, ring: () => void) => {
      const timer = { ms, ring }
      timers.push(timer)
      return () => void timers.splice(timers.indexOf(timer), 1)
    }
    /** Fires the oldest timer with this duration. */
    const runOut = (ms: number) => timers.find((timer) => timer.ms === ms)?.ring()
    return { log, runOut, spawned, spawn, after }
  }

  const statusOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (fault) => (fault instanceof ApiError ? fault.status : fault),
    )

  it('gives each thread one job at a time, in the order of asking', async () => {
    const threads = scriptedWorkers()
    const pool = passwordPool({ size: 2, ...threads })
    const work = ['a', 'b', 'c'].map((text) => pool.hash(text, 4))
    expect(threads.log).toEqual(['w1 a', 'w2 b'])
    threads.spawned[1]?.answer('hash of b')
    expect(threads.log).toEqual(['w1 a', 'w2 b', 'w2 c'])
    threads.spawned[1]?.answer('hash of c')
    threads.spawned[0]?.answer('hash of a')
    expect(await Promise.all(work)).toEqual(['hash of a', 'hash of b', 'hash of c'])
  })

  it('refuses with 503 what it has no thread for, also from an event of another one', async () => {
    const threads = scriptedWorkers()
    const spawns = { left: 1 }
    const spawn = () => {
      spawns.left -= 1
      if (spawns.left < 0) throw new Error('ERR_WORKER_INIT_FAILED')
      return threads.spawn()
    }
    const pool = passwordPool({ size: 1, ...threads, spawn })
    const work = ['a', 'b', 'c'].map((text) => statusOf(pool.hash(text, 4)))
    threads.spawned[0]?.crash()
    expect(await Promise.all(work)).toEqual([503, 503, 503])
    spawns.left = 1
    const later = pool.hash('c', 4)
    threads.spawned[1]?.answer('hash of c')
    expect([await later, pool.jobs()]).toEqual(['hash of c', 0])
  })

  it('refuses with 503 what would wait too long', async () => {
    const threads = scriptedWorkers()
    const pool = passwordPool({ size: 1, ...threads })
    const accepted = Array.from({ length: 17 }, () => pool.compare('x', 'hash'))
    expect(await statusOf(pool.compare('x', 'hash'))).toBe(503)
    for (const work of accepted) {
      threads.spawned[0]?.answer(true)
      expect(await work).toBe(true)
    }
  })

  it('rejects requests that have waited for eight seconds, and serves the others', async () => {
    const threads = scriptedWorkers()
    const pool = passwordPool({ size: 1, ...threads })
    const [first, second, third] = ['a', 'b', 'c'].map((text) => pool.hash(text, 4))
    threads.runOut(8_000)
    expect(await statusOf(second ?? Promise.resolve())).toBe(503)
    threads.spawned[0]?.answer('hash of a')
    threads.spawned[0]?.answer('hash of c')
    expect(await Promise.all([first, third])).toEqual(['hash of a', 'hash of c'])
    expect(threads.log).toEqual(['w1 a', 'w1 c'])
  })

  it('fails the job of a thread that dies or hangs, and continues with a new thread', async () => {
    const threads = scriptedWorkers()
    const pool = passwordPool({ size: 1, ...threads })
    const [first, second, third] = ['a', 'b', 'c'].map((text) => pool.hash(text, 4))
    threads.spawned[0]?.crash()
    expect(await statusOf(first ?? Promise.resolve())).toBe(503)
    threads.runOut(10_000)
    expect(await statusOf(second ?? Promise.resolve())).toBe(503)
    threads.spawned[0]?.answer('too late')
    threads.spawned[2]?.answer('hash of c')
    expect(await third).toBe('hash of c')
    expect(threads.log).toEqual(['w1 a', 'w1 ends', 'w2 b', 'w2 ends', 'w3 c'])
  })
})

describe('the commonest passwords', { tags: ['@Q19'] }, () => {
  const known = [
    'imogen@larkspur.example',
    'imogen',
    'Imogen Hale',
    'Contūn Articles',
    'Moon & Owl',
  ]

  it.each([
    'password',
    'Password1',
    'P@ssw0rd123!',
    'passwordpassword',
    '12345678',
    '87654321',
    '11111111',
    '12341234',
    'qwertyuiop',
    'QWERTY123',
    'iloveyou2',
    '!!letmein!!',
    'Summer2026',
    'Imogen2026',
    'imogen@larkspur.example',
    'moonowl1',
    'contunarticles',
    'Bigdaddy',
    'scoobydoo',
    '!QAZ2wsx',
    'whatever1',
  ])('knows %s', (password) => expect(isCommon(password, known)).toBe(true))

  it.each(['a river of ink', 'larkspur in june', 'Kq7!vexing-otter', '83610475', 'tea at four pm'])(
    'lets %s pass',
    (password) => expect(isCommon(password, known)).toBe(false),
  )

  it('has a list of more than 10,000 that could be chosen here', () => {
    const file = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    const list = file
      .slice(file.indexOf('\n\n') + 2)
      .trimEnd()
      .split('\n')
    expect(new Set(list).size).toBeGreaterThan(10_000)
    expect(list.filter((one) => one.length < PASSWORD_MIN || one.length > PASSWORD_MAX)).toEqual([])
    expect(list.filter((one) => !isCommon(one, []))).toEqual([])
  })

  it('lets everything pass when the list is off', () => {
    const account = { name: 'Imogen Hale', email: 'imogen@larkspur.example' }
    expect(() => ensureUncommon(testConfig, 'password1', account)).not.toThrow()
  })
})

describe('the first admin', () => {
  const email = 'admin@contun.example'

  it('gets a generated password once', async () => {
    const app = await createTestApp()
    const password = await makeFirstAdmin(app.deps, { email, password: null })
    expect(password).toMatch(/^([0-9a-hjkmnp-tv-z]{5}-){3}[0-9a-hjkmnp-tv-z]{5}$/)
    const response = await app.as(null).post('/v1/auth/login', { email, password })
    expect(await response.json()).toMatchObject({ user: { role: 'admin' } })
    expect(await makeFirstAdmin(app.deps, { email, password: null })).toBeNull()
    expect(app.logLines.map((line) => JSON.stringify(line)).join()).not.toContain(password)
  })

  it('gets the given password, which is not shown', async () => {
    const app = await createTestApp()
    expect(await makeFirstAdmin(app.deps, { email, password: 'given by env' })).toBeNull()
    const response = await app.as(null).post('/v1/auth/login', { email, password: 'given by env' })
    expect(response.status).toBe(200)
  })

  it('is never made from a registered account', async () => {
    const app = await createTestApp()
    await app.user({ email })
    await expect(makeFirstAdmin(app.deps, { email, password: null })).rejects.toThrow('client user')
  })
})
