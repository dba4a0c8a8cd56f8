import { expect, it } from 'vitest'
import { ApiError } from '../http/errors.ts'
import { createTestApp } from '../testing/test-app.ts'
import { createListeners, STREAMS_MAX } from './listeners.ts'

async function scene() {
  const { db, clock } = await createTestApp()
  const listeners = createListeners({ db, clock })
  const user = { role: 'user', currentRole: 'user', name: 'Ida' } as const
  /** Adds streams of a session until one is refused, and returns the status of that refusal. */
  const open = (id: string, sessionId: string): number => {
    const viewer = { ...user, id, sessionId, tokenExpiresAt: Number.POSITIVE_INFINITY }
    try {
      for (;;) {
        listeners.refuseTooMany(viewer)
        listeners.add(viewer, () => {})
      }
    } catch (fault) {
      return fault instanceof ApiError ? fault.status : 0
    }
  }
  return { listeners, open }
}

it('refuses more than 8 streams of a session and 40 of a user', async () => {
  const { listeners, open } = await scene()
  const counts = []
  for (let session = 1; session <= 6; session += 1) {
    expect(open('ida', `session ${session}`)).toBe(429)
    counts.push(listeners.size())
  }
  expect(counts).toEqual([8, 16, 24, 32, 40, 40])
  expect(open('eve', 'her session')).toBe(429)
  expect(listeners.size()).toBe(48)
})

it('refuses more streams than the server has room for, until others end', async () => {
  const { listeners, open } = await scene()
  for (let user = 0; user < STREAMS_MAX / 8; user += 1) open(`user ${user}`, `session ${user}`)
  expect([listeners.size(), open('ida', 'her session')]).toEqual([STREAMS_MAX, 503])
  listeners.endAll()
  expect([listeners.size(), open('ida', 'her session')]).toEqual([0, 429])
})
