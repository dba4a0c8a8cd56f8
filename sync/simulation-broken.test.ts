import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { breakages, withoutLocks } from './simulation/breakages.ts'
import { firstFailure, report, seeds } from './simulation/search.ts'
import { installSettler, type Settler } from './simulation/settle.ts'

/** The schedules are worth what they find: here they meet cores with a fault, and one without locks. */
const TIME_LIMIT_MS = 600_000
const FOUND_WITHIN = 500
const WITHOUT_LOCKS = Number(process.env.SIMULATION_SCHEDULES ?? 500) / 10

let settler: Settler
beforeAll(() => {
  settler = installSettler()
})
afterAll(() => settler.restore())

describe(`the schedules find, within ${FOUND_WITHIN} seeds, a core that`, () => {
  test.each(Object.entries(breakages))('%s', { timeout: TIME_LIMIT_MS }, async (_, breakage) => {
    expect(await firstFailure(settler, seeds(1, FOUND_WITHIN), breakage)).not.toBeNull()
  })
})

test('SY nothing is lost when no tab ever waits for a lock', {
  timeout: TIME_LIMIT_MS,
}, async () => {
  const failure = await firstFailure(settler, seeds(1, WITHOUT_LOCKS), withoutLocks)
  expect(failure && report(failure)).toBeNull()
})
