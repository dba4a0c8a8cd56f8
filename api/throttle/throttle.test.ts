import { describe, expect, it } from 'vitest'
import { memoryCounts } from './count-store.ts'
import { createThrottle } from './throttle.ts'

const log = { info() {}, warn() {}, error() {} }
const limit = { name: 'tries', most: 3, windowMs: 60_000 }

function throttle() {
  let time = 0
  const counts = createThrottle(
    memoryCounts(() => time),
    log,
  )
  const statusOf = (work: Promise<unknown>) =>
    work.then(
      () => 200,
      (fault) => fault.status,
    )
  return { ...counts, statusOf, wait: (ms: number) => (time += ms) }
}

describe('a throttle', () => {
  it('does not count what it refused: what is given back is free at once', async () => {
    const { take, giveBack, statusOf } = throttle()
    const statuses: number[] = []
    for (let time = 0; time < 6; time++) statuses.push(await statusOf(take(limit, 'a')))
    await giveBack(limit, 'a')
    statuses.push(await statusOf(take(limit, 'a')), await statusOf(take(limit, 'a')))
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429, 200, 429])
  })

  it.each([
    [1, 'in 1 second.'],
    [90_000, 'in 90 seconds.'],
    [90_001, 'in 2 minutes.'],
    [3_600_000, 'in 60 minutes.'],
    [86_400_000, 'in 24 hours.'],
  ])('formats %i ms for users: %s', async (windowMs, end) => {
    const { take } = throttle()
    const short = { name: 'short', most: 1, windowMs }
    await take(short, 'a')
    await expect(take(short, 'a')).rejects.toMatchObject({
      message: expect.stringMatching(new RegExp(`${end}$`)),
      refusal: { headers: { 'Retry-After': String(Math.ceil(windowMs / 1000)) } },
    })
  })

  it('gives a turn back after work that failed', async () => {
    const { atOnce, statusOf } = throttle()
    const failing = () => atOnce(1, 'a', () => Promise.reject(new Error('no')))
    expect([await statusOf(failing()), await statusOf(failing())]).toEqual([undefined, undefined])
    const waiting = atOnce(1, 'a', () => new Promise<void>((resolve) => setImmediate(resolve)))
    expect(await statusOf(atOnce(1, 'a', async () => {}))).toBe(503)
    await waiting
    expect(await statusOf(atOnce(1, 'a', async () => {}))).toBe(200)
  })
})
