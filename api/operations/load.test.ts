import { describe, expect, it } from 'vitest'
import { createTestApp } from '../testing/test-app.ts'
import { type Pressure, watchLoad } from './load.ts'

const calm = { loopDelayMs: 12, memory: 0.4 }
const late = { loopDelayMs: 251, memory: 0.4 }
const full = { loopDelayMs: 12, memory: 0.91 }

describe('the pressure on the server', () => {
  function watched() {
    let now = 0
    const log: string[] = []
    const note = (_: object, message: string) => void log.push(message)
    const load = watchLoad({ monotonic: () => now }, { info: note, warn: note, error: note })
    const pass = (seconds: number, reading: typeof calm) => {
      for (let look = 0; look < seconds * 2; look += 1) {
        now += 500
        load.look(reading)
      }
      return load.pressure()
    }
    return { pass, log }
  }

  it.each([
    ['the loop is late', late],
    ['the memory is nearly full', full],
  ])('rises while %s, and is gone with the first calm look', (_, reading) => {
    const { pass, log } = watched()
    expect(pass(1.5, reading)).toBe(0)
    expect(pass(0.5, reading)).toBe(1)
    expect(pass(3.5, reading)).toBe(1)
    expect(pass(0.5, reading)).toBe(2)
    expect(pass(9, reading)).toBe(3)
    expect(pass(0.5, calm)).toBe(0)
    expect(log).toHaveLength(4)
  })

  it('does not rise by single stalls', () => {
    const { pass } = watched()
    for (let turn = 0; turn < 20; turn += 1) {
      pass(1.5, late)
      expect(pass(0.5, calm)).toBe(0)
    }
  })
})

describe('under pressure', () => {
  async function scene(pressure: Pressure) {
    const app = await createTestApp({
      config: { rateLimits: true },
      deps: { load: { pressure: () => pressure, look() {}, last: () => calm } },
    })
    const writer = await app.user()
    const client = await app.client({ users: [writer] })
    const { id } = await app.article({ client })
    const { refresh } = await app.signIn(writer)
    const text = { type: 'doc', content: [{ type: 'paragraph' }] }
    const call = app.as(writer)
    const credentials = { email: writer.email, password: writer.password }
    const person = { name: 'New', email: 'new@contun.example', password: 'a long password' }
    const calls = {
      list: () => call.get('/v1/articles/client/myArticles'),
      login: () => app.as(null).post('/v1/auth/login', credentials),
      register: () => app.as(null).post('/v1/auth/register', person),
      read: () => call.get(`/v1/articles/${id}`),
      save: () => call.patch(`/v1/articles/${id}`, { articleText: text }),
      refresh: () => app.as(null).post('/v1/auth/refresh-tokens', { refreshToken: refresh.token }),
      health: () => app.app.request('/readyz'),
    }
    const turnedAway: string[] = []
    for (const [name, ask] of Object.entries(calls)) {
      const answer = await ask()
      if (answer.status < 300) continue
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
      turnedAway.push(name)
    }
    return turnedAway
  }

  it.each<[Pressure, string[]]>([
    [0, []],
    [1, ['list', 'login', 'register']],
    [2, ['list', 'login', 'register', 'read']],
    [3, ['list', 'login', 'register', 'read', 'save', 'refresh']],
  ])('%i these are asked to come again: %j', async (pressure, expected) => {
    expect(await scene(pressure)).toEqual(expected)
  })
})
