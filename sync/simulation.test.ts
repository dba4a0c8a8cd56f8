import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { corpus } from './simulation/corpus.ts'
import { runSchedule } from './simulation/schedule.ts'
import { firstFailure, report, seeds } from './simulation/search.ts'
import { installSettler, type Settler } from './simulation/settle.ts'

/**
 * The real sync core over IndexedDB and the real API over SQLite, two or three laptops with up to three
 * tabs each. Requests and answers get lost, late and doubled, the server restarts, tokens expire, tabs
 * and browsers crash, clocks jump, writers complete articles and an admin reopens them. In the end:
 *
 * - every word that was written to a laptop's database is in the server's text (or, where a client
 *   without our headers wrote over it, in a revision);
 * - no idempotency key was applied twice;
 * - every draft and every open editor shows the server's text, and nothing waits;
 * - nobody was signed out;
 * - the save line never said 'saved' of a text that the server did not have.
 */
const SCHEDULES = Number(process.env.SIMULATION_SCHEDULES ?? 500)
const FIRST_SEED = Number(process.env.SIMULATION_FIRST_SEED ?? 1)
const TIME_LIMIT_MS = 120_000 + SCHEDULES * 1_000

let settler: Settler
beforeAll(() => {
  settler = installSettler()
})
afterAll(() => settler.restore())

describe('no word is lost, no change applied twice, all copies become the same', () => {
  test('SY in the schedules that found a fault before', { timeout: TIME_LIMIT_MS }, async () => {
    const failure = await firstFailure(settler, corpus)
    expect(failure && report(failure)).toBeNull()
  })

  test(`SY in ${SCHEDULES} random schedules`, { timeout: TIME_LIMIT_MS }, async () => {
    const failure = await firstFailure(settler, seeds(FIRST_SEED, SCHEDULES))
    expect(failure && report(failure)).toBeNull()
  })
})

describe('one seed is one history', () => {
  test('the same seed gives the same log', async () => {
    const [once, again] = [await runSchedule(7, settler), await runSchedule(7, settler)]
    expect(again.log).toEqual(once.log)
  })
})
