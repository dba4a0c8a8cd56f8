import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCount } from '../../scripts/test-depth.ts'
import { firstFailureOfMany, report, seeds } from './search.ts'
import { installSettler, type Settler } from './settle.ts'

/**
 * People type sentences, the storage fails in two of five, most have something of variety.ts, in half of them the server is
 * restored.
 */
export const mixed = {
  hasSentences: true,
  hasTroubles: true,
  hasVariety: true,
  hasRestores: true,
}

/** Writers add notes too. */
export const withNotes = { ...mixed, hasNotes: true }

/** In addition to those in wilder worlds and over PostgreSQL. */
const SCHEDULES = runCount('SIMULATION_SCHEDULES')
const FIRST_SEED = Number(process.env.SIMULATION_FIRST_SEED ?? 1)
/**
 * People type sentences in all of them. With `SIMULATION_MIXED=1` they have all that `mixed` says, with `SIMULATION_MIDDLEBOX=1` what middlebox.ts does, with
 * `SIMULATION_PROSE=1` texts in everyday words, with `SIMULATION_LINKS=1` links.
 */
const mix = {
  hasSentences: true,
  ...(process.env.SIMULATION_MIXED === '1' && mixed),
  ...(process.env.SIMULATION_MIDDLEBOX === '1' && { hasMiddlebox: true }),
  ...(process.env.SIMULATION_PROSE === '1' && { hasEverydayProse: true }),
  ...(process.env.SIMULATION_LINKS === '1' && { hasLinks: true }),
}
const SHARES = 2
const TIME_LIMIT_MS = 300_000 + SCHEDULES * 5_000

/** The settler of a test file: one for all its schedules, removed at its end. */
export function settlerOfFile(): () => Settler {
  let settler: Settler
  beforeAll(() => {
    settler = installSettler()
  })
  afterAll(() => settler.restore())
  return () => settler
}

/** The schedules are shared between two test files, because each file runs in a process of its own. */
export function runsShare(share: 0 | 1, settler: () => Settler): void {
  const count = Math.floor((SCHEDULES + share) / SHARES)
  const first = FIRST_SEED + share * Math.floor(SCHEDULES / SHARES)
  test(`SY in ${count} random schedules from seed ${first}`, {
    timeout: TIME_LIMIT_MS,
  }, async () => {
    const failure = await firstFailureOfMany(settler(), seeds(first, count), mix)
    expect(failure && report(failure)).toBeNull()
  })
}
