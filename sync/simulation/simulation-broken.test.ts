import { describe, expect, test, vi } from 'vitest'
import { faults, withoutLocks } from './breakages.ts'
import { runSchedule } from './schedule.ts'
import { faultsOf, firstFailure, report, seeds } from './search.ts'
import { settlerOfFile } from './share.ts'

vi.mock('../protocol/address.ts', (original) => withFaults(original))
vi.mock('../push/completion.ts', (original) => withFaults(original))
vi.mock('../editing/write-draft.ts', (original) => withFaults(original))
vi.mock('../editing/typed-runs.ts', (original) => withFaults(original))
vi.mock('../push/schedule.ts', (original) => withFaults(original))
vi.mock('../push/merge-with-server.ts', (original) => withFaults(original))
vi.mock('../merge/merge3.ts', (original) => withFaults(original))
vi.mock('../protocol/packing.ts', (original) => withFaults(original))
vi.mock('../store/queue.ts', (original) => withFaults(original))
vi.mock('../protocol/push-result.ts', (original) => withFaults(original))
vi.mock('../push/bring-back-overwritten.ts', (original) => withFaults(original))
vi.mock('../editing/exit-snapshot.ts', (original) => withFaults(original))
vi.mock('../push/retry-policy.ts', (original) => withFaults(original))
vi.mock('../pull/store-pulled.ts', (original) => withFaults(original))
vi.mock('../push/settle.ts', (original) => withFaults(original))

/** Replaces only the functions of the fault that a test names; without one this is the core as it is. */
async function withFaults(original: () => Promise<object>): Promise<object> {
  const { breakable } = await import('./breakable.ts')
  return breakable(await original())
}

/** The schedules must find faults: here they run cores with a fault, and one without locks. */
const TIME_LIMIT_MS = 1_800_000
const FOUND_WITHIN = 1_000
const WITHOUT_LOCKS = 50

const settler = settlerOfFile()

describe(`the schedules find, within ${FOUND_WITHIN} seeds, a core that`, () => {
  test.each(faults)(
    '$name',
    { timeout: TIME_LIMIT_MS },
    async ({ seed, within = FOUND_WITHIN - seed + 1, ...fault }) => {
      const candidates = seeds(seed, within)
      const found = await firstFailure(settler(), candidates, fault)
      expect(found, 'no schedule notices it').not.toBeNull()
      const {
        hasVariety = false,
        hasRestores = false,
        hasMiddlebox = false,
        hasNotes = false,
        hasSentences = false,
      } = fault
      const mix = { hasVariety, hasRestores, hasMiddlebox, hasNotes, hasSentences }
      const sound = await runSchedule(found?.seed ?? seed, settler(), mix)
      expect(faultsOf(sound), 'the core without the fault fails too').toEqual([])
      process.stdout.write(`seed ${found?.seed}: ${fault.name}: ${found && faultsOf(found)[0]}\n`)
    },
  )
})

test('nothing is lost when no tab ever waits for a lock', {
  timeout: TIME_LIMIT_MS,
}, async () => {
  const failure = await firstFailure(settler(), seeds(1, WITHOUT_LOCKS), withoutLocks)
  expect(failure && report(failure)).toBeNull()
})
