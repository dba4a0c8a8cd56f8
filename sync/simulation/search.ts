import type { Breakage } from './browser.ts'
import { type Outcome, runSchedule } from './schedule.ts'
import type { Settler } from './settle.ts'

const LOG_LINES = 60

export const seeds = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, place) => first + place)

/** The first schedule that goes wrong, or null. */
export async function firstFailure(
  settler: Settler,
  candidates: readonly number[],
  breakage?: Breakage,
): Promise<Outcome | null> {
  for (const seed of candidates) {
    const outcome = await runSchedule(seed, settler, breakage)
    if (outcome.failures.length > 0) return outcome
  }
  return null
}

/** What went wrong, the seed that plays it again, and the last of what happened. */
export function report({ seed, failures, log }: Outcome): string {
  return [`seed ${seed}`, ...failures, '…', ...log.slice(-LOG_LINES)].join('\n')
}
