import { expect, inject, test } from 'vitest'
import { runCount } from '../../scripts/test-depth.ts'
import { firstFailure, report, seeds } from './search.ts'
import { settlerOfFile } from './share.ts'

/**
 * The schedules of simulation.test.ts with a server whose rows are in PostgreSQL. Its responses arrive in real time:
 * the clock of a schedule is paused until they are there, so what runs at the same moment of a schedule runs at the
 * same time there too, in an order that differs from run to run. A long run asks for more of them.
 */
const SCHEDULES = runCount('SIMULATION_POSTGRES_SCHEDULES')
const FIRST_SEED = Number(process.env.SIMULATION_FIRST_SEED ?? 1)

const settler = settlerOfFile()

test(`in ${SCHEDULES} random schedules over PostgreSQL from seed ${FIRST_SEED}`, {
  timeout: 300_000 + SCHEDULES * 5_000,
}, async () => {
  const engine = inject('postgres')
  if (engine === undefined) throw new Error('This test is of the project postgres')
  const options = { engine, hasSentences: true, hasTroubles: true, hasVariety: true }
  const failure = await firstFailure(settler(), seeds(FIRST_SEED, SCHEDULES), options)
  expect(failure && report(failure)).toBeNull()
})
